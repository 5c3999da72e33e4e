/** The search parameters of the address of Imaging: the chosen person, and filters named as in the API. */
export const STUDY_SEARCH = [
  'patient',
  'modality',
  'report_status',
  'q',
  'date_from',
  'date_to',
  'sort',
  'order',
] as const;
export type StudySearch = Partial<Record<(typeof STUDY_SEARCH)[number], string>>;
