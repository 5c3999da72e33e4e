import { setImmediate as nextTurn } from 'node:timers/promises';

/** A long computation that may pause at each `yield`; it should yield every few milliseconds. */
export type Steps<T> = Generator<void, T>;

/** Runs it to the end without pauses, for callers that can't wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs it and yields to the event loop at each pause, so that requests are served in between. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
