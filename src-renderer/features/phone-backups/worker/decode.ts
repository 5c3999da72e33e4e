import type { DecodeReply, DecodeRequest } from './decode-protocol.ts';
import { shrink } from './shrink-image.ts';

/** Converts images of any kind to ones that every browser shows, off the main thread. */
self.addEventListener('message', ({ data: { id, bytes, isHeic, maxSide } }: MessageEvent<DecodeRequest>) => {
  void shrink(bytes, isHeic, maxSide).then(
    (blob) => reply({ id, blob }),
    () => reply({ id, blob: null }),
  );
});
const reply = (message: DecodeReply): void => (self as unknown as Worker).postMessage(message);
