import { printedPage } from '../fixtures/printed-page.ts';
import { findDates } from '../../src-main/reading/extraction/fields/date-text.ts';
import { buildLayout } from '../../src-main/reading/extraction/layout/layout.ts';
import type { PageText } from '../../src-shared/medical/page.ts';
import type { RowContext } from '../../src-main/reading/extraction/row-context.ts';
import { readLabResults } from '../../src-main/reading/extraction/labs/labs.ts';

const ctx: RowContext = {
  language: 'de',
  sex: 'F',
  dates: () => ({ collected: '2024-05-04', event: null }),
  parseDate: (text) => findDates(text, '2026-01-01')[0]?.dmy ?? null,
};
/** Reads the results of pages. */
export const rowsOfPage = (page: PageText) => readLabResults(buildLayout([page]), ctx);
/** Reads the results of a printed or scanned page. */
export const rowsOf = (lines: readonly string[], scanned = false) => {
  const page = printedPage(lines);
  return rowsOfPage(scanned ? { ...page, source: 'ocr' } : page);
};
/** Name, value, unit, range and whether abnormal of each result. */
export const read = (lines: readonly string[], scanned = false) =>
  rowsOf(lines, scanned).map((row) => [
    row.test_name_original,
    row.value,
    row.unit,
    row.reference_range_low,
    row.reference_range_high,
    row.is_abnormal,
  ]);
