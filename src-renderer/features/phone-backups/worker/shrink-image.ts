import { decodeHeic } from './heic.ts';

const QUALITY = 0.85;

/** A picture of any kind as JPEG, no larger than `longest` pixels. Drawn by the processor, so that the same picture gives the same bytes. */
export async function shrink(bytes: Uint8Array<ArrayBuffer>, isHeic: boolean, longest: number): Promise<Blob> {
  const picture = isHeic
    ? await createImageBitmap(await decodeHeic(bytes))
    : await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser gives no canvas.');
  context.imageSmoothingQuality = 'high';
  // Transparent pixels become white, as on paper; JPEG would make them black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
