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
  /** A WAVE file of one channel, 16 bits a sample. */
  wave: Uint8Array<ArrayBuffer>;
  /** Seconds of speech in `wave`, and seconds in the file. */
  seconds: number;
  whole: number;
  /** The file is damaged after `whole` seconds. */
  isDamaged: boolean;
}

/** The most bytes of samples to decode: two hours of AMR, one of AMR-WB. */
const MOST = 2 * 3600 * 16_000;
/** The largest frame has 61 bytes; the decoders may look at a few behind a damaged one. */
const ROOM = 128;
const WAVE_HEAD = 44;

/** Decodes an AMR or AMR-WB file. Null without audible speech: another kind of file, or one damaged from its start. */
export async function decodeAmr(
  bytes: Uint8Array,
  decoders: WebAssembly.Module,
  most = MOST,
): Promise<DecodedSound | null> {
  const file = readAmr(bytes);
  if (file === null || file.frameCount === 0) return null;
  const { exports } = await WebAssembly.instantiate(decoders, {});
  const wasm = exports as unknown as Decoders;
  wasm._initialize?.();
  const state = file.isWide ? wasm.D_IF_init() : wasm.Decoder_Interface_init(),
    input = wasm.malloc(ROOM),
    output = wasm.malloc(file.samplesPerFrame * 2);
  if (state === 0 || input === 0 || output === 0) throw new Error('The decoder of AMR has no memory.');
  const decode = file.isWide ? wasm.D_IF_decode : wasm.Decoder_Interface_Decode;
  const into = new Uint8Array(wasm.memory.buffer, input, ROOM),
    from = new Uint8Array(wasm.memory.buffer, output, file.samplesPerFrame * 2);
  const frameBytes = from.length,
    frames = Math.min(file.frameCount, Math.floor(most / frameBytes));
  const wave = waveOf(file.rate, frames * frameBytes);
  let done = 0;
  for (const { start, end, isLost } of framesOf(bytes)) {
    if (done === frames) break;
    into.fill(0);
    into.set(bytes.subarray(start, end));
    decode(state, input, output, isLost ? 1 : 0);
    wave.set(from, WAVE_HEAD + done * frameBytes);
    done += 1;
  }
  const secondsOf = (count: number): number => (count * file.samplesPerFrame) / file.rate;
  return { wave, seconds: secondsOf(frames), whole: secondsOf(file.frameCount), isDamaged: file.isDamaged };
}

/** A WAVE file with room for `length` bytes of samples. */
function waveOf(rate: number, length: number): Uint8Array<ArrayBuffer> {
  const wave = new Uint8Array(WAVE_HEAD + length),
    view = new DataView(wave.buffer);
  const put = (at: number, letters: string): void =>
    wave.set(
      [...letters].map((letter) => letter.charCodeAt(0)),
      at,
    );
  put(0, 'RIFF');
  view.setUint32(4, WAVE_HEAD - 8 + length, true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  put(36, 'data');
  view.setUint32(40, length, true);
  return wave;
}
