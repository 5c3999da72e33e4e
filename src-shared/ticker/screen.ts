/** The ticker's screens, drawn by the firmware's own core as WebAssembly (resources/ticker/screens.wasm): never a second drawing. */

export type TickerReason =
  | 'none'
  | 'not-yet'
  | 'not-configured'
  | 'no-network'
  | 'no-address'
  | 'no-connection'
  | 'tls-failed'
  | 'certificate'
  | 'too-slow'
  | 'rate-limited'
  | 'http-status'
  | 'bad-answer'
  | 'too-large'
  | 'unknown-symbol'
  | 'no-price'
  | 'source-says-no'
  | 'low-memory';

/** What the device knows of one symbol; one for each of `ticker.symbols`, in their order. */
export type TickerQuote = {
  state: 'empty' | 'fresh' | 'stale';
  price?: number;
  /** The close of the day before: change and percent derive from it. */
  previous?: number;
  /** ISO code, or with `currencyIsPrefix` the text before the price. */
  currency?: string;
  currencyIsPrefix?: boolean;
  name?: string;
  /** Label of the span that `spark` covers; without it that of the settings. */
  range?: string;
  /** At most 60 closes, oldest first. */
  spark?: number[];
  reason?: TickerReason;
  httpStatus?: number;
  ageS?: number;
};

export type TickerView = {
  scene:
    | 'boot'
    | 'joined'
    | 'setup'
    | 'ticker'
    | 'portfolio'
    | 'clock'
    | 'no-symbols'
    | 'no-network'
    | 'updating'
    | 'safe-mode';
  /** Which of `ticker.symbols` the ticker page shows. */
  index?: number;
  page?: number;
  pages?: number;
  /** Percent of the backlight, the night already taken in. */
  brightness?: number;
  night?: boolean;
  online?: boolean;
  /** Seconds since 1970 of the local clock; null = not known. */
  time?: number | null;
  network?: string;
  address?: string;
  /** Percent of an update. */
  progress?: number;
  quotes?: TickerQuote[];
};

/** `panel`: what leaves to the panel, turned and in the owner's colour settings. `seen`: upright and dimmed, as before a panel that is set up right. */
export type TickerLook = 'panel' | 'seen';

export const TICKER_SIDE = 240;

/** The settings or the view cannot be drawn; `detail` tells which key breaks which rule where the core knows. */
export class TickerScreenError extends Error {
  override name = 'TickerScreenError';
  readonly code: 'settings' | 'view' | 'too_large';
  readonly detail: string;
  constructor(code: TickerScreenError['code'], detail: string) {
    super(`ticker screen: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

export type TickerScreen = {
  /** Draws 240 × 240 pixels (red, green, blue, 255). `settings` is the device's settings object, partial ones over the defaults. The result is the caller's own. */
  render(settings: unknown, view: TickerView, look: TickerLook): Uint8ClampedArray<ArrayBuffer>;
};

type Core = {
  _initialize(): void;
  memory: WebAssembly.Memory;
  input(): number;
  inputBytes(): number;
  picture(): number;
  complaint(): number;
  render(settings: number, view: number, seen: number): number;
};

/** Takes the bytes of screens.wasm; one instance serves any number of pictures. */
export async function openTickerScreen(wasm: BufferSource): Promise<TickerScreen> {
  const { instance } = await WebAssembly.instantiate(wasm, {});
  const core = instance.exports as unknown as Core;
  core._initialize();
  return {
    render(settings, view, look) {
      const [first, second] = [settings, view].map((part) => new TextEncoder().encode(JSON.stringify(part)));
      if (!first || !second || first.length + second.length > core.inputBytes())
        throw new TickerScreenError('too_large', `settings and view are longer than ${core.inputBytes()} bytes`);
      const input = new Uint8Array(core.memory.buffer, core.input(), first.length + second.length);
      input.set(first);
      input.set(second, first.length);
      const outcome = core.render(first.length, second.length, look === 'seen' ? 1 : 0);
      if (outcome === 1) throw new TickerScreenError('settings', textAt(core.memory, core.complaint()));
      if (outcome !== 0) throw new TickerScreenError('view', 'the view has a key or a value that no screen knows');
      return new Uint8ClampedArray(
        core.memory.buffer.slice(core.picture(), core.picture() + TICKER_SIDE * TICKER_SIDE * 4) as ArrayBuffer,
      );
    },
  };
}

function textAt(memory: WebAssembly.Memory, address: number): string {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}
