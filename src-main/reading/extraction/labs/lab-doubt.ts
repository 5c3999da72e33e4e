import type { LabDoubt } from '../../../../src-shared/contract/lab-doubt.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import type { FoundLabResult } from '../extraction.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { fold } from '../fold.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { doubted } from './doubted.ts';
import { findLabHeadings } from './lab-columns.ts';
import { areLimits } from './lab-range-text.ts';
import { isPartOfUnit } from './lab-repair.ts';
import { hasNoUnitByName, isUnitless, plausibleLimits, type Limits } from './plausible-limits.ts';
import { labTokens } from './lab-tokens.ts';
import { beginsLikeTest, hasTwoLimits, isKnownTest, isWideTest } from './lab-words.ts';

/** Below this confidence, the print was hard to read. */
const MIN_CONFIDENCE = 0.6;
/** A number this many times above or below its range is rare; of some tests it is not. */
const MAX_RATIO_TO_RANGE = 5;
const MAX_RATIO_OF_WIDE_TEST = 100;
const MAX_RATIO_OF_ALLERGY = 1000;
/** No limit is so many times a result. */
const FAR_BOUND = 5000;
const LONG_NAME_WORDS = 6;
/** "Prolactin to be repeated. Macroprolactin", but not "Spez. Gewicht" */
const IS_SENTENCES = /(?:(?<!\p{L})\p{Ll}{3,}|\p{Ll}{6})\.\s\p{Lu}/u;
/** Words of a result that were recognized so well are not doubted. */
const MIN_CONFIDENCE_OF_WORDS = 0.85;
/** Bounds of different decimals whose ratio is larger than this, and numbers this many times outside, lost a point. */
const MIXED_RATIO = 9;
const POINT_LOST = 3;
/** A table has ranges or units if this share of at least this many other rows have them. */
const MIN_SHARE = 0.6;
const MIN_ROWS = 3;
/** Ratios, indices and titers are rarely larger. */
const MIN_MEASURED = 100;
const MIN_CELLS: Record<string, number> = { '/uL': 100, '/mL': 1e5, '/L': 1e8 };

/** What the signs of doubt need beside the row itself. */
export interface PrintOf {
  /** Printed texts of value and range, to compare their decimals; null for a row without a number and a range. */
  value: string;
  range: string | null;
  isScanned: boolean;
  /** Whether a second look at the number read other digits. */
  readingsDiffer: boolean;
  /** Whether letters were read in place of all digits. */
  isGuessed: boolean;
  /** Whether the number had to be repaired. */
  isRepaired: boolean;
  /** Whether the results of other days in the same row have other decimals. */
  hasOtherDecimals: boolean;
  /** Whether only a part of the name is left. */
  isNameCut: boolean;
  /** Whether numbers behind the value could not be read as its range. */
  isRangeLost: boolean;
  /** Whether the printed flag contradicts number and range. */
  isContradicted: boolean;
  /** How well the characters of the value were recognized, 0 to 1. */
  valueConfidence: number;
}

/** Signs in the row itself. */
export function ownDoubts(row: Omit<FoundLabResult, 'doubt'>, print: PrintOf): LabDoubt[] {
  const { value, unit } = row;
  const isOfBlood = row.sample_type !== 'urine' && row.sample_type !== 'cerebrospinal fluid';
  const limits = value === null || !isOfBlood ? null : plausibleLimits(row.test_name_original, unit);
  const signs: [LabDoubt, boolean][] = [
    [
      'poor_print',
      row.confidence < MIN_CONFIDENCE ||
        print.isNameCut ||
        print.isGuessed ||
        (print.isScanned && (hasLostLimit(row) || isMarkOnly(row) || isSignDoubtful(row))),
    ],
    ['readings_differ', print.readingsDiffer],
    ['unit_missing', value !== null && isUnitUnclear(row, print.isScanned)],
    ['far_from_range', value !== null && isFar(row, value)],
    [
      'decimals_differ',
      value !== null && print.isScanned && (haveDecimalsLost(row, value, print) || isBeyond(row, limits)),
    ],
    ['range_missing', print.isScanned && print.isRangeLost],
    ['flag_differs', print.isContradicted],
    ['value_impossible', limits !== null && value !== null && (value < limits.low || value > limits.high)],
    [
      'name_long',
      fold(row.test_name_original).split(' ').length > LONG_NAME_WORDS || IS_SENTENCES.test(row.test_name_original),
    ],
    [
      'abnormal_in_words',
      value === null && row.is_abnormal && print.isScanned && print.valueConfidence < MIN_CONFIDENCE_OF_WORDS,
    ],
  ];
  return signs.flatMap(([doubt, applies]) => (applies ? [doubt] : []));
}

/** Whether a mark was read in place of a number, which is measured in a unit: "+ mg/dl". */
const isMarkOnly = ({ value, value_text: text, unit, sample_type: sample }: Omit<FoundLabResult, 'doubt'>): boolean =>
  value === null && unit !== null && sample !== 'urine' && !/[\p{L}\d]/u.test(text);

/** Whether a result is below a number that is above its range: the sign was an arrow or a rule. */
const isSignDoubtful = ({ value, value_text: text, reference_range_high: high }: Omit<FoundLabResult, 'doubt'>) =>
  value !== null && high !== null && value > high && /^[<≤]/.test(text);

/** Whether only one limit of a range is left that has two. */
const hasLostLimit = ({ test_name_original: name, ...row }: Omit<FoundLabResult, 'doubt'>): boolean =>
  (row.reference_range_low === null) !== (row.reference_range_high === null) &&
  row.sample_type !== 'urine' &&
  hasTwoLimits(name);

/** A number needs a unit unless its test has none; in a scan the unit has to be one, and one of its test. */
function isUnitUnclear(row: Omit<FoundLabResult, 'doubt'>, isScanned: boolean): boolean {
  const { test_name_original: name, unit } = row;
  if (unit === null) return !isUnitless(name);
  // Only a sedimentation is reported in a length.
  if (!isScanned || unit === 'mm') return false;
  const code = ucumOf(unit);
  return code === null || isPartOfUnit(name, code) || hasLostPower(row, code);
}

/** Cells in blood are thousands in a microliter; fewer lost the power of ten of their unit: "4.72 /uL", "3.1 /L". */
const hasLostPower = (
  { test_name_original: name, value, sample_type: sample }: Omit<FoundLabResult, 'doubt'>,
  code: string,
): boolean => value !== null && value < (MIN_CELLS[code] ?? 0) && sample !== 'urine' && hasTwoLimits(name);

function isFar(row: Omit<FoundLabResult, 'doubt'>, value: number): boolean {
  const { reference_range_low: low, reference_range_high: high } = row;
  const isWide = low === 0 || row.sample_type === 'urine' || isWideTest(row.test_name_original);
  const ofTest = isWide ? MAX_RATIO_OF_WIDE_TEST : MAX_RATIO_TO_RANGE;
  const factor = isAntibodyOfAllergy(row) ? MAX_RATIO_OF_ALLERGY : ofTest;
  // "<20" of platelets is the limit of the device, which may be far below the range.
  const isLow = low !== null && low > 0 && value < low / factor && !/^[<≤]/.test(row.value_text);
  return (high !== null && high > 0 && value > factor * high) || isLow;
}

/** Antibodies against an allergen (specific IgE) reach hundreds of times their limit of 0.35 kU/L. */
const isAntibodyOfAllergy = ({ unit, reference_range_high: high }: Omit<FoundLabResult, 'doubt'>): boolean =>
  high !== null && high <= 0.7 && unit !== null && /^k(?:U|UA|IU|UI)\//.test(unit);

/** Whether a bound of the range is a value that nobody has: "12 - 160 g/dL" of hemoglobin. */
const isBeyond = (row: Omit<FoundLabResult, 'doubt'>, limits: Limits | null): boolean =>
  isBoundFar(row) ||
  (limits !== null &&
    [row.reference_range_low, row.reference_range_high].some(
      (bound) => bound !== null && (bound > limits.high || (bound > 0 && bound < limits.low)),
    ));

/** Whether digits of both limits were read as one: "571268" beside 14.0. */
const isBoundFar = ({ value, reference_range_high: high }: Omit<FoundLabResult, 'doubt'>): boolean =>
  value !== null && value > 0 && high !== null && high > FAR_BOUND * value;

/** Whether a decimal point of value or range was lost, or put back where the number still does not fit its range. */
function haveDecimalsLost(row: Omit<FoundLabResult, 'doubt'>, value: number, print: PrintOf): boolean {
  const { reference_range_low: low, reference_range_high: high } = row;
  const isOutside = (low !== null && value < low) || (high !== null && value > high);
  return print.isRepaired ? isOutside : print.hasOtherDecimals || haveOtherDecimals(print, isOutside);
}

const decimalsOf = (text: string): number => /[.,](\d+)/.exec(text)?.[1]?.length ?? 0;

/**
 * Laboratories print value and range with the same decimals. Where they differ and the numbers do not fit each other, a
 * point was lost: "42" beside "3.5 - 5.1", "35 - 51" beside "4.2", "3.5 - 51".
 */
function haveOtherDecimals({ value, range }: PrintOf, isOutside: boolean): boolean {
  const bounds = range?.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const numbers = bounds.map((bound) => Number(bound.replace(',', '.')));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const decimals = bounds.map(decimalsOf);
  if (bounds.length === 0) return false;
  const own = decimalsOf(value);
  // "6.8" beside "4.2 - 6.11": a digit was added to one bound.
  if (new Set(decimals).size > 1)
    return (least > 0 && most / least > MIXED_RATIO) || (Math.min(...decimals) === own && own > 0);
  const theirs = decimals[0] ?? 0;
  const number = Number(/\d+(?:[.,]\d+)?/.exec(value)?.[0].replace(',', '.') ?? most);
  if (own === theirs) return false;
  if (own === 0) return isOutside || number > POINT_LOST * most || decimals.length > 1;
  const fitsSmaller = number >= least / 10 ** own / 2 && number <= (2 * most) / 10 ** own;
  const isDigitTooMuch = theirs > 0 && own > Math.max(theirs, 2);
  return number < least / POINT_LOST || (isOutside && (isDigitTooMuch || (theirs === 0 && fitsSmaller)));
}

/** So many whole numbers without any decimals are suspicious. */
const MIN_WHOLE_NUMBERS = 3;
/** "12.10.2023", and what is left of it where a blank was read within: "10.2023". */
const IS_DATE = /\d[.,/]\d+[.,/]\d|\d[.,/](?:19|20)\d\d\W*$/;

/**
 * Marks all whole numbers of a scan that lost its points: no number on the page has decimals, but one begins with a
 * zero or is impossible.
 */
export function addDoubtsOfLostPoints(
  rows: FoundLabResult[],
  { source, lines }: Pick<LayoutPage, 'source' | 'lines'>,
): FoundLabResult[] {
  const texts = lines.flatMap(({ words }) => words.map(({ text }) => text)).filter((text) => !IS_DATE.test(text));
  const whole = rows.filter(
    ({ value, reference_range_high: high }) =>
      value !== null && high !== null && Number.isInteger(value) && value < 1000,
  );
  if (source !== 'ocr' || whole.length < MIN_WHOLE_NUMBERS || texts.some((text) => /\d[.,]\d/.test(text))) return rows;
  const isLost =
    texts.some((text) => /(?:^|[-–<>[(])0\d{1,3}(?![\d:])/.test(text)) ||
    rows.some(({ doubt }) => doubt.includes('value_impossible'));
  if (!isLost) return rows;
  return rows.map((row) => (whole.includes(row) ? doubted(row, 'decimals_differ') : row));
}

/** A name that lost its first letters: "acrolimus level", "p otassium"; not "fT4", "pH" or "anti-TPO". */
const CUT_NAME = /^\p{Ll}(?:\p{Ll}|\s)/u;
/** Names that begin otherwise are at most this share of those with a capital in a scan that prints all with one. */
const MAX_CUT_SHARE = 0.4;

/** Marks the rows of a scan whose names alone begin in the middle of a word. */
export function addDoubtsOfCutNames(rows: FoundLabResult[], { source }: Pick<LayoutPage, 'source'>): FoundLabResult[] {
  const namesLike = (form: RegExp): number => rows.filter((row) => form.test(row.test_name_original)).length;
  const capital = namesLike(/^\p{Lu}/u);
  if (source !== 'ocr' || capital < MIN_ROWS || namesLike(CUT_NAME) > MAX_CUT_SHARE * capital) return rows;
  return rows.map((row) =>
    CUT_NAME.test(row.test_name_original) && !beginsLikeTest(row.test_name_original) ? doubted(row, 'poor_print') : row,
  );
}

/** A range is at most so many heights of its print below the name of its result. */
const MAX_RANGE_BELOW = 8;

/**
 * Marks the numbers of a scan without a range if another one of the page has a range, if the page has a heading of
 * ranges, or if limits or their label are printed beside or below. Laboratories have to print a range for each number
 * (ISO 15189).
 */
export function addDoubtsOfLostRanges(
  rows: FoundLabResult[],
  { source, lines }: Pick<LayoutPage, 'source' | 'lines'>,
): FoundLabResult[] {
  if (source !== 'ocr') return rows.map((row) => (isRangeBesideUnread(row, rows, lines) ? withoutRange(row) : row));
  const numbers = rows.filter(({ value }) => value !== null);
  const labels = lines.filter(({ segments: [first] }) => first !== undefined && labelsOf(first).from === 0);
  const hasHeading = lines.some(({ segments }) => segments.length > 1 && segments.some((one) => labelsOf(one).isWhole));
  const areAllLost = (hasHeading && numbers.length > 1) || numbers.some(hasAnyRange);
  const lost = new Set(
    labels.flatMap(({ y, h, words }) => {
      const above = rows.filter(({ place }) => place !== null && place.bbox[1] < y);
      const nearest = above.sort((a, b) => (b.place?.bbox[1] ?? 0) - (a.place?.bbox[1] ?? 0))[0];
      const isBelow = y - (nearest?.place?.bbox[1] ?? 0) < MAX_RANGE_BELOW * h;
      return nearest && isBelow && words.some(({ text }) => /\d/.test(text)) ? [nearest] : [];
    }),
  );
  return rows.map((row) =>
    row.value !== null && !hasAnyRange(row) && (areAllLost || lost.has(row) || hasUnreadRange(row, lines))
      ? withoutRange(row)
      : row,
  );
}

const withoutRange = (row: FoundLabResult): FoundLabResult => doubted(row, 'range_missing');

/** Whether the line of a number that has no range has limits, and no other result that has them. */
function isRangeBesideUnread(row: FoundLabResult, rows: readonly FoundLabResult[], lines: readonly Line[]): boolean {
  const own = lineOf(row, lines);
  if (row.value === null || hasAnyRange(row) || !own) return false;
  const isTaken = rows.some((other) => hasAnyRange(other) && lineOf(other, lines) === own);
  return !isTaken && haveLimits(own);
}

/** A line of limits without a label is at most so many heights of its print below its result, and this long. */
const MAX_LIMITS_BELOW = 3,
  MAX_WORDS_OF_LIMITS = 6;
const LIMITS_IN_BRACKETS = /[[(]\s*[<>≤≥]?\s*\d[\d.,]*\D{1,4}\d[\d.,]*\s*[\])]/u;

/** Whether limits are printed behind a result or in the line below it although its range is empty. */
function hasUnreadRange(row: FoundLabResult, lines: readonly Line[]): boolean {
  const own = lineOf(row, lines);
  const below = own && lines[lines.indexOf(own) + 1];
  if (!own) return false;
  const isBelow = below !== undefined && below.y - own.y < MAX_LIMITS_BELOW * own.h;
  return haveLimits(own) || (isBelow && isLineOfLimits(below));
}

/** The line in which a result is printed. */
export function lineOf({ place }: FoundLabResult, lines: readonly Line[]): Line | undefined {
  const middle = place && place.bbox[1] + place.bbox[3] / 2;
  return lines.find(({ y, h }) => middle !== null && y <= middle && middle <= y + h);
}

const haveLimits = ({ segments, text }: Line): boolean => {
  const tokens = labTokens(segments);
  const limits = tokens.slice(tokens.findIndex(({ kind }) => kind === 'range'));
  const isRange = limits[0]?.kind === 'range' && areLimits(limits.map((token) => token.text).join(' '));
  return isRange || LIMITS_IN_BRACKETS.test(text);
};

/** A short line without a name: limits, or two growing numbers. */
function isLineOfLimits({ segments, words, text }: Line): boolean {
  if (words.length > MAX_WORDS_OF_LIMITS || IS_DATE.test(text) || isKnownTest(segments[0]?.text ?? '')) return false;
  const [low, high, ...others] = (text.match(/\d+(?:[.,]\d+)?/g) ?? []).map((one) => Number(one.replace(',', '.')));
  const isLimits = low !== undefined && high !== undefined && others.length === 0 && low < high;
  return isLimits && labTokens(segments).every(({ kind }) => kind !== 'unit');
}

/** Whether a result has a range or one limit. */
export const hasAnyRange = (row: FoundLabResult): boolean =>
  row.reference_range_low !== null || row.reference_range_high !== null;

/** Where the label of a range begins in a text, and whether it is nothing else. */
function labelsOf({ words }: Segment): { from: number | null; isWhole: boolean } {
  const tokens = tokensOf(words);
  const label = findLabHeadings(tokens).find(({ role }) => role === 'range');
  return { from: label?.from ?? null, isWhole: label?.from === 0 && label.to === tokens.length };
}

/** Adds the signs that follow from the other rows of a document, and returns the rows. */
export function addDoubtsOfTable(rows: readonly FoundLabResult[]): FoundLabResult[] {
  const hasUnit = (row: FoundLabResult): boolean => row.unit !== null;
  const hasArrows = rows.some(hasArrow);
  return rows.map((row) => {
    const others = rows.filter(
      (other) => other !== row && other.value !== null && other.place?.page === row.place?.page,
    );
    const isAlone = (has: (row: FoundLabResult) => boolean): boolean =>
      row.value !== null &&
      !has(row) &&
      others.length >= MIN_ROWS &&
      others.filter(has).length > MIN_SHARE * others.length;
    const doubts: LabDoubt[] = [
      ...row.doubt,
      ...(hasArrows && mayHaveArrow(row) ? (['poor_print'] as const) : []),
      ...(isAlone(hasAnyRange) ? (['range_missing'] as const) : []),
      ...(isAlone(hasUnit) && mayLackUnit(row) ? (['unit_missing'] as const) : []),
    ];
    return doubts.length > row.doubt.length ? { ...row, doubt: [...new Set(doubts)] } : row;
  });
}

/** Whether the first digit of a number was an arrow before it. */
const hasArrow = ({ value, value_text: text }: FoundLabResult): boolean =>
  value !== null && /^[14]\d{3,}$/.test(text) && String(value) === text.slice(1);
/** On a page with such arrows, numbers that begin so and are outside of their range may have one as well. */
const mayHaveArrow = ({ value_text: text, is_abnormal: isAbnormal }: FoundLabResult): boolean =>
  isAbnormal && /^[14][1-9]\d+$/.test(text);

/** A number of a test that is reported with and without a unit, far larger than a ratio. */
const mayLackUnit = ({ value, test_name_original: name }: FoundLabResult): boolean =>
  value !== null && value >= MIN_MEASURED && !hasNoUnitByName(name);
