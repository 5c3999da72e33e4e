import type { AnswerRows, ClassificationAnswer } from '../../../../src-shared/medical/model-answer.ts';
import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { Extraction, Found, ReaderContext, ReviewReason } from '../extraction.ts';
import { fold } from '../fold.ts';
import { isDoubtful } from '../review.ts';
import { filenameStem, summarize } from '../summary.ts';
import { TYPE_RULES } from '../types/type-rules.ts';
import { combineRows } from './combine-rows.ts';
import { findPrinted, type Printed } from './printed.ts';
import { supportedRows, type SupportedRows } from './supported-rows.ts';

/** What a model said about a document; what is missing is left to the rules. */
export interface ModelReading {
  classification: Partial<ClassificationAnswer>;
  rows: Partial<AnswerRows>;
}

/** Both readers found the same. */
const AGREED = 0.95;
/** The model alone found it, on the page. */
const MODEL_ALONE = 0.7;
const MAX_NAMED = 5;

/**
 * Combines the reading of a model with that of the rules. A value of the model counts only where it is printed on a
 * page; everything else is left out and named in a review reason. Where both readers found different things, the
 * document is marked. The patient is never decided by a model.
 */
export function combineReadings(
  rules: Extraction,
  { classification, rows }: ModelReading,
  pages: readonly PageText[],
  context: ReaderContext,
): Extraction {
  const printed = findPrinted(pages, context.today);
  const { unsupported, ...fields } = combineFields(rules, classification, { printed, context });
  const docType = typeOf(rules, classification);
  const sex = rules.patient.sex?.value ?? (context.patient?.sex === 'O' ? null : context.patient?.sex) ?? null;
  const date = fields.event_date?.value ?? null;
  const found = supportedRows(rows, { printed, date, sex });
  const combined = { ...rules, ...fields, doc_type: docType, ...rowsOfType(rules, found, docType.value) };
  return {
    ...combined,
    summary_en: summarize(combined),
    filename_stem: filenameStem(combined),
    review_reasons: reasonsOf(rules, combined, [...unsupported, ...found.unsupported]),
  };
}

function typeOf(rules: Extraction, { doc_type: type }: Partial<ClassificationAnswer>): Extraction['doc_type'] {
  if (type === undefined) return rules.doc_type;
  if (type === rules.doc_type.value)
    return { ...rules.doc_type, confidence: Math.max(AGREED, rules.doc_type.confidence) };
  return { value: type, confidence: MODEL_ALONE, place: null };
}

type TextField = 'doctor_name' | 'facility_name' | 'specialty_original';
type DateField = 'event_date' | 'issued_date';
type Fields = Pick<Extraction, TextField | DateField>;

function combineFields(
  rules: Extraction,
  said: Partial<ClassificationAnswer>,
  { printed, context }: { printed: Printed; context: ReaderContext },
): Fields & { unsupported: string[] } {
  const unsupported: string[] = [];
  const { names, births } = patientsOn(rules, context);
  const text = (field: TextField, value: string | null | undefined): Found<string> | null => {
    if (!value) return rules[field];
    const [print] = printed.find(value);
    if (!print) unsupported.push(value);
    const isPatient = names.some((name) => fold(value).includes(name));
    return print && !isPatient ? placeLikeRule(rules[field], value.trim(), print.place) : rules[field];
  };
  const date = (field: DateField, value: string | null | undefined): Found<string> | null => {
    if (!value) return rules[field];
    const print = printed.findDate(value);
    if (!print) unsupported.push(value);
    return print && !births.includes(value) ? placeLikeRule(rules[field], value, print.place) : rules[field];
  };
  return {
    doctor_name: text('doctor_name', said.doctor_name),
    facility_name: text('facility_name', said.facility_name),
    specialty_original: text('specialty_original', said.specialty),
    event_date: date('event_date', said.event_date),
    issued_date: date('issued_date', said.issued_date),
    unsupported,
  };
}

/** Names and birth dates of patients: they are printed too, but are neither doctor nor clinic nor a date of the paper. */
function patientsOn({ patient }: Extraction, context: ReaderContext): { names: string[]; births: string[] } {
  const known = [...(context.patient ? [context.patient] : []), ...context.household];
  const names = [patient.name?.value ?? '', ...known.map(({ display_name }) => display_name)];
  const births = [patient.date_of_birth?.value, ...known.map(({ date_of_birth }) => date_of_birth)];
  return {
    names: names.map((name) => fold(name)).filter((name) => name !== ''),
    births: births.filter((date) => date != null),
  };
}

/** The value of the model; if the rules agree, with the place that they found. */
function placeLikeRule(rule: Found<string> | null, value: string, place: Found<string>['place']): Found<string> {
  return rule?.value === value
    ? { ...rule, confidence: Math.max(AGREED, rule.confidence) }
    : { value, confidence: MODEL_ALONE, place };
}

/** The rows that documents of the type contain. */
function rowsOfType(rules: Extraction, found: SupportedRows, type: Extraction['doc_type']['value']) {
  const { ignoredRows } = TYPE_RULES[type];
  const combined = combineRows(rules, found);
  return Object.fromEntries(
    Object.entries(combined).map(([kind, rows]) => [kind, ignoredRows.some((ignored) => ignored === kind) ? [] : rows]),
  ) as typeof combined;
}

function reasonsOf(rules: Extraction, combined: Extraction, unsupported: readonly string[]): ReviewReason[] {
  const isNew = (field: TextField | DateField): boolean => combined[field]?.value !== rules[field]?.value;
  const reasons = rules.review_reasons.filter(({ code, field }) => {
    if (code === 'low_confidence_rows') return false;
    if (code === 'unknown_type') return combined.doc_type.value === rules.doc_type.value;
    if (code === 'no_event_date') return combined.event_date === null;
    return code !== 'low_confidence_field' || !isNew(field as TextField);
  });
  const dates = [combined.event_date?.value, rules.event_date?.value];
  if (isNew('event_date') && rules.event_date !== null && !reasons.some(({ code }) => code === 'conflicting_dates'))
    reasons.push({ code: 'conflicting_dates', field: 'event_date', params: { dates: dates.join(', ') } });
  if (combined.doc_type.value !== rules.doc_type.value && rules.doc_type.value !== 'other')
    reasons.push({ code: 'types_differ', field: 'doc_type' });
  for (const field of ['doctor_name', 'facility_name'] as const)
    if (isNew(field) && rules[field] !== null) reasons.push({ code: 'low_confidence_field', field, params: { field } });
  const rows = [...combined.lab_results, ...combined.medications, ...combined.vaccinations, ...combined.diagnoses];
  const doubtful = rows.filter(isDoubtful).length;
  if (doubtful > 0) reasons.push({ code: 'low_confidence_rows', params: { count: doubtful } });
  const named = [...new Set(unsupported)];
  if (named.length > 0)
    reasons.push({
      code: 'not_on_the_page',
      params: { count: named.length, values: named.slice(0, MAX_NAMED).join('; ') },
    });
  return reasons;
}
