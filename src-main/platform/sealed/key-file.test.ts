import { expect, it } from 'vitest';
import { ZodError } from 'zod';
import {
  changePassword,
  changeRecoveryKey,
  createKeyFile,
  idOfKeyFile,
  NewerKeyFile,
  parseKeyFile,
  unlockByPassword,
  unlockByRecoveryKey,
} from './key-file.ts';

const PASSWORD = 'correct horse battery';

it('unlocks by password and by recovery key with the same keys, also after the file was stored', async () => {
  const { file, recoveryKey } = await createKeyFile(PASSWORD);
  const stored = parseKeyFile(JSON.stringify(file));
  const byPassword = await unlockByPassword(stored, PASSWORD);
  const byRecovery = unlockByRecoveryKey(stored, recoveryKey.toLowerCase());
  expect(byPassword?.database).toHaveLength(32);
  expect(byRecovery?.database).toEqual(byPassword!.database);
  expect(Buffer.from(byRecovery!.files).equals(byPassword!.files)).toBe(true);
  expect(Buffer.from(byPassword!.files).equals(byPassword!.database)).toBe(false);
});

it('gives nothing for a wrong password or recovery key', async () => {
  const { file } = await createKeyFile(PASSWORD);
  const other = await createKeyFile(PASSWORD);
  expect(await unlockByPassword(file, `${PASSWORD}!`)).toBeNull();
  expect(unlockByRecoveryKey(file, other.recoveryKey)).toBeNull();
  expect(unlockByRecoveryKey(file, 'nonsense')).toBeNull();
  expect(await unlockByPassword({ ...file, password: { ...file.password, secret: 'AAAA' } }, PASSWORD)).toBeNull();
});

it('accepts a password in any composition of its letters', async () => {
  const { file } = await createKeyFile('Zürich im Frühling');
  expect(await unlockByPassword(file, 'Zürich im Frühling'.normalize('NFD'))).not.toBeNull();
});

it('changes the password by the old one or the recovery key, and keeps the keys', async () => {
  const { file, recoveryKey } = await createKeyFile(PASSWORD);
  const before = await unlockByPassword(file, PASSWORD);
  const changed = (await changePassword(file, { password: PASSWORD }, 'heather on the slope'))!;
  expect(await unlockByPassword(changed, 'heather on the slope')).toEqual(before);
  expect(await unlockByPassword(changed, PASSWORD)).toBeNull();
  const again = (await changePassword(changed, { recoveryKey }, 'third pass phrase'))!;
  expect(await unlockByPassword(again, 'third pass phrase')).toEqual(before);
  expect(await changePassword(file, { password: 'wrong' }, 'x')).toBeNull();
  expect(await changePassword(file, { recoveryKey: 'wrong' }, 'x')).toBeNull();
});

it.each(['with', 'without'])('replaces the recovery key of a file %s an id, keeps keys and id', async (kind) => {
  const made = await createKeyFile(PASSWORD);
  const { id: _id, ...old } = made.file;
  const file = kind === 'with' ? made.file : parseKeyFile(JSON.stringify(old));
  const before = unlockByRecoveryKey(file, made.recoveryKey);
  const changed = (await changeRecoveryKey(file, PASSWORD))!;
  const stored = parseKeyFile(JSON.stringify(changed.file));
  expect(unlockByRecoveryKey(stored, changed.recoveryKey)).toEqual(before);
  expect(await unlockByPassword(stored, PASSWORD)).toEqual(before);
  expect(unlockByRecoveryKey(stored, made.recoveryKey)).toBeNull();
  expect(await changePassword(stored, { recoveryKey: made.recoveryKey }, 'third pass phrase')).toBeNull();
  // What the old recovery key opens must not be in the file under another name.
  expect(JSON.stringify(stored)).not.toContain(file.recovery.secret);
  expect(idOfKeyFile(stored)).toBe(idOfKeyFile(file));
  expect(idOfKeyFile((await changeRecoveryKey(stored, PASSWORD))!.file)).toBe(idOfKeyFile(file));
  expect(await changeRecoveryKey(file, 'wrong horse battery')).toBeNull();
});

it('refuses a file whose cost would take all memory', async () => {
  const { file } = await createKeyFile(PASSWORD);
  const hostile = { ...file, password: { ...file.password, memory: 2 ** 31 } };
  expect(() => parseKeyFile(JSON.stringify(hostile))).toThrow();
});

it('tells a file of a newer version from a damaged one, and refuses what argon2 can’t use', async () => {
  const { file } = await createKeyFile(PASSWORD);
  expect(() => parseKeyFile(JSON.stringify({ ...file, format: 2, password: { kind: 'another' } }))).toThrow(
    NewerKeyFile,
  );
  for (const salt of ['', 'AAAA', 'AAAAAAAAAA==']) {
    const damaged = JSON.stringify({ ...file, password: { ...file.password, salt } });
    expect(() => parseKeyFile(damaged)).toThrow(ZodError);
  }
});
