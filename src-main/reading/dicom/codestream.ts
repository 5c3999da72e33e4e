/** What the header of a JPEG, JPEG-LS or JPEG 2000 codestream says of its picture. */
export interface CodestreamHeader {
  width: number;
  height: number;
  components: number;
  /** Bits of a sample. */
  precision: number;
  isSigned: boolean;
  /** Whether all components have as many samples, of as many bits; only read from JPEG 2000. */
  isEven: boolean;
}

/**
 * Reads the size in a codestream, which decoders believe more than the size in the data set. Null without a header.
 * @see ITU-T T.81, B.2.2 (SOF); T.87, C.2.2 (SOF of JPEG-LS); T.800, A.5.1 (SIZ)
 */
export function readCodestreamHeader(bytes: Uint8Array): CodestreamHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = startOf(bytes);
  if (start < 0 || start + 4 > bytes.length) return null;
  return view.getUint16(start) === 0xff4f ? readSiz(view, start + 2) : readSof(view, start + 2);
}

/** Where the codestream begins: some devices put it into a JP2 file. */
export function startOf(bytes: Uint8Array): number {
  if (bytes[0] === 0xff) return 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(Buffer.of(0xff, 0x4f, 0xff, 0x51));
}

/**
 * Whether a codestream has its end (EOI, EOC) after the start of its pixels (SOS, SOD): decoders fill what is missing
 * with something. Coded pixels never contain the marker.
 */
export function isWhole(bytes: Uint8Array): boolean {
  const coded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = coded.indexOf(Buffer.of(0xff, coded[1] === 0x4f ? 0x93 : 0xda));
  return coded.lastIndexOf(Buffer.of(0xff, 0xd9)) > start;
}

function readSiz(view: DataView, at: number): CodestreamHeader | null {
  if (at + 41 > view.byteLength || view.getUint16(at) !== 0xff51) return null;
  const side = (end: number, begin: number): number => view.getUint32(at + end) - view.getUint32(at + begin);
  const components = view.getUint16(at + 38);
  const bits = view.getUint8(at + 40);
  return {
    ...{ width: side(6, 14), height: side(10, 18), components },
    precision: (bits & 0x7f) + 1,
    isSigned: bits >= 0x80,
    isEven: Array.from({ length: Math.min(components, MAX_COMPONENTS) }).every((_, i) =>
      isOneSampleEach(view, at + 40 + 3 * i, bits),
    ),
  };
}

/** Of all photometric interpretations, those with black or alpha have most. */
const MAX_COMPONENTS = 4;

/** Bits, and steps between samples, of a component. */
const isOneSampleEach = (view: DataView, at: number, bits: number): boolean =>
  at + 3 <= view.byteLength && view.getUint8(at) === bits && view.getUint16(at + 1) === 0x0101;

/**
 * Whether each component of a JPEG-LS stream has a scan of its own.
 * @see ITU-T T.87, C.2.3 (SOS), interleave mode none
 */
export function hasScanForEachSample(stream: Uint8Array): boolean {
  const scan = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength).indexOf(Buffer.of(0xff, 0xda));
  return scan >= 0 && stream[scan + 4] === 1;
}

/** Markers of frames: SOF0 to SOF15 without DHT, JPG and DAC, and SOF55 of JPEG-LS. */
const isFrameMarker = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) || marker === 0xf7;

function readSof(view: DataView, from: number): CodestreamHeader | null {
  for (let at = from; at + 10 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrameMarker(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const precision = view.getUint8(at + 4);
      return { width, height, components: view.getUint8(at + 9), precision, isSigned: false, isEven: true };
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
  return null;
}
