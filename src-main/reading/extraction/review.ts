import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Extraction, ReaderContext, ReviewReason } from './extraction.ts';
import { patientReasons } from './patient-decision.ts';

/** Values below these confidences need a review. */
const MIN_OCR_CONFIDENCE = 0.6;
const MIN_FIELD_CONFIDENCE = 0.45;
const MIN_ROW_CONFIDENCE = 0.5;
const MIN_TYPE_CONFIDENCE = 0.5;
const MIN_LETTERS = 20;

/** Whether somebody should look at a row. */
export const isDoubtful = (row: { confidence: number; doubt?: readonly string[] | null }): boolean =>
  row.confidence < MIN_ROW_CONFIDENCE || (row.doubt ?? []).length > 0;

type Read = Omit<Extraction, 'summary_en' | 'filename_stem' | 'review_reasons'>;

/**
 * Reasons to review the document: those of the dates and all others. For a page without text, that is the only reason.
 */
export function reviewReasons(
  pages: readonly PageText[],
  read: Read,
  context: ReaderContext,
  dateReasons: readonly ReviewReason[],
  mismatch: { sum: number; total: number } | null,
): ReviewReason[] {
  const letters = pages.reduce((sum, page) => sum + page.text.replace(/\s/g, '').length, 0);
  const unread = pages.filter((page) => page.isUnread).map(({ page }) => page);
  const unreadReasons: ReviewReason[] =
    unread.length > 0 ? [{ code: 'unread_pages', params: { pages: unread.join(', ') } }] : [];
  if (letters < MIN_LETTERS) return [...unreadReasons, { code: 'no_text' }];
  const reasons: ReviewReason[] = [...unreadReasons, ...dateReasons];
  const ocr = pages.filter((page) => page.source === 'ocr' && page.text.length > 0);
  const confidence = ocr.reduce((sum, page) => sum + page.confidence, 0) / (ocr.length || 1);
  if (ocr.length > 0 && confidence < MIN_OCR_CONFIDENCE)
    reasons.push({ code: 'low_ocr_confidence', params: { percent: Math.round(confidence * 100) } });
  reasons.push(...patientReasons(read.patient, context));
  if (read.doc_type.value !== 'other' && read.doc_type.confidence < MIN_TYPE_CONFIDENCE)
    reasons.push({ code: 'unknown_type', field: 'doc_type' });
  for (const field of ['event_date', 'doctor_name', 'facility_name'] as const) {
    const found = read[field];
    if (found && found.confidence < MIN_FIELD_CONFIDENCE)
      reasons.push({ code: 'low_confidence_field', field, params: { field } });
  }
  const rows = [...read.lab_results, ...read.medications, ...read.vaccinations, ...read.diagnoses];
  const doubtful = rows.filter(isDoubtful).length;
  if (doubtful > 0) reasons.push({ code: 'low_confidence_rows', params: { count: doubtful } });
  if (mismatch)
    reasons.push({
      code: 'invoice_total_mismatch',
      params: { sum: mismatch.sum.toFixed(2), total: mismatch.total.toFixed(2) },
    });
  return reasons;
}
