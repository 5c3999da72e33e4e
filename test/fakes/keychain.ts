import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Keychain } from '../../src-main/platform/secrets/service.ts';

/** A keychain of one account: it encrypts, and refuses what another account has encrypted, as those of systems do. */
export function testKeychain(account: string): Keychain {
  const key = createHash('sha256').update(account).digest();
  return {
    wrap(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    unwrap(wrapped) {
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(wrapped.subarray(-16));
      return Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()]).toString('utf8');
    },
  };
}
