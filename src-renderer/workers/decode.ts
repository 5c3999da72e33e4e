import type { Decoded, DecodeJob } from './decode-protocol.ts';
import { decodeHeic } from './heic.ts';

/** Turns a picture of any kind into one that every browser shows, no larger than asked for; off the thread that draws the page. */
const QUALITY = 0.85;

self.addEventListener('message', ({ data }: MessageEvent<DecodeJob>) => {
  void decode(data).then((blob) => answer({ id: data.id, blob }), () => answer({ id: data.id, blob: null }));
});
const answer = (decoded: Decoded): void => (self as unknown as Worker).postMessage(decoded);

async function decode({ bytes, isHeic, longest }: DecodeJob): Promise<Blob> {
  const picture = isHeic ? await createImageBitmap(await decodeHeic(bytes)) : await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale)));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gives no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
