import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readOrMakePrivate } from './private-file.ts';

/** Signs opaque values. The key is stored beside the database, readable by its owner only. */
export interface Signer {
  /** `value.time.signature`; time in seconds. */
  sign(value: string, nowMs: number): string;
  /** Returns the value, or null when the signature does not match or is older than `maxAgeMs`. */
  verify(signed: string, nowMs: number, maxAgeMs: number): string | null;
}

const KEY_BYTES = 32;

/** Reads or creates the key of a vault; two processes that start at the same time agree on one key. */
export function openSecretKey(folder: string): Buffer {
  const text = readOrMakePrivate(join(folder, 'secret.key'), () => randomBytes(KEY_BYTES).toString('base64'));
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(
      'The file secret.key of the vault is damaged. Move it away to have a new one made; everybody ' +
        'must then sign in again.',
    );
  return key;
}

/** HMAC-SHA-256 over value and time. */
export function createSigner(key: Buffer, purpose: string): Signer {
  const secret = createSecretKey(key);
  const mac = (text: string) => createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');
  return {
    sign(value, nowMs) {
      const body = `${value}.${Math.floor(nowMs / 1000).toString(36)}`;
      return `${body}.${mac(body)}`;
    },
    verify(signed, nowMs, maxAgeMs) {
      const parts = signed.split('.');
      const [value, time, signature] = parts;
      if (parts.length !== 3 || !value || !time || !signature) return null;
      const expected = Buffer.from(mac(`${value}.${time}`));
      const actual = Buffer.from(signature);
      if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return null;
      const age = nowMs - Number.parseInt(time, 36) * 1000;
      return age >= -60_000 && age <= maxAgeMs ? value : null;
    },
  };
}
