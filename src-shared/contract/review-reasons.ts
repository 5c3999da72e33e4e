/**
 * The English text of every reason why a person should look at a document, and the only place for it: the API sends it
 * as `detail`, and `locales/en.ts` takes it from here. `{{field}}` is the field's name, the others are the `params`.
 */
export const REVIEW_TEXTS = {
  no_text: 'No text could be read. Try a better scan, or enter the values by hand.',
  low_ocr_confidence: 'The scan is hard to read. Compare the values with the page.',
  no_event_date: 'No medical date was found. Enter it.',
  conflicting_dates: 'Several dates are possible: {{dates}}. Choose one.',
  ambiguous_date_order: 'Day and month of {{date}} may be swapped. Check the date.',
  date_in_future: '{{date}} is in the future. Correct the date.',
  other_patient: 'The page names another patient: {{found}}. Move the document or confirm the patient.',
  no_patient: 'No known patient was found on the page. Choose one.',
  unknown_type: 'The document type could not be determined. Choose one.',
  low_confidence_field: 'The {{field}} may be wrong. Check it.',
  low_confidence_rows: '{{count}} rows need checking.',
  invoice_total_mismatch: 'The items add up to {{sum}}, but the total is {{total}}.',
} as const;

export type ReviewCode = keyof typeof REVIEW_TEXTS;
