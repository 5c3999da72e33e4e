import type { AnswerRowKind, AnswerRows } from '../../../../src-shared/medical/model-answer.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { isOutside, parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import type {
  FoundDiagnosis,
  FoundInvoiceItem,
  FoundLabResult,
  FoundMedication,
  FoundVaccination,
  Place,
} from '../extraction.ts';
import { currencyOf, moneyOf } from '../invoice/money.ts';
import type { Print, Printed } from './printed.ts';

/** The rows of a model whose words are on the pages, with their places. */
export interface SupportedRows {
  lab_results: FoundLabResult[];
  medications: FoundMedication[];
  vaccinations: FoundVaccination[];
  diagnoses: FoundDiagnosis[];
  invoice_items: FoundInvoiceItem[];
  /** Values that are nowhere on the pages, as the model wrote them. */
  unsupported: string[];
}

interface Context {
  printed: Printed;
  unsupported: string[];
  /** For rows without a date. */
  date: string | null;
  sex: 'M' | 'F' | null;
}

/** Cells of a row are in one line, or in the lines beside it. */
const MAX_LINES_APART = 2;
/** A row of a table is short, or has gaps; another line is a sentence, in which anything may be written. */
const MAX_SHORT_WORDS = 8;
const MAX_ROW_WORDS = 20;
const ROW_CONFIDENCE = 0.7;
/** Marked for review. */
const SENTENCE_CONFIDENCE = 0.4;
const MAX_QUOTE = 80;

/** Keeps of the rows of a model what is printed; all else is named in `unsupported`. */
export function supportedRows(
  rows: Partial<AnswerRows>,
  options: { printed: Printed; date: string | null; sex: 'M' | 'F' | null },
): SupportedRows {
  const context: Context = { ...options, unsupported: [] };
  const read = <K extends AnswerRowKind, R>(kind: K, toRow: (row: AnswerRows[K][number]) => R | null): R[] =>
    (rows[kind] ?? []).flatMap((row) => toRow(row as AnswerRows[K][number]) ?? []);
  return {
    lab_results: read('lab_results', (row) => labResult(context, row)),
    medications: read('medications', (row) => medication(context, row)),
    vaccinations: read('vaccinations', (row) => vaccination(context, row)),
    diagnoses: read('diagnoses', (row) => diagnosis(context, row)),
    invoice_items: read('invoice_items', (row) => invoiceItem(context, row)),
    unsupported: context.unsupported,
  };
}

interface Anchor {
  line: number;
  page: number;
  place: Place;
  confidence: number;
}

/** The line with the first text that has all the others beside it; null, and noted, if there is none. */
function anchorOf(context: Context, texts: readonly string[]): Anchor | null {
  const { printed, unsupported } = context;
  const [name = '', ...others] = texts;
  const places = others.map((text) => printed.find(text));
  const candidates = printed
    .find(name)
    .map((print) => ({ print, distance: places.reduce((sum, prints) => sum + distanceTo(print, prints), 0) }))
    .filter(({ distance }) => distance <= MAX_LINES_APART * Math.max(1, others.length))
    .sort((a, b) => a.distance - b.distance);
  const best = candidates[0];
  if (!best) {
    unsupported.push(texts.join(' ').slice(0, MAX_QUOTE));
    return null;
  }
  const { place, words, parts } = printed.lineAt(best.print.line);
  const isRow = words <= MAX_SHORT_WORDS || (parts > 1 && words <= MAX_ROW_WORDS);
  return {
    line: best.print.line,
    page: place.page,
    place,
    confidence: isRow ? ROW_CONFIDENCE : SENTENCE_CONFIDENCE,
  };
}

function distanceTo({ line, place }: Print, prints: readonly Print[]): number {
  const near = prints.filter((other) => other.place.page === place.page).map((other) => Math.abs(other.line - line));
  const closest = Math.min(Infinity, ...near);
  return closest <= MAX_LINES_APART ? closest : Infinity;
}

/** A text of a row if it is printed beside it; otherwise null, and noted. */
function beside({ printed, unsupported }: Context, anchor: Anchor, text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const isBeside = printed
    .find(text)
    .some(({ line, place }) => place.page === anchor.page && Math.abs(line - anchor.line) <= MAX_LINES_APART);
  // Signs alone have no words to look for.
  if (isBeside || !/[\p{L}\p{N}]/u.test(text)) return text.trim();
  unsupported.push(text.slice(0, MAX_QUOTE));
  return null;
}

/** A text that is printed anywhere, such as the title of a table. */
function anywhere({ printed, unsupported }: Context, text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  if (printed.find(text).length > 0) return text.trim();
  unsupported.push(text.slice(0, MAX_QUOTE));
  return null;
}

function printedDate({ printed, unsupported }: Context, date: string | null): string | null {
  if (date === null || date === '') return null;
  if (printed.findDate(date)) return date;
  unsupported.push(date.slice(0, MAX_QUOTE));
  return null;
}

function labResult(context: Context, row: AnswerRows['lab_results'][number]): FoundLabResult | null {
  const anchor = anchorOf(context, [row.test_name, row.value]);
  if (!anchor) return null;
  const number = parseNumber(row.value);
  const rangeText = beside(context, anchor, row.reference_range);
  const range = rangeText === null ? null : parseReferenceRange(rangeText, context.sex);
  return {
    test_name_original: row.test_name.trim(),
    value: number?.value ?? null,
    value_text: row.value.trim(),
    unit: beside(context, anchor, row.unit),
    reference_range_low: range?.low ?? null,
    reference_range_high: range?.high ?? null,
    is_abnormal: number !== null && range !== null && isOutside(number.value, number.comparator, range),
    sample_type: null,
    panel_name: anywhere(context, row.panel_name),
    test_date: printedDate(context, row.sample_date) ?? context.date,
    reference_range_comparator: null,
    doubt: [],
    confidence: anchor.confidence,
    place: anchor.place,
  };
}

function medication(context: Context, row: AnswerRows['medications'][number]): FoundMedication | null {
  const names = [row.brand_name, row.active_ingredient].filter((name) => name !== null && name.trim() !== '');
  const anchor = names.length > 0 ? anchorOf(context, [names[0] ?? '', ...(row.dosage ? [row.dosage] : [])]) : null;
  if (!anchor) return null;
  return {
    brand_name: beside(context, anchor, row.brand_name),
    active_ingredient_original: beside(context, anchor, row.active_ingredient),
    dosage: beside(context, anchor, row.dosage),
    form: beside(context, anchor, row.form),
    frequency: beside(context, anchor, row.frequency),
    duration: beside(context, anchor, row.duration),
    quantity: beside(context, anchor, row.quantity),
    prescribed_date: context.date,
    confidence: anchor.confidence,
    place: anchor.place,
  };
}

function vaccination(context: Context, row: AnswerRows['vaccinations'][number]): FoundVaccination | null {
  const anchor = anchorOf(context, [row.vaccine_name]);
  if (!anchor) return null;
  return {
    vaccine_name: row.vaccine_name.trim(),
    manufacturer: beside(context, anchor, row.manufacturer),
    lot_number: beside(context, anchor, row.lot_number),
    dose_number: null,
    date_administered: printedDate(context, row.date_administered),
    confidence: anchor.confidence,
    place: anchor.place,
  };
}

function diagnosis(context: Context, row: AnswerRows['diagnoses'][number]): FoundDiagnosis | null {
  const anchor = anchorOf(context, [row.diagnosis]);
  if (!anchor) return null;
  return {
    diagnosis_original: row.diagnosis.trim(),
    diagnosis_code: beside(context, anchor, row.icd10_code),
    confidence: anchor.confidence,
    place: anchor.place,
  };
}

function invoiceItem(context: Context, row: AnswerRows['invoice_items'][number]): FoundInvoiceItem | null {
  const anchor = anchorOf(context, [row.description, ...(row.amount ? [row.amount] : [])]);
  if (!anchor) return null;
  const money = (text: string | null): number | null => {
    const found = beside(context, anchor, text);
    return found === null ? null : (moneyOf(found)[0] ?? parseNumber(found)?.value ?? null);
  };
  const quantity = beside(context, anchor, row.quantity);
  return {
    description: row.description.trim(),
    quantity: quantity === null ? null : (parseNumber(quantity)?.value ?? null),
    unit_price: money(row.unit_price),
    amount: money(row.amount),
    currency: row.currency === null ? null : currencyOf(row.currency),
    tariff_code: beside(context, anchor, row.tariff_code),
    tax_rate: null,
    category: null,
    confidence: anchor.confidence,
    place: anchor.place,
  };
}
