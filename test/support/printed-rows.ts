import { buildLayout } from '../../src-main/reading/extraction/layout/layout.ts';
import { readMedications } from '../../src-main/reading/extraction/medicines/medicines.ts';
import type { RowContext } from '../../src-main/reading/extraction/row-context.ts';
import { printedPage } from '../fixtures/printed-page.ts';

/** What readers of rows know about an English document without dates. */
export const rowContext: RowContext = {
  language: 'en',
  sex: null,
  dates: () => ({ collected: null, event: null }),
  parseDate: () => null,
};

/** The medicines on a page of these lines. */
export const medicineRows = (lines: readonly string[]) =>
  readMedications(buildLayout([printedPage(lines)]), rowContext);

/** Name, dosage and frequency of the medicines on a page of these lines. */
export const medicinesIn = (lines: readonly string[]) =>
  medicineRows(lines).map((row) => [row.brand_name ?? row.active_ingredient_original, row.dosage, row.frequency]);
