import sharp from 'sharp';
import type { GrayscaleImage } from '../page/prepare/grayscale.ts';

/** Height of the pictures that the model was trained with, in pixels. */
export const HEIGHT = 48;
const MIN_WIDTH = 48;
/** About forty digits; a picture that is wider can’t be one number, and is narrowed. */
const MAX_WIDTH = 960;
const CHANNELS = 3;
/** Gray 0 to 255 becomes -1 to 1. */
const MIDDLE = 127.5;

/** A picture of one line as the model's input: 48 pixels high, three equal channels one after the other. */
export async function toInput({
  data,
  width,
  height,
}: GrayscaleImage): Promise<{ data: Float32Array<ArrayBuffer>; width: number }> {
  const across = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round((width * HEIGHT) / height)));
  const pixels = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(across, HEIGHT, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  const plane = across * HEIGHT;
  const input = new Float32Array(CHANNELS * plane);
  for (let index = 0; index < plane; index += 1) input[index] = (pixels[index] ?? 0) / MIDDLE - 1;
  for (let channel = 1; channel < CHANNELS; channel += 1) input.copyWithin(channel * plane, 0, plane);
  return { data: input, width: across };
}
