import type { Comparator } from '../../../../src-shared/contract/wire.ts';
import type { LabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isOutside, parseReferenceRange, type ReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { parseNumber, repairNumber, type PrintedNumber } from '../../../../src-shared/medical/number.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import type { FoundLabResult } from '../extraction.ts';
import { findDoctors } from '../fields/doctor-names.ts';
import { fold } from '../fold.ts';
import { mentions } from '../languages/assertion.ts';
import { STREET_PRINT } from '../languages/facility-words.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { RowContext } from '../row-context.ts';
import { ownDoubts } from './lab-doubt.ts';
import {
  rangeByFlag,
  rangeOfBound,
  rangeWithLostDash,
  rangeWithLostPoint,
  repairDecimals,
  unitOf,
} from './lab-repair.ts';
import { cleanName, isName, SYMBOLS } from './lab-names.ts';
import { withoutAsides } from './lab-row-text.ts';
import type { LabCells, LabValue } from './lab-rows.ts';
import { isNameOfTest, plausibleLimits } from './plausible-limits.ts';
import { dilutionOf, isHarmless, isKnownTest, isWordResult, polarityOf, repairName } from './lab-words.ts';

/**
 * The panel and sample of a row, whether it continues a column of results, and whether other results are directly above
 * it.
 */
export interface Surroundings {
  page: LayoutPage;
  panel: string | null;
  sample: string | null;
  ctx: RowContext;
  isInColumn: boolean;
  isInRun: boolean;
  decimal: '.' | ',' | null;
}

const LEADERS = /\.{4,}|…{2,}|_{4,}|(?:\. ){4,}/;
/** A longer name is a sentence. */
const MAX_NAME_WORDS = 8;
/** A line of more words has other content than one row. */
const MAX_ROW_WORDS = 9;
/** "Zielwert HbA1c < 7,0 %, LDL < 1,8 mmol/l" */
const AIM = /(?<!\p{L})(?:ziel(?:wert|bereich)?e?|target|goal|objectif|cible|obiettivo)(?!\p{L})[^.]*$/iu;
/** Minimum evidence that a line is a result. */
const MIN_EVIDENCE = 2;
const MIN_NAME_LETTERS = 3;
const DENSITY = /^k?g\//;
const MAX_DENSITY = 1.1;
/** Beside a whole limit from this one on, three digits after a mark are thousands. */
const MIN_WHOLE = 10;
/** No name of a test contains a day. */
const DAY = /(?<!\d)\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d(?!\d)/;
/** Units of doses and volumes, which are rarely units of results. */
const DOSE_UNIT = /^(?:mg|g|mcg|µg|ml|mL|IE|UI|IU|U|E|mmol)$/;

/** Returns the results of a row: one, or one per date in a cumulative report; empty if the row is not a result. */
export function toResults(cells: LabCells, around: Surroundings): FoundLabResult[] {
  const printed = cleanName(cells.name);
  const name = around.page.source === 'ocr' ? repairName(printed) : printed;
  if (isPressure(name, cells.unit)) return [];
  return isName(name) ? cells.values.flatMap((value) => resultOf(name, value, cells, around) ?? []) : [];
}

/** The parsed cells of a result. */
interface ReadCells {
  text: string;
  isScanned: boolean;
  number: PrintedNumber | null;
  isWord: boolean;
  unit: string | null;
  isCount: boolean;
  flag: LabFlag | null;
  /** Null if there is no range or if it had to be repaired. */
  printedRange: ReferenceRange | null;
  range: ReferenceRange | null;
  /** A word in place of a range, such as `negative`. */
  expected: string | null;
  isKnown: boolean;
  hasLeaders: boolean;
}

function resultOf(name: string, value: LabValue, cells: LabCells, around: Surroundings): FoundLabResult | null {
  const { page, panel, sample, ctx, decimal } = around;
  const read = readCells(name, value, cells, around);
  const evidence = evidenceOf(read, cells, around);
  if (evidence < MIN_EVIDENCE || !isResult(read, cells, around)) return null;
  const { text, isScanned, isWord, range, flag } = read;
  const numbered =
    read.number && asThousands(read.number, text, { unit: read.unit, isCount: read.isCount, range, decimal });
  const number = numbered && isScanned ? withoutArrow(numbered, name, read.unit) : numbered;
  const repaired =
    number && range && isScanned
      ? repairDecimals(text, number.value, cells.range ?? cells.bound ?? '', range)
      : { value: number?.value ?? null, range, isRepaired: false };
  const bounds =
    isScanned && number && repaired.range
      ? rangeByFlag(text, repaired.value ?? number.value, repaired.range, flag === 'high')
      : repaired.range;
  const finalNumber = number && repaired.value !== null ? { ...number, value: repaired.value } : null;
  const isAbnormal =
    abnormal(finalNumber, isWord ? text : null, bounds, read.expected, flag) || isPositiveAlone(name, read);
  const isContradicted = flag !== null && bounds !== null && number !== null && (flag !== 'normal') !== isAbnormal;
  const certainty =
    (number === null && !isWord ? 0.3 : 1) *
    (repaired.isRepaired ? 0.7 : 1) *
    (isContradicted ? 0.8 : 1) *
    (read.printedRange === null && bounds !== null ? 0.85 : 1);
  const printing = confidenceOf([...(cells.nameToken?.words ?? []), ...value.token.words]);
  const dates = ctx.dates(page.page);
  const row = {
    test_name_original: name,
    value: repaired.value,
    value_text: text.trim().replace(/[,;]$/, ''),
    unit: read.unit,
    reference_range_low: bounds?.low ?? null,
    reference_range_high: bounds?.high ?? null,
    is_abnormal: isAbnormal,
    sample_type: sample,
    panel_name: panel,
    test_date: value.date ?? dates.collected ?? dates.event,
    confidence: Math.min(0.99, printing * (0.7 + 0.06 * Math.min(5, evidence)) * certainty),
    place: placeOf(page.page, cells.line.words),
    reference_range_comparator: bounds ? comparatorOfRange(cells.range ?? '', bounds) : null,
  };
  const secondReading = secondReadingOf(value);
  const doubt = ownDoubts(row, {
    // `1,240` has no decimals.
    value: number === null ? '' : text.replace(/(\d)[.,](?=\d{3}$)/, Number.isInteger(number.value) ? '$1' : '$&'),
    // A range that was repaired fits its value again.
    range: bounds === read.printedRange ? cells.range : null,
    isScanned,
    readingsDiffer: isReadTwice(value, cells),
    isGuessed: value.isGuessed === true || number !== numbered || (number !== null && LETTERS_FOR_DIGITS.test(text)),
    isRepaired: number !== null && repaired.value !== number.value,
    hasOtherDecimals: number !== null && hasOtherDecimals(text, cells.values),
    isNameCut: isScanned && !read.isKnown && name.replace(/[^\p{L}]/gu, '').length < MIN_NAME_LETTERS,
    isRangeLost: number !== null && bounds === null && !cells.isUnderHeader && hasTwoNumbersBehind(value, cells),
    isContradicted: finalNumber !== null && bounds !== null && contradicts(finalNumber.value, bounds, flag),
    valueConfidence: confidenceOf(value.token.words),
  });
  return { ...row, doubt, ...(secondReading !== null && { second_reading: secondReading }) };
}

/** "13,8 g/dL   rit 13,0   17,5": what is behind the value looks like its range. */
const hasTwoNumbersBehind = ({ token }: LabValue, { line }: LabCells): boolean =>
  line.words.filter(({ x, text }) => x > token.to && /^[[(]?\d+(?:[.,]\d+)?[\])]?$/.test(text)).length === 2;

/** An arrow before a number is read as a 1 or 4: "4131" mmol/l of sodium is impossible, and 131 is not. */
function withoutArrow(number: PrintedNumber, name: string, unit: string | null): PrintedNumber {
  const limits = plausibleLimits(name, unit);
  const rest = /^[14](\d{2,}(?:\.\d+)?)$/.exec(String(number.value))?.[1];
  if (limits === null || rest === undefined || number.value <= limits.high) return number;
  const value = Number(rest);
  return value >= limits.low && value <= limits.high ? { ...number, value } : number;
}

/** The printed value with the numbers as a second look read them; null if both readings agree. */
function secondReadingOf({ token: { words } }: LabValue): string | null {
  if (!words.some((word) => word.secondReading !== undefined)) return null;
  return words
    .map(({ text, secondReading }) =>
      text.replace(/\d+(?:[.,]\d+)?(?:[-–]\d+(?:[.,]\d+)?)?/, (number) => secondReading ?? number),
    )
    .join(' ')
    .replace(/[,;]$/, '');
}

/**
 * Whether a second look at the number, or at another one of the row but not of another day,
 * read other digits.
 */
function isReadTwice(value: LabValue, { line, values }: LabCells): boolean {
  const others = new Set(values.filter((other) => other !== value).flatMap(({ token }) => token.words));
  return line.words.some((word) => word.secondReading !== undefined && !others.has(word));
}

/** Whether the results of other days in the same row have other decimals. */
function hasOtherDecimals(text: string, values: readonly LabValue[]): boolean {
  const decimals = values.filter((value) => value.text !== text).map((value) => decimalsOf(value.text));
  return decimals.length > 1 && new Set(decimals).size === 1 && decimals[0] !== decimalsOf(text);
}
const decimalsOf = (text: string): number => /[.,](\d+)/.exec(text)?.[1]?.length ?? 0;

/** Whether a printed "high" or "low" is not true of number and range. */
const contradicts = (value: number, { low, high }: ReferenceRange, flag: LabFlag | null): boolean =>
  (flag === 'high' && high !== null && value < high) || (flag === 'low' && low !== null && value > low);

/** The sign of a range with one bound; words such as "bis" and "up to" include the bound. */
function comparatorOfRange(printed: string, { low, high }: ReferenceRange): Comparator | null {
  if ((low === null) === (high === null)) return null;
  const isInclusive = /[≤≥]|[<>]\s?(?:or\s?)?=|^\W*(?:bis|up ?to|max|jusqu|fino a|ab|min)\b/iu.test(printed);
  if (high !== null) return isInclusive ? '≤' : '<';
  return isInclusive ? '≥' : '>';
}

function readCells(
  name: string,
  { text, token, date, flag }: LabValue,
  cells: LabCells,
  { page, ctx, isInRun }: Surroundings,
): ReadCells {
  const isScanned = page.source === 'ocr';
  const international = ctx.language === 'fr' || ctx.language === 'it';
  const number = readNumber(isScanned && (date !== null || /^[<>≤≥]/.test(text)) ? withDigits(text) : text, isScanned);
  const isWord = number === null && isWordResult(text);
  const unit = cells.unit === null ? null : unitOf(cells.unit, name, { scanned: isScanned, international });
  const isCount = unit !== null && unit.startsWith('/');
  const printedRange =
    cells.range === null
      ? null
      : readRange(isScanned ? withDigits(withSign(cells.range)) : cells.range, isCount, ctx.sex);
  return {
    text,
    isScanned,
    number,
    isWord,
    unit,
    isCount,
    flag: date === null ? cells.flag : flag,
    printedRange,
    range: printedRange ?? repairedRange(cells, name, isScanned),
    expected: cells.range !== null && isWordResult(cells.range) ? cells.range : null,
    isKnown:
      isKnownTest(name) ||
      (unit === null ? isInRun && number !== null && SALT.test(name) : isKnownWithUnit(name, unit, cells)),
    // Dot leaders point to a result; a word in its own column below other results is one as well.
    hasLeaders: LEADERS.test(cells.line.text) || (isWord && isInRun && token.segment !== cells.nameToken?.segment),
  };
}

/** "Na 140, K 4.1 mmol/l" behind other results. */
const SALT = /^(?:Na|K|Ca|Mg|Cl)\+*$/;

/** Symbols and names of medicines (whose levels are measured) are tests only before the unit of a result. */
const isKnownWithUnit = (name: string, unit: string, { isSusceptibility }: LabCells): boolean =>
  isSusceptibility || SYMBOLS.test(name) || (!DOSE_UNIT.test(unit) && isNameOfTest(name));

/** OCR reads quotation marks and currencies instead of the sign of a bound. */
const withSign = (text: string): string => text.replace(/^[«‹€£](?=\s*\d)/, '<').replace(/^[»›](?=\s*\d)/, '>');

/** Letters that OCR reads instead of all digits, in a column of numbers or after the sign of a bound: `< Iso`. */
const LETTERS_FOR_DIGITS = /((?:^|[<>≤≥]\s*)(?=..)|[<>≤≥]\s*)([IilOoSsBZ|!]{1,4})$/;
const withDigits = (text: string): string =>
  text.replace(
    LETTERS_FOR_DIGITS,
    (_, sign: string, letters: string) => sign + (repairNumber(`${letters}0`)?.slice(0, -1) ?? letters),
  );

/** In the range of a cell count, `4.000` means four thousand. */
const readRange = (text: string, isCount: boolean, sex: RowContext['sex']): ReferenceRange | null =>
  dilutionOf(text) === null
    ? parseReferenceRange(isCount ? text.replace(/(?<!\d)(\d{1,3})[.,](\d{3})(?!\d)/g, '$1$2') : text, sex)
    : null;

function repairedRange(
  { range, bound, bareBound, line }: LabCells,
  name: string,
  scanned: boolean,
): ReferenceRange | null {
  const repaired = scanned
    ? (rangeWithLostDash(line.text) ?? (range === null ? null : rangeWithLostPoint(range)))
    : null;
  const printed = bound ?? (scanned ? bareBound : null);
  return repaired ?? (printed === null ? null : rangeOfBound(printed, name));
}

function evidenceOf(read: ReadCells, { isUnderHeader }: LabCells, { isInColumn }: Surroundings): number {
  const { number, isWord, unit, range, expected, flag, isKnown, hasLeaders } = read;
  return (
    (number ? 1 : 0) +
    (!number && isWord ? 0.5 : 0) +
    (unit ? 1 : 0) +
    (range ? 1 : 0) +
    (expected ? 1 : 0) +
    (flag ? 0.5 : 0) +
    (isKnown ? 1 : 0) +
    (isUnderHeader ? 1 : 0) +
    (isInColumn ? 1 : 0) +
    (hasLeaders ? 1.5 : 0)
  );
}

/** The words of the line up to the value. */
function textBefore({ line, values }: LabCells): string {
  const to = values[0]?.token.from ?? 1;
  return withoutAsides(line.words.filter((word) => word.x < to));
}

/** Excludes rows that only look like a result: dates, addresses, doses and plain text. */
function isResult(read: ReadCells, cells: LabCells, { ctx, isInColumn, isInRun }: Surroundings): boolean {
  const { number, isWord, unit, range, expected, isKnown, hasLeaders } = read;
  const { isUnderHeader, line } = cells;
  if (number === null && !isWord && !(isUnderHeader && (range || unit))) return false;
  // "GFR calculated MDRD 52 mL/min" between rows that are complete.
  const continuesRun = isInRun && unit?.includes('/') === true && number !== null && line.words.length <= MAX_ROW_WORDS;
  if (!isUnderHeader && !isKnown && !isInColumn && !hasLeaders && !(unit && range) && !expected && !continuesRun)
    return false;
  // "Calprotectin in January was 640 µg/g" and "Creatinine peaked at 1.9" are not the results of this page.
  const mayBeText = !isUnderHeader || line.segments.length === 1;
  if (mayBeText && mentions('past', textBefore(cells))) return false;
  if (mayBeText && AIM.test(textBefore(cells))) return false;
  // "gedruckt am 06.03.2025", "Plaquettes le 02/06/2024", "Vidierung: Dr. Ann Lee +"
  if (DAY.test(cells.name) || (isUnderHeader && findDoctors(cells.name).length > 0)) return false;
  if (cells.name.split(' ').length > MAX_NAME_WORDS) return false;
  // Under a table, addresses, norms and comments have numbers, too.
  if (isUnderHeader && number !== null && !unit && !range && !expected && !isKnown && cells.hasOtherColumns)
    return false;
  const mayBeDate = !unit && !range && (!isUnderHeader || /:\s*\d*$/.test(cells.name));
  if (mayBeDate && ctx.parseDate(line.text) !== null) return false;
  if ((!unit || !isUnit(unit, { inColumn: true })) && !range && STREET_PRINT.test(line.text)) return false;
  return isUnderHeader || !unit || !DOSE_UNIT.test(unit) || (isKnown && range !== null);
}

function readNumber(text: string, scanned: boolean): PrintedNumber | null {
  const marked = scanned ? text.replace(/^(\D*\d{1,4})[:;](\d{1,2})$/, '$1.$2') : text;
  const plain = withSign(marked)
    .replace(/[,;]$/, '')
    .replace(/\s?or\s?=/i, '=');
  const direct = parseNumber(plain);
  if (direct) return direct;
  const repaired = repairNumber(plain);
  return repaired === null ? null : parseNumber(repaired);
}

/**
 * `250.000 /µl`, `1.250` in a report with decimal commas, and `1.250` beside `15 - 300` have thousands separators; a
 * urine density of `1.020` does not.
 */
function asThousands(
  number: PrintedNumber,
  text: string,
  {
    unit,
    isCount,
    range,
    decimal,
  }: { unit: string | null; isCount: boolean; range: ReferenceRange | null; decimal: '.' | ',' | null },
): PrintedNumber {
  const [, whole, mark, rest] = /^\D*(\d{1,3})([.,])(\d{3})$/.exec(text.trim()) ?? [];
  if (!whole || !rest || whole === '0') return number;
  const low = range?.low ?? null;
  const tooSmall = low !== null && Number.isInteger(low) && number.value * 3 < low && Number(whole + rest) >= low;
  const mayBeDensity = whole === '1' && (unit === null || DENSITY.test(unit)) && number.value < MAX_DENSITY;
  const isBesideWhole =
    (range?.high ?? 0) >= MIN_WHOLE && [low, range?.high].every((bound) => Number.isInteger(bound ?? 0));
  return isCount ||
    tooSmall ||
    (isBesideWhole && !mayBeDensity) ||
    (decimal !== null && mark !== decimal && !mayBeDensity)
    ? { ...number, value: Number(whole + rest) }
    : number;
}

/**
 * Compares the value with the range; a flag counts only without a range. A word is abnormal if the laboratory expects
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
  // "500 /µl" where nothing is expected.
  if (number && expected !== null)
    return polarityOf(expected) === 'negative' && number.value > 0 && !/^[<≤]/.test(number.comparator ?? '');
  // "positive" beside a cut-off.
  if (word !== null && expected === null && range !== null && range.low === null)
    return polarityOf(word) === 'positive';
  if (word === null || expected === null) return false;
  const [titer, limit] = [dilutionOf(word), dilutionOf(expected)];
  if (titer !== null && limit !== null)
    return !word.startsWith('<') && (expected.startsWith('<') ? titer >= limit : titer > limit);
  const [found, usual] = [polarityOf(word), polarityOf(expected)];
  return found !== null && usual !== null ? found !== usual : fold(word).slice(0, 3) !== fold(expected).slice(0, 3);
}

/** "Nitrite   positive", where nothing says what is expected. */
const isPositiveAlone = (name: string, { isWord, text, range, expected, flag }: ReadCells): boolean =>
  isWord &&
  range === null &&
  expected === null &&
  flag === null &&
  polarityOf(text) === 'positive' &&
  !isHarmless(name);

/** A blood pressure or a tourniquet is not a result; partial pressures of gases are. */
const isPressure = (name: string, unit: string | null): boolean =>
  unit !== null && /^mm\s?Hg$/i.test(unit) && !/O2|CO2|pO|pC|oxygen|sauerstoff|oxyg[eè]ne|ossigeno/i.test(name);
