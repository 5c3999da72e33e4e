import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** What V8 has: the space for young objects doubles when many survive. */
const USUAL_GROWTH = 2;
const GROWTH_AT_START = 4;
/** V8 would let each of the two halves grow to 64, and a large upload fill them. */
const MAX_HALF_MEBIBYTES = 16;
const MEBIBYTE = 2 ** 20;

/**
 * Lets the space for young objects grow at once while the program starts: nearly everything that a start makes stays,
 * and each of the collections on the way to the same size copies it.
 */
export const growAtOnce = (): void => setFlagsFromString(`--semi-space-growth-factor=${GROWTH_AT_START}`);

/**
 * Ends the growth of the space for young objects if it is as large as it may become. The factor is that of all threads;
 * later ones begin with half of what they might grow to.
 */
export function endGrowth(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young === undefined || young.space_size < 2 * MAX_HALF_MEBIBYTES * MEBIBYTE) return false;
  setFlagsFromString(`--min-semi-space-size=${MAX_HALF_MEBIBYTES / 2}`);
  setFlagsFromString(`--max-semi-space-size=${MAX_HALF_MEBIBYTES}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  return true;
}

/** Lets it grow as V8 has it, up to the same size. */
export function growAsUsual(): void {
  if (endGrowth()) return;
  setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`);
  new PerformanceObserver((_, observer) => {
    if (endGrowth()) observer.disconnect();
  }).observe({ entryTypes: ['gc'] });
}
