/** Frames of the boot ROM's serial protocol: C0 … C0, inside them C0 as DB DC and DB as DB DD. */

const END = 0xc0;
const ESCAPE = 0xdb;
/** Longer than the longest frame of the protocol, a block of 16 KB with its head. */
const MAX_FRAME_BYTES = 0x4000 + 256;

/** Writes one frame. */
export function encodeSlip(payload: Uint8Array): Uint8Array {
  const bytes: number[] = [END];
  for (const byte of payload) {
    if (byte === END) bytes.push(ESCAPE, 0xdc);
    else if (byte === ESCAPE) bytes.push(ESCAPE, 0xdd);
    else bytes.push(byte);
  }
  bytes.push(END);
  return Uint8Array.from(bytes);
}

/**
 * Creates a reader of frames in chunks of any size. What is between frames is skipped, as a ROM does with noise;
 * `reportFault` hears of escapes that the protocol does not have and of frames that are too long.
 */
export function createSlipReader(reportFault: (what: string) => void): {
  push(bytes: Uint8Array): Uint8Array[];
  clear(): void;
} {
  let frame: number[] | null = null;
  let isEscaped = false;

  function add(byte: number): void {
    if (frame!.length < MAX_FRAME_BYTES) {
      frame!.push(byte);
      return;
    }
    reportFault('a frame is longer than any of the protocol');
    frame = null;
  }

  function takeInside(byte: number): void {
    if (isEscaped) {
      isEscaped = false;
      if (byte === 0xdc) add(END);
      else if (byte === 0xdd) add(ESCAPE);
      else {
        reportFault(`DB is followed by ${byte.toString(16)}`);
        frame = null;
      }
    } else if (byte === ESCAPE) isEscaped = true;
    else add(byte);
  }

  return {
    push(bytes) {
      const frames: Uint8Array[] = [];
      for (const byte of bytes) {
        if (byte === END) {
          if (frame !== null && frame.length > 0) {
            frames.push(Uint8Array.from(frame));
            frame = null;
          } else frame = [];
          isEscaped = false;
        } else if (frame !== null) takeInside(byte);
      }
      return frames;
    },
    clear() {
      frame = null;
      isEscaped = false;
    },
  };
}
