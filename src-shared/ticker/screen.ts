/**
 * The ticker's screens, rendered by the firmware's own core in WebAssembly (resources/ticker/screens.wasm), so that
 * there is only one implementation.
 */

/** The scenes of firmware/core/app/view.h. */
export const TICKER_SCENES = [
  'boot',
  'joined',
  'setup',
  'ticker',
  'portfolio',
  'clock',
  'no-symbols',
  'no-network',
  'updating',
  'safe-mode',
  'confirm',
  'watchlist',
  'loader',
] as const;

/** Why a quote has no current price, by the names of firmware/render/scene.cpp. */
export const TICKER_REASONS = [
  'none',
  'not-yet',
  'not-configured',
  'no-network',
  'no-address',
  'no-connection',
  'tls-failed',
  'certificate',
  'too-slow',
  'rate-limited',
  'http-status',
  'bad-answer',
  'too-large',
  'unknown-symbol',
  'no-price',
  'source-says-no',
  'low-memory',
] as const;
export type TickerReason = (typeof TICKER_REASONS)[number];

/** The data of a symbol; one for each of `ticker.symbols`, in the same order. */
export type TickerQuote = {
  state: 'empty' | 'fresh' | 'stale';
  price?: number;
  /** The previous close, from which change and percentage are derived. */
  previous?: number;
  /** The ISO code; with `currencyIsPrefix` the text before the price. */
  currency?: string;
  currencyIsPrefix?: boolean;
  market?: 'unknown' | 'open' | 'closed' | 'before' | 'after';
  /** Last trade, in seconds since 1970 on the clock of the exchange. */
  traded?: number;
  /** Price of the fetch before, while the changed digits flash. */
  before?: number;
  /** Price outside the regular hours. */
  extended?: number;
  /** Place of the price between low (1) and high (101), of the day and of 52 weeks. */
  dayPlace?: number;
  yearPlace?: number;
  name?: string;
  /** The label of the period that `spark` covers; by default the one in the settings. */
  range?: string;
  /** At most 60 closes, oldest first. */
  spark?: number[];
  reason?: TickerReason;
  httpStatus?: number;
  ageS?: number;
};

export type TickerView = {
  scene: (typeof TICKER_SCENES)[number];
  /** The index in `ticker.symbols` of the symbol that the ticker page shows. */
  index?: number;
  page?: number;
  pages?: number;
  /** The backlight in percent, including the reduction at night. */
  brightness?: number;
  night?: boolean;
  online?: boolean;
  /** Seconds since 1970 on the local clock; null if unknown. */
  time?: number | null;
  network?: string;
  address?: string;
  /** Progress of an update, in percent. */
  progress?: number;
  quotes?: TickerQuote[];
};

/**
 * `panel`: the pixels sent to the panel, rotated and in the configured colors. `seen`: upright and dimmed, as people
 * see them on a panel that is set up correctly.
 */
export type TickerLook = 'panel' | 'seen';

/** Width and height of the screen, in pixels. */
export const TICKER_SIDE = 240;

/** The settings or the view can't be rendered. `detail` says which key violates which rule, if the core knows. */
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
  /**
   * Renders 240 × 240 pixels (red, green, blue, 255) into an array owned by the caller. `settings` is the device's
   * settings object; missing keys have their default values.
   */
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

/** Loads the bytes of screens.wasm; one instance renders any number of images. */
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
      if (outcome !== 0) throw new TickerScreenError('view', 'the view has an unknown key or value');
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
