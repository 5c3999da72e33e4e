import type { ReviewReason } from '../../../reading/extraction/extraction.ts';

/** English text of review reasons, for API clients; the user interface words them by code. */
const SENTENCES: Record<ReviewReason['code'], string> = {
  no_text: 'No text was found. Upload a better scan or fill in the fields.',
  low_ocr_confidence: 'The scan is hard to read. Check the extracted values.',
  no_event_date: 'No date was found. Enter the date.',
  conflicting_dates: 'Several dates are possible: {dates}. Select one.',
  ambiguous_date_order: 'The date {date} is ambiguous. Check day and month.',
  date_in_future: 'The date {date} is in the future.',
  other_patient: 'The document names {found} but is filed under {expected}.',
  no_patient: 'No patient name was found.',
  unknown_type: 'The document type was not recognized.',
  low_confidence_field: 'The value of {field} is uncertain.',
  low_confidence_rows: '{count} rows need checking.',
  invoice_total_mismatch: 'The items add up to {sum}, but the stated total is {total}.',
};

/** Adds the English text to a stored review reason. */
export function withDetail(reason: ReviewReason): ReviewReason & { detail: string } {
  const params: Record<string, string | number> = { ...(reason.field && { field: reason.field }), ...reason.params };
  return {
    ...reason,
    detail: (SENTENCES[reason.code] ?? 'Check this document.').replace(/\{(\w+)\}/g, (_, name: string) =>
      String(params[name] ?? '?'),
    ),
  };
}
