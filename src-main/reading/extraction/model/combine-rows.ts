import { labNameKey } from '../../../../src-shared/medical/lab-name.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import type { Extraction, FoundLabResult, FoundRow } from '../extraction.ts';
import { fold } from '../fold.ts';
import type { SupportedRows } from './supported-rows.ts';

type RowKind = 'lab_results' | 'medications' | 'vaccinations' | 'diagnoses' | 'invoice_items';
type Rows = Pick<Extraction, RowKind>;

const AGREED = 0.9;
/** Marked for review, because the readers found different things. */
const DIFFERENT = 0.4;

/** The rows of both readers: the same row once, with the values of the model, and rows that only one of them found. */
export function combineRows(rules: Rows, model: SupportedRows): Rows {
  const nameOf = {
    medications: (row: Rows['medications'][number]) => row.brand_name ?? row.active_ingredient_original ?? '',
    vaccinations: (row: Rows['vaccinations'][number]) => row.vaccine_name,
    diagnoses: (row: Rows['diagnoses'][number]) => row.diagnosis_original,
    invoice_items: (row: Rows['invoice_items'][number]) => row.description,
  };
  return {
    lab_results: merge(rules.lab_results, model.lab_results, isSameResult, combineResult),
    medications: merge(rules.medications, model.medications, byName(nameOf.medications), combineRow),
    vaccinations: merge(rules.vaccinations, model.vaccinations, byName(nameOf.vaccinations), combineRow),
    diagnoses: merge(rules.diagnoses, model.diagnoses, byName(nameOf.diagnoses), combineRow),
    invoice_items: merge(rules.invoice_items, model.invoice_items, byName(nameOf.invoice_items), combineRow),
  };
}

function merge<R extends FoundRow>(
  rules: readonly R[],
  model: readonly R[],
  isSame: (rule: R, said: R) => boolean,
  combine: (rule: R, said: R) => R,
): R[] {
  const rest = [...model];
  const both = rules.map((rule) => {
    const index = rest.findIndex((said) => isSame(rule, said));
    const [said] = index < 0 ? [] : rest.splice(index, 1);
    return said ? combine(rule, said) : rule;
  });
  return [...both, ...rest];
}

/** In the same line of the page. */
function isSamePrint(a: FoundRow, b: FoundRow): boolean {
  if (!a.place || !b.place || a.place.page !== b.place.page) return false;
  const [, top, , height] = a.place.bbox;
  const [, otherTop, , otherHeight] = b.place.bbox;
  const middle = otherTop + otherHeight / 2;
  return middle >= top && middle <= top + height;
}

const byName =
  <R extends FoundRow>(nameOf: (row: R) => string) =>
  (rule: R, said: R): boolean => {
    const [a, b] = [fold(nameOf(rule)), fold(nameOf(said))];
    const isName = a !== '' && b !== '' && (a === b || a.includes(b) || b.includes(a));
    return isName && (isSamePrint(rule, said) || rule.place === null || rule.place.page === said.place?.page);
  };

/** The same test, of the same day where both say one. */
function isSameResult(rule: FoundLabResult, said: FoundLabResult): boolean {
  const isTest = labNameKey(rule.test_name_original) === labNameKey(said.test_name_original);
  if (isSamePrint(rule, said)) return isTest || rule.value_text === said.value_text;
  return isTest && rule.value === said.value && rule.test_date === said.test_date;
}

/** Numbers that the readers found differently are both kept, and the result is marked. */
function combineResult(rule: FoundLabResult, said: FoundLabResult): FoundLabResult {
  const isNumber =
    rule.value === said.value && (rule.value !== null || fold(rule.value_text) === fold(said.value_text));
  const range = hasRange(said) ? said : rule;
  const differsInRange =
    hasRange(rule) &&
    hasRange(said) &&
    (rule.reference_range_low !== said.reference_range_low || rule.reference_range_high !== said.reference_range_high);
  const doubt = isNumber && !differsInRange ? rule.doubt : [...new Set([...rule.doubt, 'readings_differ' as const])];
  return {
    ...rule,
    test_name_original: said.test_name_original,
    ...(!isNumber && { value: said.value, value_text: said.value_text, second_reading: rule.value_text }),
    unit: said.unit ?? rule.unit,
    reference_range_low: range.reference_range_low,
    reference_range_high: range.reference_range_high,
    reference_range_comparator: range.reference_range_comparator ?? rule.reference_range_comparator,
    // The rules also know printed marks; a number of the model is compared with its range.
    is_abnormal:
      isNumber && !differsInRange && hasRange(rule) ? rule.is_abnormal : said.is_abnormal || rule.is_abnormal,
    panel_name: said.panel_name ?? rule.panel_name,
    test_date: said.test_date ?? rule.test_date,
    doubt,
    confidence: doubt.length > 0 ? rule.confidence : Math.max(AGREED, rule.confidence),
  };
}

const hasRange = (row: FoundLabResult): boolean =>
  row.reference_range_low !== null || row.reference_range_high !== null;

/** The fields of the model where it has one. Different numbers mark the row. */
function combineRow<R extends FoundRow>(rule: R, said: R): R {
  const row = { ...rule } as Record<string, unknown>;
  let isDifferent = false;
  for (const [field, value] of Object.entries(said)) {
    if (field === 'place' || field === 'confidence' || value === null) continue;
    const before = row[field];
    isDifferent ||= before !== null && numbersIn(before) !== numbersIn(value);
    row[field] = value;
  }
  return { ...(row as unknown as R), confidence: isDifferent ? DIFFERENT : Math.max(AGREED, rule.confidence) };
}

/** The numbers of a value, however they are written. */
const numbersIn = (value: unknown): string =>
  (String(value).match(/\d+(?:[.,]\d+)?/g) ?? []).map((number) => parseNumber(number)?.value).join(' ');
