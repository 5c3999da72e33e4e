import { framesOf, readAmr } from './frames.ts';

/** Exports of resources/sound/amr.wasm (scripts/amr-decoder.ts): the opencore-amr decoders, each with its own state. */
interface Decoders {
  memory: WebAssembly.Memory;
  _initialize?(): void;
  malloc(size: number): number;
  Decoder_Interface_init(): number;
  Decoder_Interface_Decode(state: number, frame: number, samples: number, isLost: number): void;
  D_IF_init(): number;
  D_IF_decode(state: number, frame: number, samples: number, isLost: number): void;
}

export interface DecodedSound {
  /** A WAVE file with one channel and 16 bits per sample. */
  wave: Uint8Array<ArrayBuffer>;
  /** Seconds of speech in `wave`. */
  seconds: number;
  /** Seconds of speech in the file. */
  totalSeconds: number;
  /** The file is damaged after `totalSeconds`. */
  isDamaged: boolean;
}

/** Limits the samples to two hours of AMR, or one of AMR-WB. */
const MAX_SAMPLE_BYTES = 2 * 3600 * 16_000;
/** The largest frame has 61 bytes; the decoders may read a few bytes after a damaged one. */
const FRAME_BUFFER_BYTES = 128;
const WAVE_HEADER_BYTES = 44;

/** Decodes an AMR or AMR-WB file. Null without audible speech: another kind of file, or one damaged from its start. */
export async function decodeAmr(
  bytes: Uint8Array,
  decoders: WebAssembly.Module,
  maxBytes = MAX_SAMPLE_BYTES,
): Promise<DecodedSound | null> {
  const file = readAmr(bytes);
  if (file === null || file.frameCount === 0) return null;
  const { exports } = await WebAssembly.instantiate(decoders, {});
  const wasm = exports as unknown as Decoders;
  wasm._initialize?.();
  const state = file.isWide ? wasm.D_IF_init() : wasm.Decoder_Interface_init(),
    input = wasm.malloc(FRAME_BUFFER_BYTES),
    output = wasm.malloc(file.samplesPerFrame * 2);
  if (state === 0 || input === 0 || output === 0) throw new Error('The AMR decoder ran out of memory.');
  const decode = file.isWide ? wasm.D_IF_decode : wasm.Decoder_Interface_Decode;
  const inputBytes = new Uint8Array(wasm.memory.buffer, input, FRAME_BUFFER_BYTES),
    outputBytes = new Uint8Array(wasm.memory.buffer, output, file.samplesPerFrame * 2);
  const frameBytes = outputBytes.length,
    frames = Math.min(file.frameCount, Math.floor(maxBytes / frameBytes));
  const wave = waveOf(file.rate, frames * frameBytes);
  let decodedCount = 0;
  for (const { start, end, isLost } of framesOf(bytes)) {
    if (decodedCount === frames) break;
    inputBytes.fill(0);
    inputBytes.set(bytes.subarray(start, end));
    decode(state, input, output, isLost ? 1 : 0);
    wave.set(outputBytes, WAVE_HEADER_BYTES + decodedCount * frameBytes);
    decodedCount += 1;
  }
  const secondsOf = (count: number): number => (count * file.samplesPerFrame) / file.rate;
  return { wave, seconds: secondsOf(frames), totalSeconds: secondsOf(file.frameCount), isDamaged: file.isDamaged };
}

/** A WAVE file with space for `length` bytes of samples. */
function waveOf(rate: number, length: number): Uint8Array<ArrayBuffer> {
  const wave = new Uint8Array(WAVE_HEADER_BYTES + length),
    view = new DataView(wave.buffer);
  const writeText = (at: number, letters: string): void =>
    wave.set(
      [...letters].map((letter) => letter.charCodeAt(0)),
      at,
    );
  writeText(0, 'RIFF');
  view.setUint32(4, WAVE_HEADER_BYTES - 8 + length, true);
  writeText(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  writeText(36, 'data');
  view.setUint32(40, length, true);
  return wave;
}
