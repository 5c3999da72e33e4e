import wasmUrl from '../../../../resources/sound/amr.wasm?url';
import type { AmrReply, AmrRequest } from './amr-protocol.ts';
import { decodeAmr } from './amr/decode-amr.ts';

/** Decodes one AMR file; a damaged file that crashes the decoder ends only this worker. */
self.addEventListener('message', ({ data: { bytes } }: MessageEvent<AmrRequest>) => {
  void loadDecoders()
    .then((module) => decodeAmr(bytes, module))
    .then(reply, () => reply(null));
});
const loadDecoders = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await (await fetch(wasmUrl)).arrayBuffer());
const reply = (sound: AmrReply['sound']): void =>
  (self as unknown as Worker).postMessage({ sound } satisfies AmrReply, sound ? [sound.wave.buffer] : []);
