import type { TickerPort } from '../../../src-shared/ticker/port.ts';

/** The port that the user selected last: the bench gives it to the page of the device. */
let held: TickerPort | null = null;

export const heldPort = (): TickerPort | null => held;

/**
 * The port that was selected last. A board that was plugged in again has another one: the browser gives it if it remembers
 * the board, otherwise the user selects it anew. Call it on a click; null if nothing was selected.
 */
export async function currentPort(): Promise<TickerPort | null> {
  if (held === null || held.connected !== false) return held;
  const lost = JSON.stringify(held.getInfo());
  const alike = (await navigator.serial!.getPorts()).filter(
    (port) => port.connected !== false && JSON.stringify(port.getInfo()) === lost,
  );
  if (alike.length !== 1) return selectPort();
  [held = null] = alike;
  return held;
}

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
