import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import type { LabCells, LabValue } from './lab-rows.ts';
import { concentrationBehindSign, unitWithAnswer } from './lab-marks.ts';

/** Values of other days that are this many times larger lost a point. */
const POINT_LOST = 5;
const NEAR = 3;

/** What a scan may have damaged in a row: signs and points of its numbers, and the border between two columns. */
export function repairCells(
  cells: LabCells,
  { isScanned, isOfConcentrations }: { isScanned: boolean; isOfConcentrations: boolean },
): LabCells {
  const answer = cells.unit === null ? null : unitWithAnswer(cells.unit);
  const sure = withDoubtOfPairs(cells);
  const split = answer ? { ...sure, unit: answer.unit, flag: cells.flag ?? answer.flag, isSusceptibility: true } : sure;
  if (!isScanned) return split;
  const range = split.range === null ? null : repairRange(split.range);
  const isBroken = range !== split.range;
  const values = split.values.map((value) => repairValue(value, range, isOfConcentrations || answer !== null));
  const name = repairName(split.name);
  return { ...split, name, range, bound: isBroken ? null : split.bound, values: withPoints(values) };
}

/** "Hb 10,4 / 11,6 g/dl": no heading says which of the two numbers is the earlier one. */
function withDoubtOfPairs(cells: LabCells): LabCells {
  const { line, values, isUnderHeader } = cells;
  const isPair = ({ token }: LabValue): boolean => {
    const at = line.words.findIndex(({ x }) => x > token.from + 0.0001);
    const [slash, second] = line.words.slice(at, at + 2);
    return at > 0 && slash?.text === '/' && NUMBER.test(second?.text ?? '');
  };
  if (isUnderHeader || !values.some(isPair)) return cells;
  return { ...cells, values: values.map((value) => ({ ...value, isGuessed: true })) };
}

/** "fT4" is read as "MT4" or "lT4", and no other test is called so. */
const FREE_HORMONE = /^[MIl1|({£]T(?=[34](?!\d))/;

/** Zeros in place of the letter: "25-0OH vitamin D", "pC02". */
const repairName = (name: string): string =>
  name
    .replace(FREE_HORMONE, 'fT')
    .replace(/\b25([\s-]?)(?:0O|O0|0)H\b/, '25$1OH')
    // "BSG1h"
    .replace(/^(BSG|BSR|ESR|VSG?|VES)\s?(\d)\s?h$/, '$1 $2 h')
    .replace(/\bp(C?)02\b/, 'p$1O2')
    // Specks behind a name: "RBC”", "MCH'"
    .replace(/(?<=\p{L})['’‘´`"“”]+$/u, '')
    // The letter of an allergen: "f49 Apfel"
    .replace(/^\{(?=\d{1,3} \p{L})/u, 'f');

/** A number that begins with a zero lost its point: "045-450" was 0.45-4.50, "09-12" was 0.9-1.2. */
const LEADING_ZERO = /(?<![\d.,]|\d\s)0(\d+)(?![\d.,])/;

function repairRange(printed: string): string {
  // "0, 95" is one number.
  const joined = printed.replace(/(?<=\d[.,]) (?=\d)/g, '');
  const lost = LEADING_ZERO.exec(joined)?.[1];
  const pointed =
    lost === undefined
      ? joined
      : joined.replace(/(?<![\d.,])(\d+)(?![\d.,])/g, (digits: string) => withPoint(digits, lost.length));
  return parseReferenceRange(pointed) === null ? withSlashedZeros(pointed) : pointed;
}

const withPoint = (digits: string, decimals: number): string =>
  digits.length > decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;

/** A slashed zero is read as a nine; a range that decreases shows it: "9,5-2,2" was 0,5-2,2. */
function withSlashedZeros(range: string): string {
  const straight = range.replace(/(?<![\d.,])9(?=[.,]\d)/g, '0');
  return straight !== range && parseReferenceRange(straight) !== null ? straight : range;
}

function repairValue(value: LabValue, range: string | null, isConcentration: boolean): LabValue {
  const behindSign = isConcentration ? concentrationBehindSign(value.text) : null;
  if (behindSign !== null) return { ...value, text: behindSign, isGuessed: true };
  const pointed = value.text.replace(/^([<>≤≥]?\s?)0(\d+)\.?$/, '$10.$2');
  if (pointed !== value.text) return { ...value, text: pointed };
  // OCR reads both "<" and "-" as a quotation mark; only some tests have numbers below zero.
  if (!/^[«‹£€]\s?\d/.test(value.text)) return value;
  const low = range === null ? null : (parseReferenceRange(range)?.low ?? null);
  return low !== null && low < 0 ? { ...value, text: value.text.replace(/^\W+/, '-'), isGuessed: true } : value;
}

const NUMBER = /^\d+(?:[.,](\d+))?$/;
const numberOf = (text: string): number => Number(text.replace(',', '.'));

/** Restores the points of numbers in a row of several days of which one kept its point: "36   4.1   49". */
function withPoints(values: LabValue[]): LabValue[] {
  const kept = values.find(({ text }) => NUMBER.exec(text)?.[1] !== undefined);
  const decimals = NUMBER.exec(kept?.text ?? '')?.[1]?.length ?? 0;
  if (!kept || decimals === 0) return values;
  const usual = numberOf(kept.text);
  return values.map((value) => {
    const isWhole = NUMBER.test(value.text) && !/[.,]/.test(value.text);
    const lowered = numberOf(value.text) / 10 ** decimals;
    if (!isWhole || numberOf(value.text) < POINT_LOST * usual) return value;
    return lowered > usual / NEAR && lowered < usual * NEAR
      ? { ...value, text: withPoint(value.text, decimals), isGuessed: true }
      : { ...value, isGuessed: true };
  });
}
