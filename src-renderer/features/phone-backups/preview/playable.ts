/** Audio in a format that browsers play. */
export interface Playable {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** The codec of a recording that no browser plays. */
type Unplayable = { codec: string };
/** AMR with one channel, which must be decoded first. */
type Speech = { isSpeech: true };

const textAt = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));
/** Opus counts samples at 48 kHz, whatever the recording had (RFC 7845, 4). */
const OPUS_RATE = 48_000;
/** Serial number of the only stream; any number is allowed (RFC 3533, 6). */
const STREAM_SERIAL = 0x48_54_48;
/** Segments of one Ogg page (RFC 3533, 6). */
const MAX_SEGMENTS = 255;
/** Format flags (Apple Core Audio Format Specification 1.0, Audio Description Chunk). */
const IS_FLOAT = 1;
const IS_LITTLE_ENDIAN = 2;
/** WAVE format codes of Core Audio's four-character codes. */
const WAVE_CODES: Readonly<Record<string, number>> = { alaw: 6, ulaw: 7 };

interface Caf {
  rate: number;
  codec: string;
  flags: number;
  bytesPerPacket: number;
  framesPerPacket: number;
  channels: number;
  bits: number;
  data: Uint8Array;
  packets: number[];
  priming: number;
}

/**
 * Converts a recording so that browsers play it: Core Audio files with Opus (iMessage voice messages) or plain samples
 * become Ogg and WAVE, without decoding. Reports AMR (voicemail) and unplayable files. Null for other or damaged files.
 */
export function playableOf(bytes: Uint8Array): Playable | Unplayable | Speech | null {
  if (/^#!AMR(-WB)?\n/.test(textAt(bytes, 0, 9))) return { isSpeech: true };
  if (textAt(bytes, 0, 5) === '#!AMR') return { codec: 'AMR' };
  if (textAt(bytes, 0, 4) !== 'caff') return null;
  const caf = readCaf(bytes);
  if (caf === null) return null;
  if (caf.codec === 'opus' && caf.packets.length > 0 && caf.framesPerPacket > 0)
    return { bytes: oggOf(caf), type: 'audio/ogg' };
  if (caf.codec === 'lpcm' || WAVE_CODES[caf.codec] !== undefined) return { bytes: waveOf(caf), type: 'audio/wav' };
  return { codec: `CAF, ${caf.codec.trim()}` };
}

function readCaf(bytes: Uint8Array): Caf | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let description: Omit<Caf, 'data' | 'packets' | 'priming'> | null = null,
    data: Uint8Array | null = null,
    packets: number[] = [],
    priming = 0;
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = textAt(bytes, at, at + 4),
      size = Number(view.getBigInt64(at + 4)),
      start = at + 12;
    // The size of the last chunk may be -1, which means up to the end of the file.
    const end = size < 0 ? bytes.length : Math.min(bytes.length, start + size);
    if (type === 'desc' && end - start >= 32)
      description = {
        rate: view.getFloat64(start),
        codec: textAt(bytes, start + 8, start + 12),
        flags: view.getUint32(start + 12),
        bytesPerPacket: view.getUint32(start + 16),
        framesPerPacket: view.getUint32(start + 20),
        channels: view.getUint32(start + 24),
        bits: view.getUint32(start + 28),
      };
    if (type === 'data') data = bytes.subarray(start + 4, end);
    if (type === 'pakt' && end - start >= 24) {
      priming = view.getInt32(start + 16);
      packets = sizesOf(bytes.subarray(start + 24, end), Number(view.getBigInt64(start)));
    }
    at = Math.max(end, start);
  }
  return description === null ||
    data === null ||
    description.channels < 1 ||
    description.channels > 8 ||
    !(description.rate > 0 && description.rate < 1e6)
    ? null
    : { ...description, data, packets, priming };
}

/** Reads packet sizes: seven bits per byte, most significant first; the high bit means that more follow. */
function sizesOf(bytes: Uint8Array, count: number): number[] {
  const sizes: number[] = [];
  let size = 0;
  for (const byte of bytes) {
    if (sizes.length >= count) break;
    size = size * 128 + (byte & 127);
    if ((byte & 128) !== 0) continue;
    sizes.push(size);
    size = 0;
  }
  return sizes;
}

function waveOf({ rate, codec, flags, channels, bits, data }: Caf): Uint8Array<ArrayBuffer> {
  const width = Math.max(1, Math.ceil(bits / 8)),
    length = data.length - (data.length % (width * channels));
  const file = new Uint8Array(44 + length),
    view = new DataView(file.buffer);
  const writeText = (at: number, letters: string): void =>
    file.set(
      [...letters].map((letter) => letter.charCodeAt(0)),
      at,
    );
  writeText(0, 'RIFF');
  view.setUint32(4, 36 + length, true);
  writeText(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, WAVE_CODES[codec] ?? ((flags & IS_FLOAT) !== 0 ? 3 : 1), true);
  view.setUint16(22, channels, true);
  view.setUint32(24, Math.round(rate), true);
  view.setUint32(28, Math.round(rate) * channels * width, true);
  view.setUint16(32, channels * width, true);
  view.setUint16(34, width * 8, true);
  writeText(36, 'data');
  view.setUint32(40, length, true);
  if (width === 1 || (flags & IS_LITTLE_ENDIAN) !== 0) file.set(data.subarray(0, length), 44);
  else
    for (let at = 0; at < length; at += width)
      for (let byte = 0; byte < width; byte++) file[44 + at + byte] = data[at + width - 1 - byte] ?? 0;
  return file;
}

/** Writes Opus packets into an Ogg file (RFC 7845). */
function oggOf({ rate, framesPerPacket, channels, data, packets, priming }: Caf): Uint8Array<ArrayBuffer> {
  const scale = OPUS_RATE / rate,
    pages: Uint8Array[] = [];
  const head = new Uint8Array(19),
    view = new DataView(head.buffer);
  head.set([...'OpusHead'].map((letter) => letter.charCodeAt(0)));
  head[8] = 1;
  head[9] = channels;
  view.setUint16(10, Math.max(0, Math.min(65_535, Math.round(priming * scale))), true);
  view.setUint32(12, Math.round(rate), true);
  const tags = new Uint8Array(16);
  tags.set([...'OpusTags'].map((letter) => letter.charCodeAt(0)));
  pages.push(pageOf([head], 0n, 0, 2), pageOf([tags], 0n, 1, 0));
  let at = 0,
    granule = 0,
    batch: Uint8Array[] = [],
    segments = 0;
  const flush = (isLast: boolean): void => {
    pages.push(pageOf(batch, BigInt(Math.round(granule)), pages.length, isLast ? 4 : 0));
    batch = [];
    segments = 0;
  };
  for (const size of packets) {
    if (at + size > data.length) break;
    const segmentCount = Math.floor(size / 255) + 1;
    if (segments + segmentCount > MAX_SEGMENTS) flush(false);
    batch.push(data.subarray(at, at + size));
    segments += segmentCount;
    at += size;
    granule += framesPerPacket * scale;
  }
  flush(true);
  const file = new Uint8Array(pages.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const page of pages) {
    file.set(page, end);
    end += page.length;
  }
  return file;
}

function pageOf(packets: readonly Uint8Array[], granule: bigint, sequence: number, flags: number): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const page = new Uint8Array(27 + lacing.length + packets.reduce((sum, { length }) => sum + length, 0)),
    view = new DataView(page.buffer);
  page.set([0x4f, 0x67, 0x67, 0x53, 0, flags]);
  view.setBigUint64(6, granule, true);
  view.setUint32(14, STREAM_SERIAL, true);
  view.setUint32(18, sequence, true);
  page[26] = lacing.length;
  page.set(lacing, 27);
  let at = 27 + lacing.length;
  for (const packet of packets) {
    page.set(packet, at);
    at += packet.length;
  }
  view.setUint32(22, checksum(page), true);
  return page;
}

/** CRC-32 of an Ogg page: polynomial 0x04c11db7, not reflected, initial value 0 (RFC 3533, 6). */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80_00_00_00) === 0 ? sum << 1 : (sum << 1) ^ 0x04_c1_1d_b7;
  }
  return sum >>> 0;
}
