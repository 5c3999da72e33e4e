import type { LabResult } from '../../../../src-shared/contract/labs.ts';

/** The bar extends half the range's width on either side; values further out are drawn at the edge. */
const MARGIN = 0.5;

/**
 * Computes the positions of range and value on a bar, in shares 0–1 of its length; null without numbers to compare. A
 * range with one bound starts or ends with the bar.
 */
export function rangeBar({
  value,
  reference_range_low: low,
  reference_range_high: high,
}: Pick<LabResult, 'value' | 'reference_range_low' | 'reference_range_high'>): {
  from: number;
  to: number;
  at: number;
} | null {
  if (value === null || (low === null && high === null)) return null;
  const span = low !== null && high !== null ? high - low : Math.abs(high ?? low ?? 0);
  if (span <= 0) return null;
  const start = low === null ? (high as number) - span : low - span * MARGIN;
  const end = high === null ? (low as number) + span : high + span * MARGIN;
  const share = (number: number) => Math.min(1, Math.max(0, (number - start) / (end - start)));
  return { from: low === null ? 0 : share(low), to: high === null ? 1 : share(high), at: share(value) };
}

export interface ResultGroup {
  panel: string | null;
  results: LabResult[];
}

/** Groups results by panel in the order of the page; a single panel gets no heading. */
export function groupByPanel(results: readonly LabResult[]): ResultGroup[] {
  const groups = [...Map.groupBy(results, (result) => result.panel_name)].map(([panel, rows]) => ({
    panel,
    results: rows,
  }));
  return groups.length === 1 ? [{ panel: null, results: [...results] }] : groups;
}
