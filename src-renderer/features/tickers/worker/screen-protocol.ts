import type { TickerView } from '../../../../src-shared/ticker/screen.ts';

/** A picture that the page wants. */
export interface ScreenRequest {
  id: number;
  settings: unknown;
  view: TickerView;
}

/** Its pixels (red, green, blue, 255), or null if the settings can't be drawn. */
export interface ScreenReply {
  id: number;
  pixels: Uint8ClampedArray<ArrayBuffer> | null;
}
