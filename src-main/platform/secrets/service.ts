import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Database } from '../database/connection.ts';
import { openKeyRing, type Keychain } from './key-ring.ts';
import { clearSealed } from './repository.ts';

export type { Keychain };

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D, 8.2.1: 96 bits; random ones are safe for 2^32 messages per key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
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
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `sealed:v1:${key.id}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(name, sealed) {
      const [, id, packed] = SEALED.exec(typeof sealed === 'string' ? sealed : '') ?? [];
      const key = packed === undefined ? undefined : ring.keys().find((candidate) => candidate.id === id);
      if (!key || packed === undefined) return null;
      const bytes = Buffer.from(packed, 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return null;
      }
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
