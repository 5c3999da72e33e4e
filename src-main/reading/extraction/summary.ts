import type { Extraction } from './extraction.ts';
import { foldLetters } from './fold.ts';
import { TYPE_RULES } from './types/type-rules.ts';

const MAX_LISTED = 4;
const list = (items: readonly string[]): string =>
  items.length > MAX_LISTED
    ? `${items.slice(0, MAX_LISTED).join(', ')} and ${items.length - MAX_LISTED} more`
    : items.join(', ');

/** The rows that a summary counts and quotes: as they were read, or as they are stored after a user changed them. */
export interface SummaryRows {
  diagnoses: readonly { diagnosis_original: string; diagnosis_code: string | null }[];
  lab_results: readonly {
    test_name_original: string;
    value_text: string | null;
    unit: string | null;
    is_abnormal: boolean | null;
    doubt: readonly string[];
  }[];
  medications: readonly {
    brand_name: string | null;
    active_ingredient_original: string | null;
    dosage: string | null;
    frequency: string | null;
  }[];
  vaccinations: readonly { vaccine_name: string }[];
}
type Read = Omit<Extraction, 'summary_en' | 'filename_stem' | 'review_reasons' | keyof SummaryRows> & SummaryRows;

function periodOf({ admission_date: admission, discharge_date: discharge, event_date: event }: Read): string {
  if (admission && discharge) return `, stay from ${admission.value} to ${discharge.value}`;
  return event ? ` of ${event.value}` : '';
}

const describeDiagnosis = ({ diagnosis_original, diagnosis_code }: Read['diagnoses'][number]): string =>
  diagnosis_code ? `${diagnosis_original} (${diagnosis_code})` : diagnosis_original;

const describeMedication = (row: Read['medications'][number]): string =>
  [row.brand_name ?? row.active_ingredient_original, row.dosage, row.frequency].filter(Boolean).join(' ');

/** Counts the results and quotes those outside of their range. A doubtful one is only counted, as uncertain. */
function describeResults(labs: Read['lab_results']): string {
  const sure = labs.filter(({ doubt }) => doubt.length === 0);
  const uncertain = labs.length - sure.length;
  const abnormal = sure
    .filter((row) => row.is_abnormal && row.value_text !== null)
    .map((row) => `${row.test_name_original} ${row.value_text}${row.unit ? ` ${row.unit}` : ''}`);
  const count = `${labs.length} results${uncertain > 0 ? ` (${uncertain} uncertain)` : ''}`;
  if (abnormal.length > 0) return `${count}, outside their range: ${list(abnormal)}.`;
  if (sure.length === 0) return `${count}.`;
  return uncertain > 0 ? `${count}, the others within their ranges.` : `${count}, all within their ranges.`;
}

/** Writes one to three English sentences from the extracted fields only. */
export function summarize(read: Read): string {
  const from = read.facility_name?.value ? ` from ${read.facility_name.value}` : '';
  const by = read.doctor_name?.value ? ` (${read.doctor_name.value})` : '';
  const sentences = [`${TYPE_RULES[read.doc_type.value].summaryName}${from}${by}${periodOf(read)}.`];
  const subject = subjectIn(read);
  if (subject) sentences.push(`${read.doc_type.value === 'other' ? 'Subject' : 'Examination'}: ${subject}.`);
  const { diagnoses, lab_results: labs, medications, vaccinations, invoice_total: total } = read;
  if (diagnoses.length) sentences.push(`Diagnoses: ${list(diagnoses.map(describeDiagnosis))}.`);
  if (labs.length) sentences.push(describeResults(labs));
  if (medications.length) sentences.push(`Medicines: ${list(medications.map(describeMedication))}.`);
  if (vaccinations.length) sentences.push(`Vaccinations: ${list(vaccinations.map((row) => row.vaccine_name))}.`);
  if (total)
    sentences.push(`Total ${total.value.amount.toFixed(2)}${total.value.currency ? ` ${total.value.currency}` : ''}.`);
  const conclusion =
    sentences.length < 3 && labs.length + medications.length + vaccinations.length === 0 && !total
      ? firstSentence(read.findings?.value ?? '')
      : null;
  if (conclusion) sentences.push(`Conclusion: ${conclusion}`);
  return sentences.slice(0, 3).join(' ');
}

const MAX_SUBJECT_LETTERS = 80,
  MAX_CONCLUSION_LETTERS = 160;
/** Titles that add nothing to the type. */
const PLAIN_TITLE = new RegExp(
  [
    String.raw`^\P{L}*(?:radiolog|imaging|diagnostic imaging|compte rendu|rapport d|referto(?: radiologico)?$|`,
    String.raw`befund|bericht|röntgenbefund$|x-?ray report$|(?:mri|ct|mrt|irm|rm|tc|tac|rx) ?(?:report|befund|`,
    String.raw`bericht)?$)`,
  ].join(''),
  'iu',
);

const DATE_OF_TITLE = new RegExp(
  [
    String.raw`(?:,|\s(?:vom|du|del|of|dated|on|le|il|am))?\s*(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}|`,
    String.raw`\d{4}-\d\d-\d\d|\d{1,2}\.?(?:er)? \p{L}{3,9}\.? \d{4}|\p{L}{3,9} \d{1,2}, \d{4}).*$`,
  ].join(''),
  'u',
);

/**
 * The examination, or the title that a document of an unknown type gives itself, without its date; null if it adds no
 * information.
 */
function subjectIn({ doc_type: type }: Read): string | null {
  if (type.value !== 'imaging_report' && type.value !== 'other') return null;
  const title = (type.label ?? '')
    .replace(DATE_OF_TITLE, '')
    .replace(/^[\s:–-]+|[\s:.–-]+$/gu, '')
    .trim();
  return /\p{L}{2}/u.test(title) && title.length <= MAX_SUBJECT_LETTERS && !PLAIN_TITLE.test(title) ? title : null;
}

/** The first sentence of a passage, with its period. */
function firstSentence(text: string): string | null {
  const sentence = /^.{10,}?[.!](?=\s|$)/u.exec(text.trim())?.[0] ?? '';
  return sentence !== '' && sentence.length <= MAX_CONCLUSION_LETTERS ? sentence : null;
}

const STEM_LETTERS = 60;

/** `lab-test_synlabor-mittelland`: type and facility in lower-case ASCII. */
export function filenameStem(read: Pick<Read, 'doc_type' | 'facility_name' | 'doctor_name'>): string {
  const ascii = (text: string): string =>
    foldLetters(text.replace(/[äÄ]/g, 'ae').replace(/[öÖ]/g, 'oe').replace(/[üÜ]/g, 'ue'))
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
  const house = read.facility_name?.value ?? read.doctor_name?.value ?? '';
  const parts = [
    read.doc_type.value === 'other' ? 'document' : read.doc_type.value.replaceAll('_', '-'),
    ascii(house),
  ].filter((part) => part !== '');
  return parts
    .join('_')
    .slice(0, STEM_LETTERS)
    .replace(/[-_]+$/, '');
}
