import {
  SAMPLE_PIXELS,
  likelihoodOfPixels,
} from '../../../../../src-shared/ios-backup/artifacts/document-likelihood.ts';

/**
 * How much an image looks like a printed page, 0 to 1; null if the browser cannot decode it. The service computes the
 * same score.
 */
export async function documentLikelihood(bytes: Uint8Array): Promise<number | null> {
  const image = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>])).catch(() => null);
  if (!image) return null;
  const scale = Math.min(1, SAMPLE_PIXELS / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  image.close();
  return likelihoodOfPixels({ data: context.getImageData(0, 0, width, height).data, width, height, channels: 4 });
}
