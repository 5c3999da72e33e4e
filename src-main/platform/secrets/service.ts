import type { Database } from '../database/connection.ts';
import { openKeyRing, type Keychain } from './key-ring.ts';
import { clearSealed } from './repository.ts';
import { openText, sealText } from './sealing.ts';

export type { Keychain };

const SEALED = /^sealed:v1:([0-9a-f]{12}):([\w-]+)$/;

/**
 * Passwords and keys for other services, encrypted at rest. Plain text is passed only to the code that uses it, never
 * to the API or the log.
 */
export interface Secrets {
  /** Encrypts a text bound to `name`; it can't be opened under another name. */
  seal(name: string, text: string): string;
  /** Returns the text, or null if this machine lacks the key or the name differs. */
  open(name: string, sealed: unknown): string | null;
  /** Exports the keys for a backup that includes secrets; anyone who has them can read every secret. */
  exportKeys(): string;
  /** Makes the secrets of such a backup readable here. */
  importKeys(lines: string): void;
}

/** `folder` is the configuration folder; it is created when the first secret is saved. */
export function createSecrets(options: { folder: string; keychain: Keychain | null }): Secrets {
  const ring = openKeyRing(options);
  return {
    seal(name, text) {
      const key = ring.keys()[0];
      if (!key) throw new Error('There is no key to seal with.');
      return `sealed:v1:${key.id}:${sealText(key.bytes, name, text)}`;
    },
    open(name, sealed) {
      const [, id, packed] = SEALED.exec(typeof sealed === 'string' ? sealed : '') ?? [];
      const key = packed === undefined ? undefined : ring.keys().find((candidate) => candidate.id === id);
      return key && packed !== undefined ? openText(key.bytes, name, packed) : null;
    },
    exportKeys: () =>
      ring
        .keys()
        .map((key) => key.bytes.toString('base64'))
        .join('\n'),
    importKeys: (lines) => ring.add(lines),
  };
}

/** True for a result of `seal`. */
export const isSealed = (value: unknown): boolean => typeof value === 'string' && SEALED.test(value);

/**
 * Removes every sealed secret from a copy of the database, for backups without secrets: rows of `settings`, fields of
 * `providers.settings`. Password hashes are kept, because users must be able to sign in after a restore.
 */
export const withoutSecrets = (copy: Database): void => clearSealed(copy, isSealed);
