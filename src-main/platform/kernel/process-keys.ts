import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { vaultKeyOf, type VaultKey } from './age-format.ts';

/** The secrets of an unlocked vault. */
export interface UnlockedKeys {
  files: Uint8Array;
  database: Uint8Array;
}
/** Unlocked vaults of this process by their folder. Threads get a copy when they start, processes with their first message. */
export type ProcessKeys = Readonly<Record<string, UnlockedKeys>>;

const NAME = 'hearth.vault-keys';
let derived = new Map<string, VaultKey>();

/** The keys that this process and its threads share; none in a process that was not given any. */
export const processKeys = (): ProcessKeys => (getEnvironmentData(NAME) as ProcessKeys | undefined) ?? {};

/** Takes over the keys of the process that started this one. */
export function adoptProcessKeys(keys: ProcessKeys): void {
  setEnvironmentData(NAME, keys);
  derived = new Map();
}

/** Lets this process and its threads read and write the vault in this folder; null locks it. */
export function setVaultKeys(root: string, keys: UnlockedKeys | null): void {
  const { [root]: _before, ...others } = processKeys();
  adoptProcessKeys(keys === null ? others : { ...others, [root]: keys });
}

/** Forgets every key of this process, and overwrites it. Threads and processes that still run keep theirs. */
export function forgetProcessKeys(): void {
  Object.values(processKeys()).forEach(overwrite);
  adoptProcessKeys({});
}

function overwrite({ files, database }: UnlockedKeys): void {
  for (const key of [files, database]) key.fill(0);
}

/** Forgets and overwrites every key but that of the vault in this folder, and of folders that it was lent to. */
export function keepOnlyKeysOf(root: string): void {
  const kept = processKeys()[root];
  const isKept = (keys: UnlockedKeys): boolean => keys.files === kept?.files;
  const entries = Object.entries(processKeys());
  for (const [, keys] of entries) if (!isKept(keys)) overwrite(keys);
  adoptProcessKeys(Object.fromEntries(entries.filter(([, keys]) => isKept(keys))));
}

/** Lets files in another folder be read and written like those of a vault: a copy of its database, for example. */
export function lendVaultKeys(root: string, to: string): void {
  const keys = processKeys()[root];
  if (keys) setVaultKeys(to, keys);
}

const rootOf = (path: string): string | undefined =>
  Object.keys(processKeys()).find((root) => path === root || path.startsWith(root + sep));

/** The key of the database in an unlocked vault, or of a copy of it there; null elsewhere. */
export function databaseKeyFor(path: string): Uint8Array | null {
  const root = rootOf(path);
  return root === undefined ? null : (processKeys()[root]?.database ?? null);
}

/** Names the key of an unlocked vault without telling anything of it; null for a vault that is not encrypted. */
export function keyIdOf(root: string): string | null {
  const key = fileKeyFor(root);
  return key && createHash('sha256').update(key.start).digest('hex').slice(0, 32);
}

/** The key with which files of an unlocked vault are sealed; null where files are stored as they are. */
export function fileKeyFor(path: string): VaultKey | null {
  const root = rootOf(path);
  if (root === undefined) return null;
  const known = derived.get(root);
  if (known) return known;
  const key = vaultKeyOf(processKeys()[root]!.files);
  derived.set(root, key);
  return key;
}
