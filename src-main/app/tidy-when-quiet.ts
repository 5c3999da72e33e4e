import type { Clock } from '../platform/kernel/clock.ts';

/** Time between two checks. */
const CHECK_MS = 1500;
/** No request for this long counts as quiet: tidying blocks the event loop for about a tenth of a second. */
const QUIET_MS = 1000;

export interface TidyDeps {
  clock: Clock;
  /** Time of the last request. */
  lastRequest(): number;
  isReading(): boolean;
  tidy(signal: AbortSignal): Promise<void>;
}

/** Tidies once, at the first moment when nobody waits for an answer and nothing is being read. */
export async function tidyWhenQuiet(
  { clock, lastRequest, isReading, tidy }: TidyDeps,
  signal: AbortSignal,
): Promise<void> {
  while (await clock.sleep(CHECK_MS, signal)) {
    if (clock.now() - lastRequest() < QUIET_MS || isReading()) continue;
    return tidy(signal);
  }
}
