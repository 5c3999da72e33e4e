import type { Decoded, DecodeJob } from './decode-protocol.ts';
import { shrink } from './shrink-image.ts';

/** Turns a picture of any kind into one that every browser shows, no larger than asked for; off the thread that draws the page. */
self.addEventListener('message', ({ data: { id, bytes, isHeic, longest } }: MessageEvent<DecodeJob>) => {
  void shrink(bytes, isHeic, longest).then(
    (blob) => answer({ id, blob }),
    () => answer({ id, blob: null }),
  );
});
const answer = (decoded: Decoded): void => (self as unknown as Worker).postMessage(decoded);
