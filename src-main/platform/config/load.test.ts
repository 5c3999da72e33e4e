import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFolder, loadConfig } from './load.ts';

const home = mkdtempSync(join(tmpdir(), 'hearth-config-'));
const environment = { XDG_CONFIG_HOME: home, APPDATA: home };
const isMac = process.platform === 'darwin';

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('loadConfig', () => {
  it('reads the folder of phone backups from its variable, and from the one of the specification', () => {
    const read = (variables: object): string =>
      loadConfig({}, { ...environment, ...variables })['phone_backups.base_path'];
    expect(read({ PHONE_BACKUPS_BASE_PATH: '/a' })).toBe('/a');
    expect(read({ BACKUP_PATHS__BASE_PATH: '/b' })).toBe('/b');
    expect(read({ PHONE_BACKUPS_BASE_PATH: '/a', BACKUP_PATHS__BASE_PATH: '/b' })).toBe('/a');
    expect(read({ PHONE_BACKUPS_BASE_PATH: '' })).toBe('');
  });

  it('reads the port of the phone-backup service from its variable and from the former one', () => {
    const read = (variables: object): number => loadConfig({}, { ...environment, ...variables })['phone_backups.port'];
    expect(read({ PHONE_BACKUPS_PORT: '81' })).toBe(81);
    expect(read({ BACKUPS_PORT: '82' })).toBe(82);
    expect(read({ PHONE_BACKUPS_PORT: '81', BACKUPS_PORT: '82' })).toBe(81);
  });

  describe.skipIf(isMac)('with a file', () => {
    beforeAll(() => mkdirSync(configFolder(environment), { recursive: true }));
    const write = (keys: object): void =>
      writeFileSync(join(configFolder(environment), 'config.json'), JSON.stringify(keys));

    it('accepts keys of the specification', () => {
      write({ 'backup_paths.temp_path': '/t' });
      expect(loadConfig({}, environment)['phone_backups.temp_path']).toBe('/t');
    });

    it('rejects unknown keys', () => {
      write({ 'phone_backups.sort': 1 });
      expect(() => loadConfig({}, environment)).toThrow('unknown key “phone_backups.sort”');
    });
  });
});
