import { labNameKey } from '../../../../src-shared/medical/lab-name.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import type { Extraction, FoundLabResult, FoundRow } from '../extraction.ts';
import { fold } from '../fold.ts';
import type { SupportedRows } from './supported-rows.ts';

type RowKind = 'lab_results' | 'medications' | 'vaccinations' | 'diagnoses' | 'invoice_items';
type Rows = Pick<Extraction, RowKind>;
type Medicine = Rows['medications'][number];

const AGREED = 0.9;
/** Marked for review, because the readers found different things. */
const DIFFERENT = 0.4;

/** The rows of both readers: the same row once, with the values of the model, and rows that only one of them found. */
export function combineRows(rules: Rows, model: SupportedRows): Rows {
  const namesOf = {
    medications: (row: Medicine) => [row.brand_name, row.active_ingredient_original],
    vaccinations: (row: Rows['vaccinations'][number]) => [row.vaccine_name],
    diagnoses: (row: Rows['diagnoses'][number]) => [row.diagnosis_original],
    invoice_items: (row: Rows['invoice_items'][number]) => [row.description],
  };
  return {
    lab_results: merge(rules.lab_results, model.lab_results, isSameResult, combineResult),
    medications: merge(rules.medications, model.medications, byName(namesOf.medications), combineMedicine),
    vaccinations: merge(rules.vaccinations, model.vaccinations, byName(namesOf.vaccinations), combineRow),
    diagnoses: merge(rules.diagnoses, model.diagnoses, byName(namesOf.diagnoses), combineRow),
    invoice_items: merge(rules.invoice_items, model.invoice_items, byName(namesOf.invoice_items), combineRow),
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

/** One has the name of the other, also where they disagree which is the brand and which the substance. */
const byName =
  <R extends FoundRow>(namesOf: (row: R) => readonly (string | null)[]) =>
  (rule: R, said: R): boolean => {
    const folded = (row: R): string[] => namesOf(row).flatMap((name) => fold(name ?? '') || []);
    const others = folded(said);
    const isName = folded(rule).some((name) => others.some((other) => isSameName(name, other)));
    return isName && (isSamePrint(rule, said) || rule.place === null || rule.place.page === said.place?.page);
  };

const isSameName = (a: string, b: string): boolean => a.includes(b) || b.includes(a);

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

/** The names of the model are one decision: what it calls the substance is not also the brand, and the reverse. */
function combineMedicine(rule: Medicine, said: Medicine): Medicine {
  const unless = (name: string | null, taken: string | null): string | null =>
    name !== null && taken !== null && isSameName(fold(name), fold(taken)) ? null : name;
  return combineRow(
    {
      ...rule,
      brand_name: unless(rule.brand_name, said.active_ingredient_original),
      active_ingredient_original: unless(rule.active_ingredient_original, said.brand_name),
    },
    said,
  );
}

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
