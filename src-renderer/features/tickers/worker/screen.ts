/** Draws with the firmware's own code; pages must not compile WebAssembly, workers may. */
import wasmAddress from '../../../../resources/ticker/screens.wasm?url';
import { openTickerScreen, TickerScreenError } from '../../../../src-shared/ticker/screen.ts';
import type { ScreenReply, ScreenRequest } from './screen-protocol.ts';

const screen = fetch(wasmAddress)
  .then((reply) => reply.arrayBuffer())
  .then(openTickerScreen);

globalThis.addEventListener('message', ({ data }: MessageEvent<ScreenRequest>) => void draw(data));

async function draw({ id, settings, view }: ScreenRequest): Promise<void> {
  globalThis.postMessage({ id, pixels: await pixelsOf(settings, view) } satisfies ScreenReply);
}

async function pixelsOf(settings: unknown, view: ScreenRequest['view']): Promise<ScreenReply['pixels']> {
  try {
    return (await screen).render(settings, view, 'seen');
  } catch (error) {
    if (error instanceof TickerScreenError) return null;
    throw error;
  }
}
