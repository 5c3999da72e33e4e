import { bytesToHex } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { DeviceStatus } from '../device/shapes.ts';
import { TickerError } from '../flash/ticker-error.ts';

/** Layout: firmware/core/update/image.h. */
const MAGIC = 'HEARTHUP';
const HEAD_BYTES = 128;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 64;
/** Head version that has a signature. */
const SIGNED_VERSION = 2;
const CHIP_IDS: Readonly<Record<string, number>> = { esp8266: 0xffff, esp32: 0, esp32c2: 12, esp32c3: 5 };

/** What an update file says of itself; its image has the checksum in its head. */
export interface UpdateFile {
  board: string;
  version: string;
  chipId: number;
  /** Null for a file that nobody signed. */
  signature: Uint8Array | null;
  head: Uint8Array;
}

/** Reads an update file. Throws `ticker.not_an_update` or `ticker.update_damaged`. */
export function readUpdate(name: string, bytes: Uint8Array): UpdateFile {
  const head = Uint8Array.from(bytes.subarray(0, HEAD_BYTES));
  if (head.length < HEAD_BYTES || textAt(head, 0, 8) !== MAGIC) throw new TickerError('ticker.not_an_update', { name });
  const view = new DataView(head.buffer);
  const isSigned = view.getUint16(10, true) === SIGNED_VERSION;
  const imageAt = isSigned ? HEAD_BYTES + SIGNATURE_BYTES : HEAD_BYTES;
  const image = bytes.subarray(imageAt);
  const isWhole =
    image.length === view.getUint32(12, true) && bytesToHex(sha256(image)) === bytesToHex(head.subarray(16, 48));
  if (!isWhole || image[0] !== 0xe9) throw new TickerError('ticker.update_damaged', { name });
  return {
    board: textAt(head, 48, 32),
    version: textAt(head, 80, 16),
    chipId: view.getUint16(8, true),
    signature: isSigned ? Uint8Array.from(bytes.subarray(HEAD_BYTES, imageAt)) : null,
    head,
  };
}

function textAt(bytes: Uint8Array, at: number, size: number): string {
  const text = new TextDecoder('latin1').decode(bytes.subarray(at, at + size));
  return text.split('\0')[0]!;
}

/** Public keys in a text: 128 hexadecimal digits each, as `boards/update-key.mjs` prints them. */
export function readKeys(text: string): string[] {
  return [...new Set((text.match(/\b[0-9a-f]{128}\b/gi) ?? []).map((key) => key.toLowerCase()))];
}

/** The first bytes of the SHA-256 of a key, for people to compare. */
export function fingerprintOf(key: string): string {
  return bytesToHex(sha256(bytesOf(key)).subarray(0, 8))
    .match(/../g)!
    .join(':');
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Which of the known keys signed a file; null if none did. A signature tells its maker only to who has the key. */
export async function findSigner({ head, signature }: UpdateFile, keys: readonly string[]): Promise<string | null> {
  if (signature === null) return null;
  for (const key of keys) if (await isSignedBy(key, head, signature)) return key;
  return null;
}

async function isSignedBy(key: string, head: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const bytes = bytesOf(key);
  if (bytes.length !== KEY_BYTES) return false;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  try {
    const point = Uint8Array.from([4, ...bytes]);
    const imported = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify']);
    return await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      imported,
      Uint8Array.from(signature),
      Uint8Array.from(head),
    );
  } catch {
    // A point that is not on the curve.
    return false;
  }
}

/** a * 10000 + b * 100 + c of "1.2.3", as the firmware compares versions; 0 for other texts. */
export function versionNumber(text: string): number {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return parts === null ? 0 : Number(parts[1]) * 10_000 + Number(parts[2]) * 100 + Number(parts[3]);
}

/** What a device would do with an update: refuse it, ask for somebody to be present, or take it. */
export type UpdateVerdict = 'other_chip' | 'other_board' | 'older' | 'fits';

export function judgeUpdate({ chipId, board, version }: UpdateFile, device: DeviceStatus): UpdateVerdict {
  if (CHIP_IDS[device.chip] !== chipId) return 'other_chip';
  if (board !== device.board) return 'other_board';
  return versionNumber(version) < versionNumber(device.version) ? 'older' : 'fits';
}
