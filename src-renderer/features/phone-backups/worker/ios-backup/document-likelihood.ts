import { PAPER_PIXELS, paperShareOf } from '../../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';

/** How much a picture looks like a page of print, 0 to 1; null of what the browser does not decode. The same guess as the service's. */
export async function paperShare(bytes: Uint8Array): Promise<number | null> {
  const picture = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>])).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, PAPER_PIXELS / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale)),
    height = Math.max(1, Math.round(picture.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return paperShareOf({ data: context.getImageData(0, 0, width, height).data, width, height, channels: 4 });
}
