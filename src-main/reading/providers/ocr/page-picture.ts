import type { PageImage } from '../provider.ts';

/** A prepared page as PNG, for services. */
export async function toPng({ pixels, width, height }: PageImage): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** A picture in another format as PNG, which every vision model takes. */
export async function asPng(data: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(data).png({ compressionLevel: 6 }).toBuffer();
}
