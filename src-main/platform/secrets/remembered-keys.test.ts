import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testKeychain } from '../../../test/fakes/keychain.ts';
import { fsError, withFs } from '../../../test/support/fs-faults.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import {
  changePassword,
  changeRecoveryKey,
  createKeyFile,
  unlockByRecoveryKey,
  type KeyFile,
} from '../sealed/key-file.ts';
import { keepGuessTimes } from './guess-times.ts';
import { createRememberedKeys, forgetKeysOf, forgetRememberedKey, RememberedKeyRefused } from './remembered-keys.ts';

const PASSWORD = 'correct horse battery';
let place: string, folder: string, root: string, file: KeyFile, keys: UnlockedKeys;

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'hearth-remembered-'));
  [folder, root] = [join(place, 'config'), join(place, 'vault')];
  for (const made of [folder, root]) mkdirSync(made);
  const made = await createKeyFile(PASSWORD);
  file = made.file;
  keys = unlockByRecoveryKey(file, made.recoveryKey)!;
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const remembered = (keychain = testKeychain('ann')) => createRememberedKeys({ folder, keychain });
const path = (): string => join(folder, readdirSync(folder)[0]!);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it('keeps the keys for their owner only, in a file that shows none of them', () => {
  expect([remembered().has(file), remembered().open(file)]).toEqual([false, null]);
  remembered().keep(root, file, keys);
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
  remembered().keep(root, file, keys);
  expect(() => remembered(testKeychain('ben')).open(file)).toThrow(RememberedKeyRefused);
  // Some keychains decrypt what another one has encrypted to something else, instead of refusing it.
  const lying = { ...testKeychain('ann'), unwrap: () => Buffer.alloc(32).toString('base64') };
  expect(() => remembered(lying).open(file)).toThrow(RememberedKeyRefused);
  expect(remembered().open(file)).not.toBeNull();
});

it('opens another vault neither under its own name nor under that of the first one', async () => {
  remembered().keep(root, file, keys);
  const other = await createKeyFile(PASSWORD);
  expect([remembered().has(other.file), remembered().open(other.file)]).toEqual([false, null]);
  writeFileSync(path().replace(file.id!, other.file.id!), readFileSync(path()));
  expect(remembered().has(other.file)).toBe(false);
  expect(() => remembered().open(other.file)).toThrow(RememberedKeyRefused);
});

it('opens the vault after another recovery key, and not after a password that was changed elsewhere', async () => {
  remembered().keep(root, file, keys);
  const { file: recovered } = (await changeRecoveryKey(file, PASSWORD))!;
  expect([remembered().has(recovered), remembered().open(recovered)]).toEqual([true, expect.anything()]);
  const changed = (await changePassword(file, { password: PASSWORD }, 'heather on the slope'))!;
  expect(remembered().has(changed)).toBe(false);
  expect(() => remembered().open(changed)).toThrow(RememberedKeyRefused);
  // The names in it can be changed by hand, what is sealed can't.
  remembered().keep(root, changed, keys);
  const names = JSON.parse(readFileSync(path(), 'utf8'));
  remembered().keep(root, file, keys);
  writeFileSync(path(), JSON.stringify({ ...JSON.parse(readFileSync(path(), 'utf8')), password: names.password }));
  expect(() => remembered().open(changed)).toThrow(RememberedKeyRefused);
});

it('refuses a file that is damaged or cut off, and replaces it', () => {
  remembered().keep(root, file, keys);
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
  remembered().keep(root, file, keys);
  expect(remembered().open(file)).not.toBeNull();
});

it('forgets the keys, also where there are none and without a keychain', () => {
  remembered().keep(root, file, keys);
  remembered().forget(file);
  expect([readdirSync(folder), remembered().open(file)]).toEqual([[], null]);
  remembered().keep(root, file, keys);
  forgetRememberedKey(folder, file);
  forgetRememberedKey(folder, file);
  expect(readdirSync(folder)).toEqual([]);
});

const left = (): string[] => readdirSync(folder).sort();
const store = (vault: string): void => writeFileSync(join(vault, 'vault-key.json'), JSON.stringify(file));

it('forgets also what a killed program left of it', () => {
  writeFileSync(join(folder, `vault-${file.id}.keychain.4711`), 'the same keys');
  remembered().keep(root, file, keys);
  forgetRememberedKey(folder, file);
  expect(left()).toEqual([]);
});

it('leaves nothing of a file that could not be written whole', () => {
  const full = {
    fsyncSync: () => {
      throw fsError('ENOSPC');
    },
  };
  expect(() => withFs(full, () => remembered().keep(root, file, keys))).toThrow('ENOSPC');
  expect(left()).toEqual([]);
  // A disk that becomes full takes a part of what is written, and reports how much.
  const { writeSync } = fs;
  const short = ((handle: number, data: Buffer, from: number, length: number) =>
    writeSync(handle, data, from, Math.min(length, 100))) as typeof fs.writeSync;
  withFs({ writeSync: short }, () => remembered().keep(root, file, keys));
  expect(remembered().open(file)).not.toBeNull();
});

it('goes with its vault, whether the disk of that is connected or not, and not with a copy of it', async () => {
  const copy = join(place, 'copy');
  mkdirSync(copy);
  for (const vault of [root, copy]) store(vault);
  keepGuessTimes(folder, root).write([1]);
  remembered().keep(root, file, keys);
  const both = [`vault-${file.id}.guesses`, `vault-${file.id}.keychain`];
  forgetKeysOf(folder, root, [copy]);
  expect(left()).toEqual(both);
  forgetKeysOf(folder, join(place, 'another'), [root]);
  expect(left()).toEqual(both);
  forgetKeysOf(folder, copy, [join(place, 'another')]);
  expect(left()).toEqual([]);
  remembered().keep(root, file, keys);
  rmSync(root, { recursive: true });
  forgetKeysOf(folder, copy, [root]);
  expect(left()).toEqual(both.slice(1));
  forgetKeysOf(folder, root, []);
  expect([left(), existsSync(copy)]).toEqual([[], true]);
});
