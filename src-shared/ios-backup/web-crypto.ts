import { BLOCK_BYTES } from './format/cbc-source.ts';
import type { BackupCrypto } from './ports.ts';

const buffer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
const HASH_NAMES = { sha1: 'SHA-1', sha256: 'SHA-256' } as const;

/** Cryptography with WebCrypto, for browsers and workers. Tests compare it with node:crypto. */
export const webCrypto: BackupCrypto = {
  async pbkdf2(hash, password, salt, rounds, length) {
    const key = await crypto.subtle.importKey('raw', buffer(password), 'PBKDF2', false, ['deriveBits']);
    return new Uint8Array(
      await crypto.subtle.deriveBits(
        { name: 'PBKDF2', hash: HASH_NAMES[hash], salt: buffer(salt), iterations: rounds },
        key,
        length * 8,
      ),
    );
  },

  async unwrapKey(wrappingKey, wrapped) {
    const unwrappingKey = await crypto.subtle.importKey('raw', buffer(wrappingKey), 'AES-KW', false, ['unwrapKey']);
    try {
      const key = await crypto.subtle.unwrapKey(
        'raw',
        buffer(wrapped),
        unwrappingKey,
        'AES-KW',
        { name: 'HMAC', hash: 'SHA-256' },
        true,
        ['sign'],
      );
      return new Uint8Array(await crypto.subtle.exportKey('raw', key));
    } catch {
      return null;
    }
  },

  /** WebCrypto requires PKCS#7 padding, so a block of padding is encrypted and appended to the data. */
  async cbcKey(raw) {
    let key: Awaited<ReturnType<typeof crypto.subtle.importKey>> | null = await crypto.subtle.importKey(
      'raw',
      buffer(raw),
      'AES-CBC',
      false,
      ['encrypt', 'decrypt'],
    );
    return {
      async decrypt(iv, data) {
        if (key === null) throw new Error('the key was wiped');
        if (data.length === 0) return new Uint8Array();
        const padding = await crypto.subtle.encrypt(
          { name: 'AES-CBC', iv: buffer(data.slice(-BLOCK_BYTES)) },
          key,
          new Uint8Array(),
        );
        const padded = new Uint8Array(data.length + BLOCK_BYTES);
        padded.set(data);
        padded.set(new Uint8Array(padding), data.length);
        return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv: buffer(iv) }, key, padded));
      },
      wipe() {
        key = null;
      },
    };
  },

  async sha1(data) {
    return new Uint8Array(await crypto.subtle.digest('SHA-1', buffer(data)));
  },
};
