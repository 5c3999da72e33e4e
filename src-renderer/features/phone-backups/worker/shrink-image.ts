import { decodeHeic } from './heic.ts';

/** JPEG quality, 0 to 1. */
const QUALITY = 0.85;

/**
 * Converts an image of any kind to JPEG, its longer side at most `maxSide` pixels. The CPU draws it, so that the same
 * image always gives the same bytes.
 */
export async function shrink(bytes: Uint8Array<ArrayBuffer>, isHeic: boolean, maxSide: number): Promise<Blob> {
  const image = isHeic ? await createImageBitmap(await decodeHeic(bytes)) : await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser provides no canvas.');
  context.imageSmoothingQuality = 'high';
  // Transparent pixels become white, as on paper; JPEG would make them black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
