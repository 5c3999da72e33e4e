import { CHIPS, type ChipFacts, findChipByImageId } from './chips.ts';

const MAGIC = 0xe9;
const APPLICATION_MAGIC = 0xabcd5432;
const HEAD_BYTES = { esp8266: 8, esp32: 24 } as const;
const SEGMENT_HEAD_BYTES = 8;
const MAX_SEGMENTS = 16;
/** Instruction RAM of the ESP8266, where its programs begin; no other chip has memory there that starts a program. */
const ESP8266_ENTRY = [0x40100000, 0x40110000] as const;
const SHA256_BYTES = 32;

/** What the head of an image in Espressif's format says. */
export interface ImageHead {
  /** Null for a chip that is not a ticker's. */
  chip: ChipFacts | null;
  /** From its first byte to its checksum, and SHA-256 where there is one. */
  bytes: number;
  /** Size of the flash that it was built for, in MB; null if the head has none of those known. */
  flashMegabytes: number | null;
  /** An application of an ESP32, which a loader starts; not a loader. */
  isApplication: boolean;
}

/** Reads the head of the image at an offset; `not an image`, or `incomplete` if its segments go beyond the bytes. */
export function readImageHead(bytes: Uint8Array, offset = 0): ImageHead | 'not an image' | 'incomplete' {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[offset] !== MAGIC) return 'not an image';
  if (bytes.length < offset + HEAD_BYTES.esp32) return 'incomplete';
  const segments = bytes[offset + 1]!;
  if (segments === 0 || segments > MAX_SEGMENTS) return 'not an image';
  const entry = view.getUint32(offset + 4, true);
  const isEsp8266 = entry >= ESP8266_ENTRY[0] && entry < ESP8266_ENTRY[1];
  const chip = isEsp8266 ? CHIPS.esp8266 : findChipByImageId(view.getUint16(offset + 12, true));
  let end = offset + (isEsp8266 ? HEAD_BYTES.esp8266 : HEAD_BYTES.esp32);
  const firstData = end + SEGMENT_HEAD_BYTES;
  for (let segment = 0; segment < segments; segment += 1) {
    if (end + SEGMENT_HEAD_BYTES > bytes.length) return 'incomplete';
    end += SEGMENT_HEAD_BYTES + view.getUint32(end + 4, true);
    if (end > bytes.length) return 'incomplete';
  }
  // The checksum is the last byte of a block of 16.
  end = offset + (Math.floor((end - offset) / 16) + 1) * 16;
  const hasDigest = !isEsp8266 && bytes[offset + 23] === 1;
  end += hasDigest ? SHA256_BYTES : 0;
  if (end > bytes.length) return 'incomplete';
  return {
    chip,
    bytes: end - offset,
    flashMegabytes: chip?.sizes[bytes[offset + 3]! >> 4] ?? null,
    isApplication: !isEsp8266 && firstData + 4 <= bytes.length && view.getUint32(firstData, true) === APPLICATION_MAGIC,
  };
}

/** One row of a partition table. */
export interface Partition {
  type: number;
  label: string;
  offset: number;
  size: number;
}

export const TABLE_OFFSET = 0x8000;
export const TABLE_BYTES = 0xc00;
const ROW_BYTES = 32;

/** Reads a partition table; null if there is none. */
export function readPartitions(bytes: Uint8Array): Partition[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows: Partition[] = [];
  for (let at = 0; at + ROW_BYTES <= Math.min(bytes.length, TABLE_BYTES); at += ROW_BYTES) {
    if (view.getUint16(at, true) !== 0x50aa) break;
    const label = new TextDecoder().decode(bytes.subarray(at + 12, at + 28)).replace(/\0.*$/s, '');
    rows.push({
      type: bytes[at + 2]!,
      label,
      offset: view.getUint32(at + 4, true),
      size: view.getUint32(at + 8, true),
    });
  }
  return rows.length > 0 ? rows : null;
}

const BOARD_TAG = /hearth-ticker-([a-z0-9-]{1,40})\.update/;

/** The board that Hearth's firmware in these bytes was built for; null if there is none of ours. */
export function findBoardTag(bytes: Uint8Array): string | null {
  const prefix = new TextEncoder().encode('hearth-ticker-');
  for (let at = bytes.indexOf(prefix[0]!); at >= 0; at = bytes.indexOf(prefix[0]!, at + 1)) {
    if (!prefix.every((byte, index) => bytes[at + index] === byte)) continue;
    const tag = BOARD_TAG.exec(new TextDecoder('latin1').decode(bytes.subarray(at, at + 64)))?.[1];
    if (tag !== undefined) return tag;
  }
  return null;
}
