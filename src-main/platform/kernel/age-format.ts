import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/**
 * The file format of age, version 1 (C2SP, age.md): a header that wraps a file key to one X25519 recipient, and a payload
 * in chunks of 64 KiB that are authenticated one by one (STREAM), so any of them can be read alone. Written here over
 * Node's own ciphers, because libraries for age neither seek nor read synchronously; any age program reads the files.
 */

export const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const NONCE_BYTES = 16;
const FILE_KEY_BYTES = 16;
const MARK_BYTES = 16;
const VERSION_LINE = 'age-encryption.org/v1\n';
const X25519_LABEL = 'age-encryption.org/v1/X25519';
/** DER of a raw X25519 key (RFC 8410): the bytes before the key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
const hkdf = (key: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32));
const rawPublic = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);

/** The key pair of a vault. Whoever has it reads and writes every file. */
export interface VaultKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Raw public key. Kept secret as well, so that nobody can add files that look like the vault's own. */
  recipient: Buffer;
  /**
   * How every file of the vault begins: a stanza of ours names the vault, so that a damaged file is never taken for a
   * paper that is itself a file of age. Other programs skip stanzas that they don't know.
   */
  start: string;
}

/** The key pair of 32 secret bytes. */
export function vaultKeyOf(secret: Uint8Array): VaultKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  const mark = hkdf(secret, Buffer.alloc(0), 'hearth vault mark').subarray(0, MARK_BYTES);
  const start = `${VERSION_LINE}-> hearth-vault ${b64(mark)}\n\n`;
  return { privateKey, publicKey, recipient: rawPublic(publicKey), start };
}

/** The length is the same for every file, so the size of the content follows from that of the file. */
export const HEADER_BYTES =
  VERSION_LINE.length +
  ('-> hearth-vault '.length + 22 + 2) +
  ('-> X25519 '.length + 43 + 1 + 43 + 1) +
  ('--- '.length + 43 + 1) +
  NONCE_BYTES;

/** The bytes before the first chunk, and the key of the chunks. */
export interface SealedHeader {
  header: Buffer;
  payloadKey: Buffer;
}

/** Makes the header of a new file. */
export function makeHeader({ publicKey, recipient, start }: VaultKey): SealedHeader {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const ephemeral = generateKeyPairSync('x25519');
  const share = rawPublic(ephemeral.publicKey);
  const wrapKey = wrapKeyOf(diffieHellman({ privateKey: ephemeral.privateKey, publicKey }), share, recipient);
  const wrapped = encryptOnce(wrapKey, fileKey);
  const text = `${start}-> X25519 ${b64(share)}\n${b64(wrapped)}\n---`;
  const nonce = randomBytes(NONCE_BYTES);
  return {
    header: Buffer.concat([Buffer.from(`${text} ${b64(headerMac(fileKey, text))}\n`), nonce]),
    payloadKey: hkdf(fileKey, nonce, 'payload'),
  };
}

const REST_OF_HEADER = /^-> X25519 ([A-Za-z0-9+/]{43})\n([A-Za-z0-9+/]{43})\n--- ([A-Za-z0-9+/]{43})\n$/;

/** Whether a file begins like those of this vault. */
export const looksSealed = (bytes: Buffer, { start }: VaultKey): boolean =>
  bytes.subarray(0, start.length).toString('latin1') === start;

/** Reads a header; null if it is not one of this key. */
export function openHeader(bytes: Buffer, { privateKey, recipient, start }: VaultKey): SealedHeader | null {
  const header = bytes.subarray(0, HEADER_BYTES);
  const text = header.subarray(0, HEADER_BYTES - NONCE_BYTES).toString('latin1');
  const match = text.startsWith(start) ? REST_OF_HEADER.exec(text.slice(start.length)) : null;
  if (header.length < HEADER_BYTES || !match) return null;
  const [share, wrapped, mac] = match.slice(1).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer, Buffer];
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, share]), format: 'der', type: 'spki' });
    const fileKey = decryptOnce(wrapKeyOf(diffieHellman({ privateKey, publicKey }), share, recipient), wrapped);
    const authenticated = text.slice(0, text.lastIndexOf('---') + 3);
    if (!timingSafeEqual(headerMac(fileKey, authenticated), mac)) return null;
    return { header, payloadKey: hkdf(fileKey, header.subarray(HEADER_BYTES - NONCE_BYTES), 'payload') };
  } catch {
    return null;
  }
}

const wrapKeyOf = (shared: Uint8Array, share: Uint8Array, recipient: Uint8Array): Buffer =>
  hkdf(shared, Buffer.concat([share, recipient]), X25519_LABEL);

const headerMac = (fileKey: Uint8Array, text: string): Buffer =>
  createHmac('sha256', hkdf(fileKey, Buffer.alloc(0), 'header'))
    .update(text)
    .digest();

const encryptOnce = (key: Uint8Array, plain: Uint8Array): Buffer => sealChunk(key, Buffer.alloc(12), plain);
const decryptOnce = (key: Uint8Array, sealed: Buffer): Buffer => openChunk(key, Buffer.alloc(12), sealed);

/** The nonce of a chunk: its number, and whether it is the last one, so that a file can't be cut short unnoticed. */
export function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts a chunk with ChaCha20-Poly1305; the tag of 16 bytes follows it (age-encryption.org/v1). */
export function sealChunk(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws if a bit of it has changed */
export function openChunk(key: Uint8Array, nonce: Uint8Array, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
}

/** The size of the content of a sealed file; null for a size that no sealed file has. */
export function contentSize(fileSize: number): number | null {
  const payload = fileSize - HEADER_BYTES;
  if (payload < TAG_BYTES) return null;
  const chunks = Math.ceil(payload / SEALED_CHUNK_BYTES);
  const size = payload - chunks * TAG_BYTES;
  // The last chunk is empty only in an empty file.
  if (payload % SEALED_CHUNK_BYTES === TAG_BYTES && chunks > 1) return null;
  return size < (chunks - 1) * CHUNK_BYTES ? null : size;
}

/** The size of the sealed file of such a content. */
export const sealedSize = (size: number): number =>
  HEADER_BYTES + size + Math.max(1, Math.ceil(size / CHUNK_BYTES)) * TAG_BYTES;
