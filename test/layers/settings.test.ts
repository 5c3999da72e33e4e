import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SETTING_NAMES, SETTINGS } from '../../src-shared/contract/setting-keys.ts';

const MAIN = fileURLToPath(new URL('../../src-main/', import.meta.url));
/** Where settings are declared and stored, which reads all of them and heeds none. */
const STORES = /^platform\/config\/|^features\/settings\/(?!providers\/)|\.test\.ts$/;

it('every setting has a reader', () => {
  const sources = globSync('**/*.ts', { cwd: MAIN })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !STORES.test(file))
    .map((file) => readFileSync(join(MAIN, file), 'utf8'));
  const keys = SETTING_NAMES.map((name) => SETTINGS[name].key);
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => !sources.some((source) => source.includes(`'${key}'`)))).toEqual([]);
});
