import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import type { Database } from '../../../platform/database/connection.ts';
import {
  findDoubted,
  findEarlier,
  findResults,
  setDoubts,
  type EarlierResult,
  type StoredResult,
} from './history-repository.ts';

/** With fewer earlier results there is no curve to compare with. */
const MIN_CURVE = 2;
/** A number this many times above or below all earlier ones, or their spread, leaves the curve. */
const MAX_RATIO_TO_EARLIER = 4;
/** Bounds that differ by this factor are those of a lost decimal point, not of a new method. */
const RANGE_FACTOR = 3;

/** Doubts that come from comparing with other documents of the person. */
export const HISTORY_DOUBTS: ReadonlySet<LabDoubt> = new Set(['curve_differs', 'range_differs']);

const doubtsIn = (stored: string | null): LabDoubt[] => (stored === null ? [] : (JSON.parse(stored) as LabDoubt[]));
const withoutHistory = (stored: string | null): LabDoubt[] =>
  doubtsIn(stored).filter((code) => !HISTORY_DOUBTS.has(code));

/**
 * Compares the results of a document with the person's own earlier ones and with the last range of the same laboratory:
 * `curve_differs` and `range_differs` are among their doubts only if they apply to this person. Call it whenever the
 * document was read or got another person. Joins a running transaction.
 */
export function compareWithHistory(db: Database, documentId: number): void {
  for (const { id, doubt } of findDoubted(db, documentId))
    if (withoutHistory(doubt).length < doubtsIn(doubt).length) setDoubts(db, id, withoutHistory(doubt));
  for (const result of findResults(db, documentId)) {
    const earlier = findEarlier(db, documentId, result);
    const found: LabDoubt[] = [
      ...(leavesCurve(result, earlier) ? (['curve_differs'] as const) : []),
      ...(hasOtherRange(result, earlier) ? (['range_differs'] as const) : []),
    ];
    if (found.length === 0) continue;
    setDoubts(db, result.id, [...withoutHistory(result.doubt), ...found]);
  }
}

function leavesCurve({ value }: StoredResult, earlier: readonly EarlierResult[]): boolean {
  if (earlier.length < MIN_CURVE) return false;
  const values = earlier.map((one) => one.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least > 0 && (value > MAX_RATIO_TO_EARLIER * most || value < least / MAX_RATIO_TO_EARLIER);
}

function hasOtherRange(result: StoredResult, earlier: readonly EarlierResult[]): boolean {
  const last = earlier.find((one) => one.is_same_house === 1);
  if (!last) return false;
  const differs = (now: number | null, before: number | null): boolean =>
    now !== null && before !== null && now > 0 && before > 0 && Math.max(now / before, before / now) >= RANGE_FACTOR;
  return (
    differs(result.reference_range_low, last.reference_range_low) ||
    differs(result.reference_range_high, last.reference_range_high)
  );
}
