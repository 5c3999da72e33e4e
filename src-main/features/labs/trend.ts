import type { Comparator } from '../../../src-shared/contract/wire.ts';

export interface Measured {
  value: number;
  comparator: Comparator | null;
}

/** Relative changes below this count as steady: about the repeatability of one laboratory. */
const MAX_STEADY_CHANGE = 0.05;

/** The direction from one result to the next; null if a comparator makes it uncertain. */
export function trendOf(before: Measured | undefined, last: Measured | undefined): 'up' | 'down' | 'steady' | null {
  if (!before || !last) return null;
  if (before.comparator || last.comparator) return openTrend(before, last);
  const change = last.value - before.value;
  if (Math.abs(change) <= MAX_STEADY_CHANGE * Math.abs(before.value)) return 'steady';
  return change > 0 ? 'up' : 'down';
}

const isBelow = ({ comparator }: Measured): boolean => comparator === '<' || comparator === '≤';

/** `<0.3` is any lower value: 0.5 is higher, but 0.2 can't be compared. */
function openTrend(before: Measured, last: Measured): 'up' | 'down' | 'steady' | null {
  if (before.comparator === last.comparator && before.value === last.value) return 'steady';
  const [lowest, highest] = [rangeOf(before), rangeOf(last)];
  if (lowest.to <= highest.from) return 'up';
  return highest.to <= lowest.from ? 'down' : null;
}

function rangeOf(result: Measured): { from: number; to: number } {
  if (result.comparator === null) return { from: result.value, to: result.value };
  return isBelow(result) ? { from: -Infinity, to: result.value } : { from: result.value, to: Infinity };
}
