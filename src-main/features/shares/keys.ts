import { createHash, createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { openText, sealText } from '../../platform/secrets/sealing.ts';

const KEY_BYTES = 32;
/** OWASP's choice for scrypt with 16 MiB: N 2^14, r 8; p 1, because the key of the vault is needed as well. */
const SLOW = { N: 2 ** 14, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** What protects the secrets of shares. All keys derive from that of the vault, so both modes have them. */
export interface ShareKeys {
  /** Links and cookies have 256 random bits, so a fast hash can't be reversed. */
  hashSecret(secret: string): string;
  /** A name under which limits count an address or a link. */
  keyOf(text: string): string;
  sealLink(shareId: string, token: string): string;
  openLink(shareId: string, sealed: string): string | null;
  sealCode(shareId: string, code: string): string;
  openCode(shareId: string, sealed: string): string | null;
  hashCode(shareId: string, code: string): Promise<string>;
  /** Takes as long without a hash. */
  codeMatches(shareId: string, code: string, hash: string | null): Promise<boolean>;
}

export function createShareKeys(vaultKey: Buffer): ShareKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', vaultKey, Buffer.alloc(0), `share ${purpose}`, KEY_BYTES));
  const [link, code, pepper, counted] = ['link', 'code', 'code hash', 'limit'].map(derive) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  /** Six digits can be counted through, so the slow hash takes the key of the vault as well. */
  const slowHash = (shareId: string, text: string, salt: Buffer): Promise<Buffer> => {
    const keyed = createHmac('sha256', pepper).update(`${shareId}\n${text}`).digest();
    return new Promise((resolve, reject) =>
      scrypt(keyed, salt, HASH_BYTES, SLOW, (error, hash) => (error ? reject(error) : resolve(hash))),
    );
  };
  return {
    hashSecret: (secret) => createHash('sha256').update(secret).digest('base64url'),
    keyOf: (text) => createHmac('sha256', counted).update(text).digest('base64url'),
    sealLink: (shareId, token) => sealText(link, shareId, token),
    openLink: (shareId, sealed) => openText(link, shareId, sealed),
    sealCode: (shareId, text) => sealText(code, shareId, text),
    openCode: (shareId, sealed) => openText(code, shareId, sealed),
    async hashCode(shareId, text) {
      const salt = randomBytes(SALT_BYTES);
      return [salt, await slowHash(shareId, text, salt)].map((part) => part.toString('base64url')).join('.');
    },
    async codeMatches(shareId, text, hash) {
      const [salt = '', expected = ''] = hash?.split('.') ?? [];
      const actual = await slowHash(shareId, text, Buffer.from(salt, 'base64url'));
      const wanted = Buffer.from(expected, 'base64url');
      return wanted.length === actual.length && timingSafeEqual(wanted, actual);
    },
  };
}
