/** The ticker's own frames on the serial line (firmware/PROTOCOL.md): A5 5A | type | sequence | length (2) | payload | CRC-32 (4), little endian. */

const MAGIC = [0xa5, 0x5a] as const;
/** Longest payload of a frame, in bytes. */
const MAX_PAYLOAD = 16384;
const REPLY = 0x80;
const HEAD = 6;

/** Types of requests. A reply has bit 7 set; `error` only comes as a reply. */
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

/** CRC-32 (IEEE 802.3) as zlib counts it. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** One frame as bytes. Throws a RangeError for a payload over 16384 bytes. */
export function encodeFrame({ type, sequence, payload }: LinkFrame): Uint8Array {
  if (payload.length > MAX_PAYLOAD)
    throw new RangeError(`A frame carries at most ${MAX_PAYLOAD} bytes, not ${payload.length}.`);
  const bytes = new Uint8Array(HEAD + payload.length + 4);
  bytes.set([...MAGIC, type, sequence, payload.length & 0xff, payload.length >>> 8]);
  bytes.set(payload, HEAD);
  new DataView(bytes.buffer).setUint32(HEAD + payload.length, crc32(bytes.subarray(2, HEAD + payload.length)), true);
  return bytes;
}

/** Is this the reply to a request of this type and sequence? */
export function isReplyTo(frame: LinkFrame, type: number, sequence: number): boolean {
  return frame.sequence === sequence && (frame.type === (type | REPLY) || frame.type === (LINK_TYPES.error | REPLY));
}

/**
 * Finds frames in what a device sends, in any chunks, among log lines and Improv packets. A frame with a wrong CRC or length is skipped:
 * the search goes on behind its first byte, so a good frame inside noise is not lost.
 */
export function createFrameReader(): { push(bytes: Uint8Array): LinkFrame[] } {
  let waiting = new Uint8Array(0);

  function next(): LinkFrame | 'more' | 'skip' {
    if (waiting.length < HEAD) return 'more';
    const length = waiting[4]! | (waiting[5]! << 8);
    if (length > MAX_PAYLOAD) return 'skip';
    const end = HEAD + length;
    if (waiting.length < end + 4) return 'more';
    const crc = new DataView(waiting.buffer, waiting.byteOffset + end, 4).getUint32(0, true);
    if (crc !== crc32(waiting.subarray(2, end))) return 'skip';
    const frame = { type: waiting[2]!, sequence: waiting[3]!, payload: waiting.slice(HEAD, end) };
    waiting = waiting.subarray(end + 4);
    return frame;
  }

  return {
    push(bytes) {
      const joined = new Uint8Array(waiting.length + bytes.length);
      joined.set(waiting);
      joined.set(bytes, waiting.length);
      waiting = joined;
      const frames: LinkFrame[] = [];
      for (;;) {
        const begin = waiting.findIndex(
          (byte, at) => byte === MAGIC[0] && (at + 1 === waiting.length || waiting[at + 1] === MAGIC[1]),
        );
        waiting = begin < 0 ? new Uint8Array(0) : waiting.subarray(begin);
        if (waiting.length < 2) return frames;
        const found = next();
        if (found === 'more') return frames;
        if (found === 'skip') waiting = waiting.subarray(1);
        else frames.push(found);
      }
    },
  };
}

/** The rows of a picture of the screen from the replies to `screen`: 240 x 240 RGB565 values. Null while rows are missing or broken. */
export function decodeScreen(replies: readonly LinkFrame[]): Uint16Array | null {
  const size = 240;
  const pixels = new Uint16Array(size * size);
  const seen = new Set<number>();
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
    if (x === size) seen.add(y);
  }
  return seen.size === size ? pixels : null;
}
