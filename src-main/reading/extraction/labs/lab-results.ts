import type { LabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isOutside, parseReferenceRange, type ReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { parseNumber, repairNumber, type PrintedNumber } from '../../../../src-shared/medical/number.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { FoundLabResult } from '../extraction.ts';
import { fold } from '../fold.ts';
import { STREET_PRINT } from '../languages/facility-words.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { rangeOfBound, rangeWithLostPoint, repairDecimals, unitOf } from './lab-repair.ts';
import type { LabCells, LabValue } from './lab-rows.ts';
import { isKnownTest, isWordResult } from './lab-words.ts';

/**
 * Where a row is: under which panel, of which sample, whether it continues a column of results, and whether results
 * are right above it.
 */
export interface Surroundings {
  page: LayoutPage;
  panel: string | null;
  sample: string | null;
  ctx: RowContext;
  inColumn: boolean;
  inRun: boolean;
  decimal: '.' | ',' | null;
}

const SYMBOLS = /^(?:K|Na|Ca|Mg|Fe|P|Cl|Zn|Cu|Se|Li|C3|C4)\+*$/;
const LEADERS = /\.{4,}|…{2,}|_{4,}|(?:\. ){4,}/;
/** Evidence that a line is a result. */
const MIN_EVIDENCE = 2;
/** Words of letterheads, footers and examinations that have a number and look like a row. */
const NOT_A_TEST = new RegExp(
  [
    String.raw`(?:^|\b)(?:tel|telefon|téléphone|phone|fax|page|seite|pagina|geb|born|date|datum|data|iban|`,
    String.raw`total due|summe|betrag|gesamtbetrag|street|strasse|straße|via|rue|plz|age|alter|patient|nhs|ahv|pid|`,
    String.raw`order|auftrag|rechnung|invoice|facture|fattura|mrn|postfach|p\.?o\.? box|blood pressure|blutdruck|`,
    String.raw`tension|pressione|pulse|puls|pouls|polso|weight|gewicht|poids|peso|height|grösse|größe|taille|`,
    String.raw`altezza|bmi|temp(?:\.|erature?|eratur|érature|eratura)?|spo2|minuten|minutes|minuti|uhr|tarmed|`,
    String.raw`ziffer|code)\b`,
  ].join(''),
  'iu',
);
const WEIGHT_OF_URINE = /\b(?:spezifisches gewicht|peso specifico|poids spécifique)\b/iu;
/** Amounts of medicines and volumes: results in these are rare, doses are not. */
const DOSE_UNIT = /^(?:mg|g|mcg|µg|ml|mL|IE|UI|IU|U|mmol)$/;

/** Results of a row: one, or one per date of a cumulative report; none if it is not a result. */
export function toResults(cells: LabCells, around: Surroundings): FoundLabResult[] {
  const name = cleanName(cells.name);
  return isName(name) ? cells.values.flatMap((value) => resultOf(name, value, cells, around) ?? []) : [];
}

function resultOf(
  name: string,
  { text, token, date, flag: ownFlag }: LabValue,
  cells: LabCells,
  { page, panel, sample, ctx, inColumn, inRun, decimal }: Surroundings,
): FoundLabResult | null {
  const scanned = page.source === 'ocr';
  const flag = date === null ? cells.flag : ownFlag;
  const printed = readNumber(text, scanned);
  const isWord = printed === null && isWordResult(text);
  const unit =
    cells.unit === null
      ? null
      : unitOf(cells.unit, name, { scanned, international: ctx.language === 'fr' || ctx.language === 'it' });
  const expected = cells.range !== null && isWordResult(cells.range) ? cells.range : null;
  const isCount = unit !== null && unit.startsWith('/');
  const printedRange =
    cells.range === null
      ? null
      : parseReferenceRange(
          isCount ? cells.range.replace(/(?<!\d)(\d{1,3})[.,](\d{3})(?!\d)/g, '$1$2') : cells.range,
          ctx.sex,
        );
  const range =
    printedRange ??
    (scanned && cells.range !== null ? rangeWithLostPoint(cells.range) : null) ??
    (cells.bound === null ? null : rangeOfBound(cells.bound, name));
  const known = isKnownTest(name) || (SYMBOLS.test(name) && unit !== null);
  // Dots lead to a result, and a word in a column of its own below others is one.
  const led = LEADERS.test(cells.line.text) || (isWord && inRun && token.segment !== cells.nameToken?.segment);
  const evidence =
    (printed ? 1 : 0) +
    (!printed && isWord ? 0.5 : 0) +
    (unit ? 1 : 0) +
    (range ? 1 : 0) +
    (expected ? 1 : 0) +
    (flag ? 0.5 : 0) +
    (known ? 1 : 0) +
    (cells.underHeader ? 1 : 0) +
    (inColumn ? 1 : 0) +
    (led ? 1.5 : 0);
  if (evidence < MIN_EVIDENCE || (printed === null && !isWord && !(cells.underHeader && (range || unit)))) return null;
  if (!cells.underHeader && !known && !inColumn && !led && !(unit && range) && !expected) return null;
  if (!unit && !range && (!cells.underHeader || /:\s*\d*$/.test(cells.name)) && ctx.parseDate(cells.line.text) !== null)
    return null;
  if ((!unit || !isUnit(unit, { inColumn: true })) && !range && STREET_PRINT.test(cells.line.text)) return null;
  if (!cells.underHeader && !known && unit && DOSE_UNIT.test(unit)) return null;
  const number = printed && asThousands(printed, text, { isCount, range, decimal });
  const {
    value,
    range: bounds,
    repaired,
  } = number && range && scanned
    ? repairDecimals(text, number.value, cells.range ?? cells.bound ?? '', range)
    : { value: number?.value ?? null, range, repaired: false };
  const isAbnormal = abnormal(
    number && value !== null ? { ...number, value } : null,
    isWord ? text : null,
    bounds,
    expected,
    flag,
  );
  const contradicted = flag !== null && bounds !== null && number !== null && (flag !== 'normal') !== isAbnormal;
  const dates = ctx.dates(page.page);
  const sure =
    (number === null && !isWord ? 0.3 : 1) *
    (repaired ? 0.7 : 1) *
    (contradicted ? 0.8 : 1) *
    (printedRange === null && bounds !== null ? 0.85 : 1);
  return {
    test_name_original: name,
    value,
    value_text: text.trim().replace(/[,;]$/, ''),
    unit,
    reference_range_low: bounds?.low ?? null,
    reference_range_high: bounds?.high ?? null,
    is_abnormal: isAbnormal,
    sample_type: sample,
    panel_name: panel,
    test_date: date ?? dates.collected ?? dates.event,
    confidence: Math.min(
      0.99,
      confidenceOf([...(cells.nameToken?.words ?? []), ...token.words]) * (0.7 + 0.06 * Math.min(5, evidence)) * sure,
    ),
    place: placeOf(page.page, cells.line.words),
  };
}

function readNumber(text: string, scanned: boolean): PrintedNumber | null {
  const marked = scanned ? text.replace(/^(\D*\d{1,4})[:;](\d{1,2})$/, '$1.$2') : text;
  const plain = marked
    .replace(/[,;]$/, '')
    .replace(/^[«‹]/, '<')
    .replace(/^[»›]/, '>')
    .replace(/\s?or\s?=/i, '=');
  const direct = parseNumber(plain);
  if (direct) return direct;
  const repaired = repairNumber(plain);
  return repaired === null ? null : parseNumber(repaired);
}

/**
 * `250.000 /µl`, `1.250` in a report with decimal commas, and `1.250` beside `15 - 300` are thousands; `1.020` of
 * urine is none.
 */
function asThousands(
  number: PrintedNumber,
  text: string,
  { isCount, range, decimal }: { isCount: boolean; range: ReferenceRange | null; decimal: '.' | ',' | null },
): PrintedNumber {
  const [, whole, mark, rest] = /^\D*(\d{1,3})([.,])(\d{3})$/.exec(text.trim()) ?? [];
  if (!whole || !rest || whole === '0') return number;
  const low = range?.low ?? null;
  const tooSmall = low !== null && Number.isInteger(low) && number.value * 3 < low && Number(whole + rest) >= low;
  return isCount || tooSmall || (decimal !== null && mark !== decimal && whole !== '1')
    ? { ...number, value: Number(whole + rest) }
    : number;
}

/**
 * Decides by range and value; a flag counts only without a range. A word is abnormal when the laboratory expects
 * another one.
 */
function abnormal(
  number: PrintedNumber | null,
  word: string | null,
  range: ReferenceRange | null,
  expected: string | null,
  flag: LabFlag | null,
): boolean {
  if (number && range) return isOutside(number.value, number.comparator, range);
  if (flag !== null) return flag !== 'normal';
  return word !== null && expected !== null && fold(word).slice(0, 3) !== fold(expected).slice(0, 3);
}

/** `Labor: CRP` is CRP. */
const INTRODUCTION = new RegExp(
  [
    String.raw`^(?:labor(?:werte|befunde)?|laboratory|labs?|bloods?|blood tests?|laboratoire|laboratorio|esami|`,
    String.raw`analyses?|blut(?:werte|bild)?|bilan|chemie|hämatologie)\s*:\s*`,
  ].join(''),
  'iu',
);

/** Bullets, leaders and punctuation around a name are none of it; the point of an abbreviation stays: `I.N.R.` */
function cleanName(name: string): string {
  const plain = name
    .replace(INTRODUCTION, '')
    .replace(/(?<=Hb|\b)A[lI|]c\b/g, 'A1c')
    .replace(/\bI[1l|]?g([GMAE])\b/g, 'Ig$1')
    .replace(/^[\s*•·«»\-–|.,:;_]+/u, '')
    .replace(/(?:[\s.…_·]{2,}|[\s:;|,*…_·-])+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /\.\p{L}{1,3}\.$|\p{L}{2,5}\.$/u.test(plain) ? plain : plain.replace(/\.+$/, '');
}

function isName(name: string): boolean {
  return (
    /\p{L}/u.test(name) &&
    (name.replace(/[^\p{L}]/gu, '').length >= 2 || SYMBOLS.test(name)) &&
    name.length <= 70 &&
    !(NOT_A_TEST.test(name.replace(/(?<=\S )patient$/i, '')) && !WEIGHT_OF_URINE.test(name)) &&
    !isWordResult(name)
  );
}
