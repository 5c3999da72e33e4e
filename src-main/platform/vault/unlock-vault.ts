import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  forgetProcessKeys,
  keepOnlyKeysOf,
  lendVaultKeys,
  processKeys,
  setVaultKeys,
  type UnlockedKeys,
} from '../kernel/process-keys.ts';
import { fail } from '../kernel/errors.ts';
import {
  idOfKeyFile,
  NewerKeyFile,
  parseKeyFile,
  unlockByPassword,
  unlockByRecoveryKey,
  type KeyFile,
} from '../sealed/key-file.ts';
import { KEY_FILE } from './layout.ts';

/** One has less than a kilobyte. */
const MAX_KEY_FILE_BYTES = 16_384;
/** Which key of which vault this process has: a restored vault in the same place may have another one. */
const unlocked = new Map<string, string>();

/** Returns null for a vault that is not encrypted. Throws `KeyFileDamaged` and `NewerKeyFile`. */
export function readKeyFile(root: string): KeyFile | null {
  const path = join(root, KEY_FILE);
  return existsSync(path) ? readKeyFileAt(path) : null;
}

/** As `readKeyFile`, for replies. @throws `vault.key_file_damaged`, `vault.key_file_newer` */
export function keyFileOf(root: string): KeyFile | null {
  try {
    return readKeyFile(root);
  } catch (error) {
    if (error instanceof KeyFileDamaged || error instanceof NewerKeyFile) throw fail(error.code, undefined, error);
    throw error;
  }
}

/** Reads a key file that may come from somebody else. Throws `KeyFileDamaged` and `NewerKeyFile`. */
export function readKeyFileAt(path: string): KeyFile {
  if (statSync(path).size > MAX_KEY_FILE_BYTES) throw new KeyFileDamaged();
  try {
    return parseKeyFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw error instanceof NewerKeyFile ? error : new KeyFileDamaged(error);
  }
}

/** The file with the wrapped secret can't be read, and without it nothing else can. */
export class KeyFileDamaged extends Error {
  readonly code = 'vault.key_file_damaged';

  constructor(cause?: unknown) {
    super(`The key file of the vault (${KEY_FILE}) is damaged. Take it from a backup of this vault.`, { cause });
    this.name = 'KeyFileDamaged';
  }
}

/** The keys under a password or a recovery key; null for a wrong one. */
export const keysUnder = async (file: KeyFile, secret: string): Promise<UnlockedKeys | null> =>
  unlockByRecoveryKey(file, secret) ?? (await unlockByPassword(file, secret));

/** Whether this process can read the vault; one that is not encrypted needs nothing for that. */
export function isUnlocked(root: string): boolean {
  const file = readKeyFile(root);
  if (file === null) lockVaultKeys(root);
  return file === null || unlocked.get(root) === idOfKeyFile(file);
}

/** Lets this process read the vault. Returns false for a wrong password or recovery key. */
export async function unlockVault(root: string, secret: string): Promise<boolean> {
  const file = readKeyFile(root);
  const keys = file && (await keysUnder(file, secret));
  if (!file || !keys) return file === null;
  useVaultKeys(root, file, keys);
  return true;
}

/** Remembers the keys of a vault, or of one that is being unpacked. */
export function useVaultKeys(root: string, file: KeyFile, keys: UnlockedKeys): void {
  for (const folder of namesOf(root)) setVaultKeys(folder, keys);
  unlocked.set(root, idOfKeyFile(file));
}

/** Lets this process read a vault also in the folder that it was moved to. */
export function shareUnlocked(root: string, target: string): void {
  const id = unlocked.get(root);
  if (id === undefined) return;
  for (const folder of namesOf(target)) lendVaultKeys(root, folder);
  unlocked.set(target, id);
}

/** Forgets the keys of a vault. */
export function lockVaultKeys(root: string): void {
  if (!unlocked.delete(root)) return;
  for (const folder of namesOf(root)) setVaultKeys(folder, null);
}

/** Forgets the keys of every vault, with those of copies and of folders that they were lent to. */
export function lockAllVaults(): void {
  unlocked.clear();
  forgetProcessKeys();
}

/** Forgets the keys of every other vault, once the vault in this folder was opened in its place. */
export function lockOtherVaults(root: string): void {
  keepOnlyKeysOf(root);
  for (const folder of unlocked.keys()) if (!Object.hasOwn(processKeys(), folder)) unlocked.delete(folder);
}

/** Files are named by the real path, the database by that of the configuration. */
const namesOf = (root: string): Set<string> => new Set([root, ...(existsSync(root) ? [realpathSync(root)] : [])]);
