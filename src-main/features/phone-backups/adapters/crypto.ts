import { createDecipheriv, createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { BackupCrypto } from '../../../../src-shared/ios-backup/index.ts';

const derive = promisify(pbkdf2);
/** Copies to a plain array, because callers slice the result and slices of a Buffer would share its memory. */
const toUint8Array = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
/** The initial value of RFC 3394, 2.2.3.1. */
const WRAP_IV = Buffer.alloc(8, 0xa6);

/** The engine's cryptography by node:crypto; derivation runs in libuv's pool. */
export const nodeCrypto: BackupCrypto = {
  pbkdf2: async (hash, password, salt, rounds, length) =>
    toUint8Array(await derive(password, salt, rounds, length, hash)),

  async unwrapKey(wrappingKey, wrapped) {
    const decipher = createDecipheriv(`id-aes${wrappingKey.length * 8}-wrap`, wrappingKey, WRAP_IV);
    try {
      const key = decipher.update(wrapped),
        unwrapped = Uint8Array.from(key);
      key.fill(0);
      decipher.final();
      return unwrapped;
    } catch {
      return null;
    }
  },

  async cbcKey(raw) {
    const key = Buffer.from(raw);
    return {
      async decrypt(iv, data) {
        return toUint8Array(
          createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv)
            .setAutoPadding(false)
            .update(data),
        );
      },
      wipe() {
        key.fill(0);
      },
    };
  },

  async sha1(data) {
    return toUint8Array(createHash('sha1').update(data).digest());
  },
};
