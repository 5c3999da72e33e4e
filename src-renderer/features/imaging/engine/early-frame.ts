import { fetchFrame, placeOf, type Frame } from './frames.ts';

/** A frame that is on its way. */
interface ComingFrame {
  frame: Promise<Frame>;
  request: AbortController;
}

/** A page that does not come up in this time never takes its frame. */
const KEPT_MS = 15_000;

let early: (ComingFrame & { imageId: string; isTaken: boolean }) | null = null;

export function askForFrame(imageId: string): ComingFrame {
  const request = new AbortController();
  return { frame: fetchFrame(placeOf(imageId), request.signal), request };
}

/**
 * Asks for the first frame of a study while the scripts of its page load. A study that is opened again at once, as by a
 * router that loads its page a second time, has it on its way already.
 */
export function askEarly(imageId: string): void {
  if (early?.imageId === imageId) return;
  if (early && !early.isTaken) early.request.abort();
  const mine = { imageId, isTaken: false, ...askForFrame(imageId) };
  early = mine;
  const forget = (): void => {
    if (early === mine) early = null;
  };
  // Why it fails is said when it is shown, and it is asked for again then.
  mine.frame.catch(forget);
  setTimeout(forget, KEPT_MS);
}

/** The frame that was asked for early, once. */
export function takeEarly(imageId: string): ComingFrame | null {
  if (early?.imageId !== imageId || early.isTaken) return null;
  early.isTaken = true;
  return early;
}
