import type { TickerPort } from '../../../src-shared/ticker/port.ts';

/** The port that the user selected last: the bench gives it to the page of the device. */
let held: TickerPort | null = null;

export const heldPort = (): TickerPort | null => held;

/** Asks for a port; null if the user closed the picker. */
export async function selectPort(): Promise<TickerPort | null> {
  try {
    held = await navigator.serial!.requestPort();
    return held;
  } catch (error) {
    // Closing the picker is not a failure.
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw error;
  }
}
