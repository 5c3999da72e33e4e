import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testKeychain } from '../../../test/fakes/keychain.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import {
  changePassword,
  changeRecoveryKey,
  createKeyFile,
  unlockByRecoveryKey,
  type KeyFile,
} from '../sealed/key-file.ts';
import { createRememberedKeys, forgetRememberedKey, RememberedKeyRefused } from './remembered-keys.ts';

const PASSWORD = 'correct horse battery';
let folder: string, file: KeyFile, keys: UnlockedKeys;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-remembered-'));
  const made = await createKeyFile(PASSWORD);
  file = made.file;
  keys = unlockByRecoveryKey(file, made.recoveryKey)!;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const remembered = (keychain = testKeychain('ann')) => createRememberedKeys({ folder, keychain });
const path = (): string => join(folder, readdirSync(folder)[0]!);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it('keeps the keys for their owner only, in a file that shows none of them', () => {
  expect([remembered().has(file), remembered().open(file)]).toEqual([false, null]);
  remembered().keep(file, keys);
  expect([remembered().has(file), remembered().open(file)]).toEqual([
    true,
    { files: Uint8Array.from(keys.files), database: Uint8Array.from(keys.database) },
  ]);
  if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
  const text = readFileSync(path(), 'utf8');
  for (const key of [keys.files, keys.database]) expect(text).not.toContain(textOf(key));
  expect(readdirSync(folder)).toHaveLength(1);
});

it('is not opened by the keychain of another computer or account', () => {
  remembered().keep(file, keys);
  expect(() => remembered(testKeychain('ben')).open(file)).toThrow(RememberedKeyRefused);
  // Some keychains decrypt what another one has encrypted to something else, instead of refusing it.
  const lying = { ...testKeychain('ann'), unwrap: () => Buffer.alloc(32).toString('base64') };
  expect(() => remembered(lying).open(file)).toThrow(RememberedKeyRefused);
  expect(remembered().open(file)).not.toBeNull();
});

it('opens another vault neither under its own name nor under that of the first one', async () => {
  remembered().keep(file, keys);
  const other = await createKeyFile(PASSWORD);
  expect([remembered().has(other.file), remembered().open(other.file)]).toEqual([false, null]);
  writeFileSync(path().replace(file.id!, other.file.id!), readFileSync(path()));
  expect(remembered().has(other.file)).toBe(false);
  expect(() => remembered().open(other.file)).toThrow(RememberedKeyRefused);
});

it('opens the vault after another recovery key, and not after a password that was changed elsewhere', async () => {
  remembered().keep(file, keys);
  const { file: recovered } = (await changeRecoveryKey(file, PASSWORD))!;
  expect([remembered().has(recovered), remembered().open(recovered)]).toEqual([true, expect.anything()]);
  const changed = (await changePassword(file, { password: PASSWORD }, 'heather on the slope'))!;
  expect(remembered().has(changed)).toBe(false);
  expect(() => remembered().open(changed)).toThrow(RememberedKeyRefused);
  // The names in it can be changed by hand, what is sealed can't.
  remembered().keep(changed, keys);
  const names = JSON.parse(readFileSync(path(), 'utf8'));
  remembered().keep(file, keys);
  writeFileSync(path(), JSON.stringify({ ...JSON.parse(readFileSync(path(), 'utf8')), password: names.password }));
  expect(() => remembered().open(changed)).toThrow(RememberedKeyRefused);
});

it('refuses a file that is damaged or cut off, and replaces it', () => {
  remembered().keep(file, keys);
  const whole = readFileSync(path(), 'utf8');
  const { sealed, wrapped } = JSON.parse(whole);
  const damaged = [
    ...['', '{', whole.slice(0, -10), 'null'],
    whole.replace(sealed, sealed.slice(0, -4)),
    whole.replace(wrapped, wrapped.slice(8)),
  ];
  for (const text of damaged) {
    writeFileSync(path(), text);
    expect(() => remembered().open(file)).toThrow(RememberedKeyRefused);
  }
  remembered().keep(file, keys);
  expect(remembered().open(file)).not.toBeNull();
});

it('forgets the keys, also where there are none and without a keychain', () => {
  remembered().keep(file, keys);
  remembered().forget(file);
  expect([readdirSync(folder), remembered().open(file)]).toEqual([[], null]);
  remembered().keep(file, keys);
  forgetRememberedKey(folder, file);
  forgetRememberedKey(folder, file);
  expect(readdirSync(folder)).toEqual([]);
});
