import type { ImagingSort, REPORT_STATUSES } from '../../src-shared/contract/imaging.ts';
import { isDay, isId, isOneOf, pickSearch } from './search-params.ts';

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

/** The longest kind of images (DICOM PS3.5, CS). */
const MAX_MODALITY = 16;
const SORTS: Record<ImagingSort, true> = {
  modality: true,
  body_part: true,
  study_date: true,
  doctor: true,
  facility: true,
  patient: true,
  report_status: true,
  date_added: true,
};
const REPORTS: Record<(typeof REPORT_STATUSES)[number], true> = { placeholder: true, attached: true };

/** The parameters in an address of Imaging; values that the API would refuse are ignored. */
export const pickStudySearch = (search: Record<string, unknown>): StudySearch =>
  pickSearch(search, STUDY_SEARCH, {
    patient: isId,
    report_status: isOneOf(...Object.keys(REPORTS)),
    modality: (value) => value.length <= MAX_MODALITY,
    date_from: isDay,
    date_to: isDay,
    sort: isOneOf(...Object.keys(SORTS)),
    order: isOneOf('asc', 'desc'),
  });
