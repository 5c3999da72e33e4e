import wasmUrl from '../../../../resources/sound/amr.wasm?url';
import type { AmrAnswer, AmrJob } from './amr-protocol.ts';
import { decodeAmr } from './amr/decode-amr.ts';

/** Decodes one AMR file: a damaged one takes only this worker with it. */
self.addEventListener('message', ({ data: { bytes } }: MessageEvent<AmrJob>) => {
  void decoders()
    .then((module) => decodeAmr(bytes, module))
    .then(answer, () => answer(null));
});
const decoders = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await (await fetch(wasmUrl)).arrayBuffer());
const answer = (sound: AmrAnswer['sound']): void =>
  (self as unknown as Worker).postMessage({ sound } satisfies AmrAnswer, sound ? [sound.wave.buffer] : []);
