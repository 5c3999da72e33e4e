import type { AmrReply, AmrRequest } from '../worker/amr-protocol.ts';
import type { DecodedSound } from '../worker/amr/decode-amr.ts';

/** Decodes an AMR file in a worker of its own, which then ends. Null when it has no audible speech. */
export function decodeSpeech(bytes: Uint8Array, signal: AbortSignal): Promise<DecodedSound | null> {
  const worker = new Worker(new URL('../worker/amr.ts', import.meta.url), { type: 'module', name: 'speech' });
  signal.addEventListener('abort', () => worker.terminate());
  return new Promise<DecodedSound | null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null));
    worker.addEventListener('error', () => resolve(null));
    worker.addEventListener('message', ({ data }: MessageEvent<AmrReply>) => resolve(data.sound));
    worker.postMessage({ bytes } satisfies AmrRequest);
  }).finally(() => worker.terminate());
}
