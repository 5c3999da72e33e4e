import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { configFolder } from './load.ts';
import { openLogFile } from './log-file.ts';

it('appends log lines to a private file in the configuration folder, and begins anew when it is too large', () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-log-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const environment = { XDG_CONFIG_HOME: place, APPDATA: place };
  const file = openLogFile(environment);
  expect(file).toBe(join(configFolder(environment), 'hearth.log'));
  writeFileSync(file, 'a line before\n');
  createLog('warn', file).warn({ port: 8080 }, 'a port is taken');
  expect(readFileSync(file, 'utf8')).toMatch(/^a line before\n\{.*"msg":"a port is taken"\}\n$/);
  writeFileSync(file, 'x'.repeat(5_000_001));
  openLogFile(environment);
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(`${file}.1`).size).toBe(5_000_001);
});
