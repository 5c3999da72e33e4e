/** One of the two speech codecs whose files phones record (RFC 4867, 5: `#!AMR\n`, `#!AMR-WB\n`). */
interface Codec {
  magic: string;
  rate: number;
  samplesPerFrame: number;
  /** Bytes after the header of a frame, by frame type; undefined for reserved types. */
  sizes: readonly (number | undefined)[];
}

const NARROW: Codec = {
  magic: '#!AMR\n',
  rate: 8000,
  samplesPerFrame: 160,
  sizes: [12, 13, 15, 17, 19, 20, 26, 31, 5, undefined, undefined, undefined, undefined, undefined, undefined, 0],
};
const WIDE: Codec = {
  magic: '#!AMR-WB\n',
  rate: 16_000,
  samplesPerFrame: 320,
  sizes: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, undefined, undefined, undefined, undefined, 0, 0],
};
/** Frame type of AMR-WB for lost speech. */
const LOST = 14;

export interface AmrFile {
  isWide: boolean;
  /** Samples per second. */
  rate: number;
  samplesPerFrame: number;
  frameCount: number;
  /** The file ends within a frame, or contains something else after the last one. */
  isDamaged: boolean;
}
/** The byte range of a 20 ms frame with its header; `isLost` means that it carries no audible speech. */
interface Frame {
  start: number;
  end: number;
  isLost: boolean;
}

/** Describes an AMR file from its frame headers alone. Null unless it is a single-channel AMR file. */
export function readAmr(bytes: Uint8Array): AmrFile | null {
  const codec = codecOf(bytes);
  if (codec === null) return null;
  let frameCount = 0,
    end = codec.magic.length;
  for (const frame of framesOf(bytes)) {
    frameCount += 1;
    end = frame.end;
  }
  return {
    isWide: codec === WIDE,
    rate: codec.rate,
    samplesPerFrame: codec.samplesPerFrame,
    frameCount,
    isDamaged: end < bytes.length,
  };
}

/** Yields the complete frames of an AMR file up to the first damage. */
export function* framesOf(bytes: Uint8Array): Generator<Frame> {
  const codec = codecOf(bytes);
  if (codec === null) return;
  for (let start = codec.magic.length; start < bytes.length;) {
    const head = bytes[start] ?? 0,
      type = (head >> 3) & 15,
      size = codec.sizes[type],
      end = start + 1 + (size ?? 0);
    if (size === undefined || end > bytes.length) return;
    // The quality bit Q is 0 if the speech arrived damaged (RFC 4867, 4.3.2).
    yield { start, end, isLost: (head & 4) === 0 || (codec === WIDE && type === LOST) };
    start = end;
  }
}

const codecOf = (bytes: Uint8Array): Codec | null =>
  [NARROW, WIDE].find(({ magic }) => [...magic].every((letter, at) => bytes[at] === letter.charCodeAt(0))) ?? null;
