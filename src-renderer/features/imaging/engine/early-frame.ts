import { fetchFrame, placeOf, type Frame } from './frames.ts';

/** A frame that is on its way. */
interface ComingFrame {
  frame: Promise<Frame>;
  request: AbortController;
}

/** A page that does not come up in this time never takes its frame. */
const KEPT_MS = 15_000;

let early: (ComingFrame & { imageId: string }) | null = null;

export function askForFrame(imageId: string): ComingFrame {
  const request = new AbortController();
  return { frame: fetchFrame(placeOf(imageId), request.signal), request };
}

/** Asks for the first frame of a study while the scripts of its page load. */
export function askEarly(imageId: string): void {
  early?.request.abort();
  const mine = { imageId, ...askForFrame(imageId) };
  early = mine;
  // Why it fails is said when it is shown.
  mine.frame.catch(() => undefined);
  setTimeout(() => {
    if (early === mine) early = null;
  }, KEPT_MS);
}

/** The frame that was asked for early, once. */
export function takeEarly(imageId: string): ComingFrame | null {
  if (early?.imageId !== imageId) return null;
  const taken = early;
  early = null;
  return taken;
}
