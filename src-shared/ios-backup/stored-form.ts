import { BLOCK_BYTES } from './format/cbc-source.ts';
import type { ByteSource } from './ports.ts';

/** How a backup stores the files that have a key, as far as its manifest and keybag show. */
export type Storage =
  /** The manifest is encrypted, and so are its files. */
  | 'encrypted'
  /** The manifest was never encrypted (before iOS 10.2). Its files are, unless another program decrypted them. */
  | 'undecided'
  /** The manifest has a key but is plain: another program decrypted the backup. */
  | 'decrypted'
  /** There are no class keys, so nothing can be decrypted. */
  | 'without_keys';

/** A file as the manifest describes it. */
interface ClaimedFile {
  relativePath: string;
  size: number | null;
}

const HEAD_BYTES = 512;
/** Beginnings of common formats, with the position at which each starts. Random bytes match none of them. */
const SIGNATURES: readonly (readonly [bytes: string, at: number])[] = [
  ['SQLite format 3\0', 0],
  ['bplist0', 0],
  ['%PDF-', 0],
  ['\x89PNG\r\n\x1a\n', 0],
  ['GIF8', 0],
  ['RIFF', 0],
  ['PK\x03\x04', 0],
  ['ftyp', 4],
  ['caff', 0],
  ['#!AMR', 0],
  ['OggS', 0],
  ['II*\0', 0],
  ['MM\0*', 0],
];
/** Shorter beginnings, which count only for files with such a name. */
const SIGNATURES_BY_NAME: readonly (readonly [name: RegExp, bytes: string])[] = [
  [/\.(jpe?g|thm)$/i, '\xff\xd8\xff'],
  [/\.(gz|tgz)$/i, '\x1f\x8b\x08'],
  [/\.mp3$/i, 'ID3'],
];

/** Whether a file of this size has that many bytes once it is encrypted: PKCS#7 adds 1 to 16. */
export function hasEncryptedSize(size: number | null, blobSize: number): boolean {
  if (blobSize % BLOCK_BYTES !== 0) return false;
  return size === null || (blobSize - size >= 1 && blobSize - size <= BLOCK_BYTES);
}

/** Like `isStoredPlain`, from the sizes alone. */
export function hasPlainSize(size: number | null, blobSize: number, storage: Storage): boolean {
  if (storage === 'encrypted') return false;
  if (storage === 'undecided') return size === blobSize;
  return !hasEncryptedSize(size, blobSize);
}

/**
 * Whether the blob of a file that has a key is stored plain. Programs that decrypt a backup leave its keys in the
 * manifest, and decrypting a plain blob again would turn it into garbage. Ciphertext is a multiple of 16 bytes, longer
 * than the file, and looks random.
 */
export async function isStoredPlain(blob: ByteSource, file: ClaimedFile, storage: Storage): Promise<boolean> {
  if (storage === 'encrypted') return false;
  const isExact = file.size === blob.size;
  const isWhole = blob.size % BLOCK_BYTES === 0;
  if (storage !== 'undecided' && (isExact || !isWhole)) return true;
  if (storage === 'undecided' && isExact && !isWhole) return true;
  const head = await blob.read(0, Math.min(HEAD_BYTES, blob.size));
  if (hasSignature(head, file.relativePath) || !looksRandom(head)) return true;
  if (isText(head) && (isExact || storage !== 'undecided')) return true;
  return storage === 'without_keys' && !hasEncryptedSize(file.size, blob.size);
}

function hasSignature(head: Uint8Array, name: string): boolean {
  return (
    SIGNATURES.some(([bytes, at]) => startsWith(head, bytes, at)) ||
    SIGNATURES_BY_NAME.some(([pattern, bytes]) => pattern.test(name) && startsWith(head, bytes, 0))
  );
}

const startsWith = (head: Uint8Array, bytes: string, at: number): boolean =>
  bytes.split('').every((char, i) => head[at + i] === char.charCodeAt(0));

/** With fewer bytes, ciphertext may look like content by chance. */
const MIN_RANDOM_BYTES = 128;
const MAX_DEVIATIONS = 6;

/**
 * Whether bytes have about as many different values as random ones, which all ciphertext has: content repeats its bytes,
 * or counts. The number of different values of random bytes is nearly normal.
 */
function looksRandom(bytes: Uint8Array): boolean {
  if (bytes.length < MIN_RANDOM_BYTES) return true;
  const load = bytes.length / 256,
    unused = Math.exp(-load);
  const expected = 256 * (1 - unused),
    deviation = Math.sqrt(256 * unused * (1 - (1 + load) * unused));
  return Math.abs(new Set(bytes).size - expected) <= MAX_DEVIATIONS * deviation;
}

/** Whether all bytes are UTF-8 without control characters; 16 random bytes are that once in a million times. */
function isText(head: Uint8Array): boolean {
  try {
    // In streaming mode the decoder accepts a last character that is cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text !== '' && !/[^\P{Cc}\t\n\r]/u.test(text);
  } catch {
    return false;
  }
}
