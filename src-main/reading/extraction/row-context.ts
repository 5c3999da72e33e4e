import type { Language } from '../../../src-shared/medical/page.ts';

/**
 * What readers of repeated rows (laboratory, medicines, vaccinations …) know about the document in addition to its
 * layout.
 */
export interface RowContext {
  language: Language;
  /** Dates for rows of a page that have no date: when the sample was taken, and the document's event. YYYY-MM-DD. */
  dates: (page: number) => { collected: string | null; event: string | null };
  /** Returns the first date printed in a text as YYYY-MM-DD, in the day-month order of this document, or null. */
  parseDate: (text: string) => string | null;
  /** The patient's sex, for reference ranges that depend on it; null if unknown. */
  sex: 'M' | 'F' | null;
}
