import type { Language } from '../../../src-shared/medical/page.ts';

/** What readers of repeated rows (laboratory, medicines, vaccinations …) know about the document besides its layout. */
export interface RowContext {
  language: Language;
  /**
   * Dates that hold for rows of a page which carry none of their own: when the sample was taken, and the document's
   * event. YYYY-MM-DD.
   */
  dates: (page: number) => { collected: string | null; event: string | null };
  /**
   * First date printed in a text as YYYY-MM-DD, day-month order as decided for this document; null when there is
   * none.
   */
  parseDate: (text: string) => string | null;
  /** The patient's, for reference ranges that differ by sex; null when unknown. */
  sex: 'M' | 'F' | null;
}
