/**
 * The English text of every reason why a person should check a document. This is its only source: the API sends it as
 * `detail`, and `locales/en.ts` imports it. `{{field}}` is the name of the field, the other placeholders are `params`.
 */
export const REVIEW_TEXTS = {
  in_trash:
    'A deleted document has this content: {{label}}. Restore it from the trash, or read this one as a new document.',
  no_text: 'No text could be read. Try a better scan, or enter the values by hand.',
  unread_pages: 'These pages took too long to read: {{pages}}. Read the document again to give them more time.',
  low_ocr_confidence: 'The scan is hard to read. Compare the values with the page.',
  no_event_date: 'No medical date was found. Enter it.',
  conflicting_dates: 'Several dates are possible: {{dates}}. Choose one.',
  ambiguous_date_order: 'Day and month of {{date}} may be swapped. Check the date.',
  date_in_future: '{{date}} is in the future. Correct the date.',
  other_patient: 'The page names another patient: {{found}}. Move the document or confirm the patient.',
  several_patients: 'The pages name several people: {{found}}. Upload their papers apart, or decide whose they are.',
  other_birth_date:
    'The birth date on the page, {{found}}, is not that of {{expected}}. Move the document or confirm the patient.',
  other_sex:
    'The images are of a person of sex {{found}}, which is not that of {{expected}}. Move the document or confirm the ' +
    'patient.',
  other_age:
    'The images are of a person aged {{found}}, which does not fit {{expected}}. Move the document or confirm the patient.',
  unnamed_patient: 'The page does not name {{expected}}. Decide whose document it is.',
  patient_assumed: 'The page names nobody. It is filed under {{expected}}, the only person here.',
  no_patient: 'No known patient was found on the page. Choose one.',
  unknown_type: 'The document type could not be determined. Choose one.',
  types_differ: 'The model and the built-in reader see different types of document. Check the type.',
  not_on_the_page: 'The model named values that are not on the page. They were left out: {{values}}.',
  low_confidence_field: 'The {{field}} may be wrong. Check it.',
  low_confidence_rows: 'Uncertain rows: {{count}}. Check them.',
  invoice_total_mismatch: 'The items add up to {{sum}}, but the total is {{total}}. Check the amounts.',
} as const;

export type ReviewCode = keyof typeof REVIEW_TEXTS;
