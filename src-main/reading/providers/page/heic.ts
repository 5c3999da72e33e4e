import { stat } from 'node:fs/promises';
import libheif, { type DecodedHeic, type HeifImage } from 'libheif-js/wasm-bundle.js';
import { fail } from '../../../platform/kernel/errors.ts';
import { readVaultFile } from '../../../platform/vault/vault-files.ts';

/** The decoder holds the whole file in memory. */
const MAX_BYTES = 100 * 2 ** 20;

/** A decoded photo in upright orientation. Its pixels are in the decoder's memory. */
export interface HeicPixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3 | 4;
}

/** The main photo of an open HEIC file. */
export interface OpenHeic {
  /** As the file claims. */
  width: number;
  height: number;
  /** @throws an error without a code if the file is damaged */
  decode(): Promise<HeicPixels>;
}

/**
 * Hands the main photo of a HEIC file to `work`, and then frees the decoder's memory.
 * @throws `upload.damaged`, `upload.too_many_pixels`
 */
export async function useHeic<T>(path: string, work: (photo: OpenHeic) => T | Promise<T>): Promise<T> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw fail('upload.too_many_pixels', { megapixels: Math.round(size / 2 ** 20), limit: 100 });
  await libheif.ready;
  const decoder = new libheif.HeifDecoder();
  const photos = decoder.decode(readVaultFile(path));
  const decoded: DecodedHeic[] = [];
  try {
    const photo = photos.find((one) => one.is_primary()) ?? photos[0];
    if (!photo) throw fail('upload.damaged');
    return await work({
      width: photo.get_width(),
      height: photo.get_height(),
      decode: async () => pixelsOf(photo, decoded),
    });
  } finally {
    for (const { image } of decoded) libheif.heif_image_release(image);
    for (const photo of photos) photo.free();
    if (decoder.decoder) libheif.heif_context_free(decoder.decoder);
  }
}

/** Decodes without the fourth byte of a pixel where there is no transparency, and without a copy out of the decoder. */
async function pixelsOf(photo: HeifImage, decoded: DecodedHeic[]): Promise<HeicPixels> {
  const { heif_colorspace: colorspace, heif_chroma: chroma } = libheif;
  const channels = photo.has_alpha_channel() ? 4 : 3;
  const result = await libheif.heif_js_decode_image2(
    photo.handle,
    colorspace.heif_colorspace_RGB,
    channels === 4 ? chroma.heif_chroma_interleaved_RGBA : chroma.heif_chroma_interleaved_RGB,
  );
  if (!result || !('channels' in result))
    throw new Error(`libheif: ${result?.message ?? 'the photo could not be decoded'}`);
  decoded.push(result);
  const [plane] = result.channels;
  if (!plane) throw fail('upload.damaged');
  const { width, height, stride, data } = plane;
  const rowBytes = width * channels;
  return { data: stride === rowBytes ? data : withoutPadding(data, stride, rowBytes, height), width, height, channels };
}

function withoutPadding(data: Uint8Array, stride: number, rowBytes: number, rows: number): Uint8Array {
  const packed = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row += 1)
    packed.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  return packed;
}
