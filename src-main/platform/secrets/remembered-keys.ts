import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePrivateFolder } from '../config/load.ts';
import { replacePrivate } from '../config/private-file.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import { idOfKeyFile, type KeyFile } from '../sealed/key-file.ts';
import { readKeyFile } from '../vault/unlock-vault.ts';
import type { Keychain } from './key-ring.ts';
import { syncFolder } from '../vault/atomic.ts';
import { openText, sealText } from './sealing.ts';

const KEY_BYTES = 32;

const stored = z.strictObject({
  format: z.literal(1),
  /** The id of the vault's key, and a hash of what its password wraps. */
  vault: z.string(),
  password: z.string(),
  /** Where the vault was: it is known by this while its disk is not connected. */
  folder: z.string().optional(),
  /** A key for this file alone, which the keychain has encrypted. */
  wrapped: z.base64(),
  /** The keys of the vault, sealed by it and bound to the names above: not every keychain notices a change. */
  sealed: z.string(),
});
type Stored = z.output<typeof stored>;

/** The keys of encrypted vaults that this computer may open without their passwords. */
export interface RememberedKeys {
  /** Whether the keys of a vault are kept under its present password. */
  has(file: KeyFile): boolean;
  /**
   * Keeps the keys of the vault in `root` in place of those from before. Throws what the keychain or the file system
   * does.
   */
  keep(root: string, file: KeyFile, keys: UnlockedKeys): void;
  /** Returns null if none are kept. Throws `RememberedKeyRefused`. */
  open(file: KeyFile): UnlockedKeys | null;
  forget(file: KeyFile): void;
}

/** The keychain does not decrypt what is kept, or it is damaged, or belongs to another key or password. */
export class RememberedKeyRefused extends Error {
  constructor(cause?: unknown) {
    super('The keychain of this computer did not open the vault.', { cause });
    this.name = 'RememberedKeyRefused';
  }
}

/** `folder` is the configuration folder: what is kept there is in no backup and no copy of the vault. */
export function createRememberedKeys({ folder, keychain }: { folder: string; keychain: Keychain }): RememberedKeys {
  return {
    has(file) {
      try {
        const kept = read(folder, file);
        return kept !== null && nameOf(kept) === nameOf(namesOf(file));
      } catch {
        return false;
      }
    },
    keep(root, file, keys) {
      const key = randomBytes(KEY_BYTES);
      const names = namesOf(file);
      const text = Buffer.concat([keys.files, keys.database]).toString('base64');
      const kept: Stored = {
        ...{ format: 1, ...names, folder: root, wrapped: keychain.wrap(key.toString('base64')).toString('base64') },
        sealed: sealText(key, nameOf(names), text),
      };
      ensurePrivateFolder(folder);
      replacePrivate(pathOf(folder, file), `${JSON.stringify(kept)}\n`);
    },
    open: (file) => open(folder, keychain, file),
    forget: (file) => forgetRememberedKey(folder, file),
  };
}

/** Removes what is kept of a vault's key, also where there is no keychain. */
export const forgetRememberedKey = (folder: string, file: KeyFile): void => removeKept(folder, [idOfKeyFile(file)]);

/**
 * Removes what the configuration folder keeps of a vault that is taken out of the list: what its keychain opens it
 * with, and the times of wrong guesses. `others` are the vaults that stay: a copy has the same key.
 */
export function forgetKeysOf(folder: string, vault: string, others: readonly string[]): void {
  const kept = new Set(others.flatMap((other) => idsOf(folder, other)));
  const ids = idsOf(folder, vault).filter((id) => !kept.has(id));
  removeKept(folder, ids, ['keychain', 'guesses']);
}

/** The ids of the key of a vault: from its key file, or, while its disk is not connected, from what is kept. */
function idsOf(folder: string, vault: string): string[] {
  try {
    const file = readKeyFile(vault);
    if (file !== null) return [idOfKeyFile(file)];
  } catch {
    // A damaged key file names nothing.
  }
  return namesIn(folder).flatMap((name) => {
    const kept = name.endsWith('.keychain') ? readOrNull(join(folder, name)) : null;
    return kept?.folder === vault ? [kept.vault] : [];
  });
}

/** Removes also what a killed process left of them. */
function removeKept(folder: string, ids: readonly string[], endings: readonly string[] = ['keychain']): void {
  const beginnings = ids.flatMap((id) => endings.map((ending) => `vault-${id}.${ending}`));
  const names = namesIn(folder).filter((name) => beginnings.some((beginning) => name.startsWith(beginning)));
  for (const name of names) rmSync(join(folder, name), { force: true });
  if (names.length > 0) syncFolder(folder);
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function readOrNull(path: string): Stored | null {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

const pathOf = (folder: string, file: KeyFile): string => join(folder, `vault-${idOfKeyFile(file)}.keychain`);

/** A password that was changed elsewhere gives other names, so that it is asked for here as well. */
const namesOf = (file: KeyFile): Pick<Stored, 'vault' | 'password'> => ({
  vault: idOfKeyFile(file),
  password: createHash('sha256').update(file.password.secret).digest('hex'),
});
const nameOf = ({ vault, password }: Pick<Stored, 'vault' | 'password'>): string => `vault-key:${vault}:${password}`;

function read(folder: string, file: KeyFile): Stored | null {
  const path = pathOf(folder, file);
  return existsSync(path) ? stored.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

function open(folder: string, keychain: Keychain, file: KeyFile): UnlockedKeys | null {
  let bytes: Buffer | null;
  try {
    const kept = read(folder, file);
    if (kept === null) return null;
    const key = Buffer.from(keychain.unwrap(Buffer.from(kept.wrapped, 'base64')), 'base64');
    const text = openText(key, nameOf(namesOf(file)), kept.sealed);
    bytes = text === null ? null : Buffer.from(text, 'base64');
  } catch (error) {
    throw new RememberedKeyRefused(error);
  }
  if (bytes?.length !== 2 * KEY_BYTES) throw new RememberedKeyRefused();
  // Copies of their own: memory that Node shares among small buffers would go to every thread.
  const keys = {
    files: Uint8Array.from(bytes.subarray(0, KEY_BYTES)),
    database: Uint8Array.from(bytes.subarray(KEY_BYTES)),
  };
  bytes.fill(0);
  return keys;
}
