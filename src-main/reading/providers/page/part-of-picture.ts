import type { PageImage } from '../provider.ts';

/** A rectangle in fractions of the picture, from the top left corner. */
interface Part {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Cuts a part out of an encoded picture, as PNG; null if a side of it has fewer than `minSide` pixels. */
export async function cutPart(data: Uint8Array, { x, y, w, h }: Part, minSide: number): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(data).metadata();
  const [left, top] = [Math.floor(x * width), Math.floor(y * height)];
  const size = {
    width: Math.min(Math.ceil(w * width), width - left),
    height: Math.min(Math.ceil(h * height), height - top),
  };
  if (size.width < minSide || size.height < minSide) return null;
  return sharp(data)
    .extract({ left, top, ...size })
    .png()
    .toBuffer();
}

/** A PNG as engines of text recognition take it. */
export async function toPageImage(png: Buffer): Promise<PageImage> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}
