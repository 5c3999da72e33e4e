import type { PixelCoding } from './transfer-syntaxes.ts';

/** JPEG 2000 and high-throughput JPEG 2000. */
export type WaveletCoding = Extract<PixelCoding, 'jpeg_2000' | 'htj2k'>;

/** A decoder of a module, with one codestream and its pixels. */
export interface WideDecoder {
  getEncodedBuffer(size: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8Array;
  delete(): void;
}

// What decoders print is about foreign files.
const SILENT = { print: () => undefined, printErr: () => undefined };

const LOADERS: Record<WaveletCoding, () => Promise<new () => WideDecoder>> = {
  async jpeg_2000() {
    const { default: load } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
    return (await load({ ...SILENT })).J2KDecoder;
  },
  async htj2k() {
    const { default: load } = await import('@cornerstonejs/codec-openjph/wasmjs');
    return (await load({ ...SILENT })).HTJ2KDecoder;
  },
};

/** The decoders of modules that are loaded, each of which has a memory of its own. */
const ready: Partial<Record<WaveletCoding, new () => WideDecoder>> = {};

/**
 * Decodes a codestream of colors with more than 8 bits, of which `dcmjs-codecs` returns half: samples of 16 bits in little
 * endian, those of a pixel together. A module that throws is loaded anew for the next frame.
 */
export async function decodeWideColors(coding: WaveletCoding, stream: Uint8Array): Promise<Uint8Array> {
  const Decoder = (ready[coding] ??= await LOADERS[coding]());
  try {
    const decoder = new Decoder();
    decoder.getEncodedBuffer(stream.length).set(stream);
    decoder.decode();
    // The memory of the module is used again for the next frame.
    const pixels = Uint8Array.from(decoder.getDecodedBuffer());
    decoder.delete();
    return pixels;
  } catch (error) {
    delete ready[coding];
    throw error;
  }
}
