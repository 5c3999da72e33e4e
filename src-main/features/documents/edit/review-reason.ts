import type { ReviewReason } from '../../../reading/extraction/extraction.ts';

/** English sentences for the reasons of a review; the interface has its own, by code. */
const SENTENCES: Record<ReviewReason['code'], string> = {
  no_text: 'No text could be read. Try a better scan, or enter the fields by hand.',
  low_ocr_confidence: 'The scan is hard to read; look over what was found.',
  no_event_date: 'No date was found. Enter when it happened.',
  conflicting_dates: 'Several dates could be meant: {dates}. Choose one.',
  ambiguous_date_order: 'The date {date} can be read in two ways. Check day and month.',
  date_in_future: 'The date {date} lies in the future.',
  other_patient: 'The page names {found}, but the document is filed under {expected}.',
  no_patient: 'The page names no patient.',
  unknown_type: 'The kind of document could not be told.',
  low_confidence_field: 'The reader is not sure of {field}.',
  low_confidence_rows: 'The reader is not sure of {count} rows.',
  invoice_total_mismatch: 'The lines add up to {sum}, but the total says {total}.',
};

export function withSentence(reason: ReviewReason): ReviewReason & { detail: string } {
  const params: Record<string, string | number> = { ...(reason.field && { field: reason.field }), ...reason.params };
  return {
    ...reason,
    detail: (SENTENCES[reason.code] ?? 'Please look over this document.').replace(/\{(\w+)\}/g, (_, name: string) =>
      String(params[name] ?? '?'),
    ),
  };
}
