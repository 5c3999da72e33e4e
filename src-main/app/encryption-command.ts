import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { countPlainBackups } from '../features/vault-backups/service.ts';
import { configFolder } from '../platform/config/load.ts';
import { openDatabase } from '../platform/database/connection.ts';
import { systemClock, toTimestamp } from '../platform/kernel/clock.ts';
import { randomId } from '../platform/kernel/ids.ts';
import type { UnlockedKeys } from '../platform/kernel/process-keys.ts';
import { VAULT_PASSWORD } from '../../src-shared/contract/vault-encryption.ts';
import { changePassword, changeRecoveryKey, createKeyFile, type KeyFile } from '../platform/sealed/key-file.ts';
import { parseRecoveryKey } from '../platform/sealed/recovery-key.ts';
import { forgetRememberedKey } from '../platform/secrets/remembered-keys.ts';
import { claimVault, readHolder, type VaultClaim } from '../platform/vault/holder.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { VaultInUse } from '../platform/vault/lock.ts';
import {
  decryptVault,
  encryptVault,
  removeUnfinished,
  replaceKeyFile,
  spaceFor,
  type SwitchProgress,
} from '../platform/vault/switch-vault.ts';
import { keysUnder, lockVaultKeys, readKeyFile, useVaultKeys } from '../platform/vault/unlock-vault.ts';
import { askLine, askSecret } from './ask-secret.ts';
import type { CommandInput } from './command-input.ts';
import { passwordInFile } from './unlock.ts';

const VERBS = { encrypt, decrypt, password, 'recovery-key': recoveryKey, status };
type EncryptionVerb = keyof typeof VERBS;
/** Whether `hearth vault` has this verb for its encryption. */
export const isEncryptionVerb = (verb: string): verb is EncryptionVerb => Object.hasOwn(VERBS, verb);

/** What is not hidden, and what can be lost: said before, because nobody can undo it afterwards. */
const BEFORE = `Encrypting covers the contents of all files, the database with the search index, previews and temporary files.
It does not hide the names of folders and files, their sizes and dates. Earlier backups and what was deleted from this
disk before stay readable, and phone backups stay as they are.
Without the password and the recovery key, nobody can read the vault again.
Do not end the program by force; if that happens, run the same command again.`;

/** Runs a command about the encryption of the vault. */
export async function runEncryption(verb: EncryptionVerb, input: CommandInput): Promise<number> {
  const root = input.config['vault.path'];
  if (!existsSync(join(root, DATABASE_FILE)))
    throw new TypeError(`There is no vault in ${root}. Name one with --vault.`);
  return VERBS[verb](root, input);
}

function status(root: string, { print }: CommandInput): Promise<number> {
  const state = readKeyFile(root)?.state ?? 'off';
  print(
    {
      off: 'The vault is not encrypted.',
      on: 'The vault is encrypted.',
      encrypting:
        'The vault is partly encrypted. Finish it with: hearth vault encrypt. Undo it with: hearth vault decrypt',
      decrypting:
        'The vault is partly decrypted. Finish it with: hearth vault decrypt. Undo it with: hearth vault encrypt',
    }[state],
  );
  return Promise.resolve(0);
}

/** Encrypts a vault that is not open, or goes on with that. */
function encrypt(root: string, input: CommandInput): Promise<number> {
  return withClosedVault(root, async (claim) => {
    const before = readKeyFile(root);
    if (before?.state === 'on') throw new TypeError('The vault is encrypted already.');
    requireSpace(root);
    if (before === null) input.print(BEFORE);
    const { file, keys } = before === null ? await makeKey(input) : await requireKeys(before, input);
    await run(encryptVault(root, file, keys), { root, claim, input });
    input.print('The vault is encrypted.');
    await namePlainBackups(root, { file, keys }, input);
    return 0;
  });
}

function decrypt(root: string, input: CommandInput): Promise<number> {
  return withClosedVault(root, async (claim) => {
    const before = readKeyFile(root);
    if (before === null) throw new TypeError('The vault is not encrypted.');
    requireSpace(root);
    const { file, keys } = await requireKeys(before, input);
    await run(decryptVault(root, file, keys), { root, claim, input });
    forgetRememberedKey(configFolder(), file);
    input.print('The vault is not encrypted any more. Backups of it that were encrypted stay so.');
    return 0;
  });
}

/** Changes the password; the keys stay, so no file is written anew. */
function password(root: string, input: CommandInput): Promise<number> {
  return withClosedVault(root, async () => {
    const before = readKeyFile(root);
    if (before === null) throw new TypeError('The vault is not encrypted.');
    const { secret } = await requireKeys(before, input);
    const proof = parseRecoveryKey(secret) === null ? { password: secret } : { recoveryKey: secret };
    const file = await changePassword(before, proof, await chooseSecret(input));
    if (file === null) throw new WrongPassword();
    replaceKeyFile(root, file);
    input.print('The password is changed. The recovery key stays the same, and earlier backups keep the old password.');
    return 0;
  });
}

/** Replaces the recovery key; the keys stay, so no file is written anew. Only the password permits it. */
function recoveryKey(root: string, input: CommandInput): Promise<number> {
  return withClosedVault(root, async () => {
    const before = readKeyFile(root);
    if (before === null) throw new TypeError('The vault is not encrypted.');
    const secret = passwordInFile() ?? (await askSecret(input, 'Password of the vault: '));
    const changed = secret === null ? null : await changeRecoveryKey(before, secret);
    if (changed === null) throw new TypeError('This is not the password of the vault. Nothing was changed.');
    await showRecoveryKey(changed.recoveryKey, input);
    replaceKeyFile(root, changed.file);
    input.print(
      'The recovery key is replaced. The previous one opens only backups from before and other copies of the key file ' +
        'from then: whoever has both can still read the vault. If that may be so, decrypt the vault and encrypt it again.',
    );
    return 0;
  });
}

/** Nobody else may have the vault open: neither this computer nor another one, which sees that it is in use. */
async function withClosedVault<T>(root: string, work: (claim: VaultClaim) => Promise<T>): Promise<T> {
  const now = (): string => toTimestamp(systemClock.now());
  const claim = claimVault(root, { clock: systemClock, ids: randomId, now });
  try {
    return await work(claim);
  } finally {
    claim.release();
  }
}

/** A new secret under a password that was typed twice. The recovery key is printed once, before anything is changed. */
async function makeKey(input: CommandInput): Promise<{ file: KeyFile; keys: UnlockedKeys }> {
  const secret = passwordInFile() ?? (await chooseSecret(input));
  requireLength(secret);
  const made = await createKeyFile(secret);
  await showRecoveryKey(made.recoveryKey, input);
  const keys = await keysUnder(made.file, made.recoveryKey);
  if (keys === null) throw new Error('a new key file did not open');
  return { file: made.file, keys };
}

/** Prints a recovery key, and goes on only when it was typed back. */
async function showRecoveryKey(made: string, input: CommandInput): Promise<void> {
  input.print(`\nRecovery key, shown only now. Write it down and keep it away from this computer:\n\n  ${made}\n`);
  if (input.flags.recoveryKeyNoted) return;
  const typed = await askLine(input, 'Type the recovery key to go on: ');
  const same = typed !== null && parseRecoveryKey(typed)?.equals(parseRecoveryKey(made)!);
  if (!same) throw new TypeError('This is not the recovery key that was shown. Nothing was changed. Start again.');
}

/** A new password from the terminal. */
async function chooseSecret(input: CommandInput): Promise<string> {
  const chosen = await askSecret(input, `New password of the vault, at least ${VAULT_PASSWORD.min} characters: `);
  if (chosen === null)
    throw new TypeError('No password was given. Type it, or name a file with it in HEARTH_VAULT_PASSWORD_FILE.');
  requireLength(chosen);
  if ((await askSecret(input, 'The same password again: ')) !== chosen)
    throw new TypeError('The two passwords differ. Nothing was changed. Start again.');
  return chosen;
}

function requireLength(chosen: string): void {
  if (chosen.length < VAULT_PASSWORD.min || chosen.length > VAULT_PASSWORD.max)
    throw new TypeError(
      `The password must have ${VAULT_PASSWORD.min} to ${VAULT_PASSWORD.max} characters. Nothing was changed.`,
    );
}

async function requireKeys(
  file: KeyFile,
  input: CommandInput,
): Promise<{ file: KeyFile; keys: UnlockedKeys; secret: string }> {
  const secret = passwordInFile() ?? (await askSecret(input, 'Password of the vault, or recovery key: '));
  const keys = secret === null ? null : await keysUnder(file, secret);
  if (secret === null || keys === null) throw new WrongPassword();
  return { file, keys, secret };
}

/** Throws while there is not enough space for the new form of a file beside the old one. */
function requireSpace(root: string): void {
  removeUnfinished(root);
  const { free, needed } = spaceFor(root);
  const inMiB = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  if (free < needed)
    throw new TypeError(`The disk has ${inMiB(free)} free, and ${inMiB(needed)} are needed. Nothing was changed.`);
}

/** Prints each tenth of the way. Throws `VaultInUse` once another computer goes on with the vault. */
async function run(
  steps: Iterable<SwitchProgress>,
  { root, claim, input }: { root: string; claim: VaultClaim; input: CommandInput },
): Promise<void> {
  let tenths = -1;
  for (const { done, total } of steps) {
    const reached = Math.floor((done * 10) / total);
    if (reached > tenths) input.print(`${done} of ${total} files`);
    tenths = reached;
    // The claim is renewed between two files.
    await setImmediate();
    if (claim.trouble() === 'taken') throw new VaultInUse(readHolder(root));
  }
}

/** Backups from before are kept, and anybody who has them can read them. */
async function namePlainBackups(
  root: string,
  { file, keys }: { file: KeyFile; keys: UnlockedKeys },
  { print }: CommandInput,
): Promise<void> {
  useVaultKeys(root, file, keys);
  const db = openDatabase(join(root, DATABASE_FILE));
  try {
    const { count, folder } = countPlainBackups(db);
    if (count > 0)
      print(`Earlier backups in ${folder} that are not encrypted: ${count}. They are kept, and anybody can read them.`);
  } finally {
    db.close();
    lockVaultKeys(root);
  }
}

/** Neither the password nor the recovery key. */
class WrongPassword extends TypeError {
  constructor() {
    super('This is neither the password of the vault nor its recovery key. Nothing was changed.');
  }
}
