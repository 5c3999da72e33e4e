import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats, type Formats } from '../../../client/format.ts';
import { labValueText } from '../../../client/lab-text.ts';
import { useTestName } from '../../../client/test-name.ts';

const MAX_LISTED = 4;
/** The reader that works by rules: its English summary says nothing that the rows do not say. */
const BUILT_IN = 'builtin';

interface Words {
  t: TFunction<'document'>;
  formats: Formats;
  testName: ReturnType<typeof useTestName>;
}

/** Whether the stored summary was composed from the rows, so that it can be composed again in any language. */
export const isComposed = ({ edited_fields, llm_provider }: DocumentDetail): boolean =>
  llm_provider === BUILT_IN && !(edited_fields ?? []).includes('summary_en');

/** The summary of a document in the language of the reader, from its rows; empty if they say nothing. */
export function summaryOf(document: DocumentDetail, words: Words): string {
  const { t, formats } = words;
  const { encounters, medications, vaccinations, highlights } = document;
  const { stay, total, subjects } = highlights;
  const list = (items: readonly string[]): string => listOf(items, t);
  const diagnoses = encounters.flatMap(({ diagnosis_original: name, diagnosis_code: code }) =>
    name === null ? [] : [code === null ? name : `${name} (${code})`],
  );
  const medicines = medications
    .map((row) =>
      [row.brand_name ?? row.active_ingredient_original, row.dosage, row.frequency].filter(Boolean).join(' '),
    )
    .filter((text) => text !== '');
  const hasRows = diagnoses.length + medicines.length + vaccinations.length + document.lab_results.length > 0;
  return [
    stay && t('summary_stay', { period: formats.period(stay.from, stay.to) }),
    diagnoses.length > 0 && t('summary_diagnoses', { list: list(diagnoses) }),
    resultsSentence(document, words),
    medicines.length > 0 && t('summary_medicines', { list: list(medicines) }),
    vaccinations.length > 0 && t('summary_vaccinations', { list: list(vaccinations.map((row) => row.vaccine_name)) }),
    total && t('summary_total', { amount: formats.money(total.amount, total.currency) }),
    !hasRows && !total && subjects[0] !== undefined && `${subjects[0]}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Counts the results and quotes those out of range; a doubtful one is only counted, as one to check. */
function resultsSentence(
  { lab_results: results, highlights }: DocumentDetail,
  { t, formats, testName }: Words,
): string {
  if (results.length === 0) return '';
  const sure = results.filter(({ doubt }) => doubt.length === 0);
  const outside = sure
    .filter((row) => row.is_abnormal === true)
    .map((row) => `${testName(row)} ${formats.withUnit(labValueText(row, formats.locale), row.unit)}`);
  const uncertain = results.length - sure.length;
  const parts = [t('summary_results', { count: results.length })];
  if (outside.length > 0) parts.push(t('summary_outside', { list: listOf(outside, t) }));
  else if (sure.length > 0 && highlights.in_range === sure.length)
    parts.push(t('summary_inside', { count: sure.length }));
  if (uncertain > 0) parts.push(t('summary_uncertain', { count: uncertain }));
  return `${parts.join(', ')}.`;
}

const listOf = (items: readonly string[], t: Words['t']): string =>
  items.length > MAX_LISTED
    ? `${items.slice(0, MAX_LISTED).join(', ')}, ${t('summary_more', { count: items.length - MAX_LISTED })}`
    : items.join(', ');

/** Composes summaries in the language of the reader. */
export function useSummaryOf(): (document: DocumentDetail) => string {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const testName = useTestName();
  return (document) => summaryOf(document, { t, formats, testName });
}
