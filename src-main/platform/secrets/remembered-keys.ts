import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePrivateFolder } from '../config/load.ts';
import { replacePrivate } from '../config/private-file.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import { idOfKeyFile, type KeyFile } from '../sealed/key-file.ts';
import type { Keychain } from './key-ring.ts';
import { openText, sealText } from './sealing.ts';

const KEY_BYTES = 32;

const stored = z.strictObject({
  format: z.literal(1),
  /** The id of the vault's key, and a hash of what its password wraps. */
  vault: z.string(),
  password: z.string(),
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
  /** Keeps the keys in place of those from before. Throws what the keychain or the file system does. */
  keep(file: KeyFile, keys: UnlockedKeys): void;
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
    keep(file, keys) {
      const key = randomBytes(KEY_BYTES);
      const names = namesOf(file);
      const text = Buffer.concat([keys.files, keys.database]).toString('base64');
      const kept: Stored = {
        ...{ format: 1, ...names, wrapped: keychain.wrap(key.toString('base64')).toString('base64') },
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
export const forgetRememberedKey = (folder: string, file: KeyFile): void =>
  rmSync(pathOf(folder, file), { force: true });

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
