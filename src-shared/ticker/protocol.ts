/**
 * Frames of the ticker on the serial line (firmware/PROTOCOL.md): A5 5A | type | sequence | length (2) | payload |
 * CRC-32 (4), little endian.
 */

const MAGIC = [0xa5, 0x5a] as const;
const MAX_PAYLOAD_BYTES = 16384;
/** Set in the type of replies. */
const REPLY_BIT = 0x80;
const HEADER_BYTES = 6;

/** Types of requests. Replies have bit 7 set; `error` is only a reply. */
export const LINK_TYPES = {
  info: 1,
  get: 2,
  set: 3,
  refresh: 4,
  screen: 5,
  log: 6,
  reboot: 7,
  factory: 8,
  error: 0x7f,
} as const;

export interface LinkFrame {
  /** 0..255, with bit 7 set in replies. */
  type: number;
  /** 0..255, the same in request and reply. */
  sequence: number;
  payload: Uint8Array;
}

/** Computes the CRC-32 (IEEE 802.3), like zlib. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Encodes a frame. Throws a RangeError for a payload over 16384 bytes. */
export function encodeFrame({ type, sequence, payload }: LinkFrame): Uint8Array {
  if (payload.length > MAX_PAYLOAD_BYTES)
    throw new RangeError(`A frame has at most ${MAX_PAYLOAD_BYTES} bytes, not ${payload.length}.`);
  const bytes = new Uint8Array(HEADER_BYTES + payload.length + 4);
  bytes.set([...MAGIC, type, sequence, payload.length & 0xff, payload.length >>> 8]);
  bytes.set(payload, HEADER_BYTES);
  new DataView(bytes.buffer).setUint32(
    HEADER_BYTES + payload.length,
    crc32(bytes.subarray(2, HEADER_BYTES + payload.length)),
    true,
  );
  return bytes;
}

/** Whether a frame is the reply to a request of this type and sequence. */
export function isReplyTo(frame: LinkFrame, type: number, sequence: number): boolean {
  return (
    frame.sequence === sequence && (frame.type === (type | REPLY_BIT) || frame.type === (LINK_TYPES.error | REPLY_BIT))
  );
}

/**
 * Creates a reader that finds frames among log lines and Improv packets, in chunks of any size. A frame with a wrong
 * CRC or length is skipped: the search continues after its first byte, so that a valid frame inside noise is not lost.
 */
export function createFrameReader(): { push(bytes: Uint8Array): LinkFrame[] } {
  let buffer = new Uint8Array(0);

  function nextFrame(): LinkFrame | 'more' | 'skip' {
    if (buffer.length < HEADER_BYTES) return 'more';
    const length = buffer[4]! | (buffer[5]! << 8);
    if (length > MAX_PAYLOAD_BYTES) return 'skip';
    const end = HEADER_BYTES + length;
    if (buffer.length < end + 4) return 'more';
    const crc = new DataView(buffer.buffer, buffer.byteOffset + end, 4).getUint32(0, true);
    if (crc !== crc32(buffer.subarray(2, end))) return 'skip';
    const frame = { type: buffer[2]!, sequence: buffer[3]!, payload: buffer.slice(HEADER_BYTES, end) };
    buffer = buffer.subarray(end + 4);
    return frame;
  }

  return {
    push(bytes) {
      const joined = new Uint8Array(buffer.length + bytes.length);
      joined.set(buffer);
      joined.set(bytes, buffer.length);
      buffer = joined;
      const frames: LinkFrame[] = [];
      for (;;) {
        const begin = buffer.findIndex(
          (byte, at) => byte === MAGIC[0] && (at + 1 === buffer.length || buffer[at + 1] === MAGIC[1]),
        );
        buffer = begin < 0 ? new Uint8Array(0) : buffer.subarray(begin);
        if (buffer.length < 2) return frames;
        const result = nextFrame();
        if (result === 'more') return frames;
        if (result === 'skip') buffer = buffer.subarray(1);
        else frames.push(result);
      }
    },
  };
}

/** Decodes a screenshot from the replies to `screen`: 240 x 240 RGB565 values; null if rows are missing or damaged. */
export function decodeScreen(replies: readonly LinkFrame[]): Uint16Array | null {
  const size = 240;
  const pixels = new Uint16Array(size * size);
  const completeRows = new Set<number>();
  for (const { payload } of replies) {
    const y = payload[0];
    if (y === undefined || y >= size) continue;
    let x = 0;
    for (let at = 1; at + 2 < payload.length; at += 3) {
      const end = x + payload[at]!;
      if (end > size) return null;
      pixels.fill(payload[at + 1]! | (payload[at + 2]! << 8), y * size + x, y * size + end);
      x = end;
    }
    if (x === size) completeRows.add(y);
  }
  return completeRows.size === size ? pixels : null;
}
