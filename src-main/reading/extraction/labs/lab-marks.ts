import { parseLabFlag, type LabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { parseNumber } from '../../../../src-shared/medical/number.ts';
import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import type { Line } from '../layout/lines.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import type { LabToken } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

/** A star before a name. */
export const STAR = /^\*{1,3}$/;
const PLUSES = /^\(?\+{1,4}\)?$/;

/** How a germ answers to an antibiotic (EUCAST): S and I are treatable, R is resistant. */
export function parseSusceptibility(text: string): LabFlag | null {
  if (/^(?:R|resist\p{L}*|résist\p{L}*)$/iu.test(text.trim())) return 'abnormal';
  return /^(?:[SI]|suscept\p{L}*|sensib\p{L}*|sensitiv\p{L}*|empfindlich)$/iu.test(text.trim()) ? 'normal' : null;
}

/** Whether a flag is the result itself, as on a test strip: `++` and `norm` in a row without a number or word. */
export const amountOf = ({ kind, text }: LabToken): boolean =>
  kind === 'flag' && (PLUSES.test(text) || (/\p{L}{4}/u.test(text) && parseLabFlag(text) === 'normal'));

/** `46 L > 60 mL/min`: of two units, `H` or `L` is a flag, and so is the Italian `B` for "basso". */
export function withoutFlags(tokens: readonly LabToken[]): LabToken[] {
  const units = tokens.filter(({ kind }) => kind === 'unit').length;
  return tokens.map((token) => {
    const text = token.text === 'B' ? '(B)' : token.text;
    return units > 1 && token.kind === 'unit' && parseLabFlag(text) !== null ? { ...token, text, kind: 'flag' } : token;
  });
}

/** "H", "(L)", "!", "!H": a flag before a name. */
const FLAG_BEFORE_NAME = /^[[(]?(?:!{0,2}(?:H{1,2}|L{1,2}|HI|LO)!{0,2}|[+↑↓▲▼!‼⚠]{1,3})[\])]?$/u;
/** A bullet, or a sign that a legend explains: the name is what follows. A star is read with the name. */
const SIGN_BEFORE_NAME = /^[^\p{L}\p{N}\s*]{1,2}$/u;

/** "Abnormal", "critical" and a tick: as letters they may be of a name, and so only count before a known one. */
const LETTER_BEFORE_NAME = /^[ACx]$/;

/** The flag in a mark before a name; a dash is a bullet there, and no "low". */
function flagIn(mark: string): LabFlag | null {
  if (!FLAG_BEFORE_NAME.test(mark)) return null;
  return parseLabFlag(mark.replace(/[[(!\])]/gu, '')) ?? 'abnormal';
}

/** A mark in a column of its own before the names: "H   Glucose   187", "!   Urea   9.1". */
export function leadingFlag(line: Line): { line: Line; flag: LabFlag | null } {
  const [first, second, ...rest] = line.segments;
  const own = signWithinName(line) ?? flagWithinName(line);
  if (own) return own;
  if (!first || !second || rest.length === 0 || !/\p{L}{2}/u.test(second.text)) return { line, flag: null };
  const isMark =
    FLAG_BEFORE_NAME.test(first.text) ||
    SIGN_BEFORE_NAME.test(first.text) ||
    (LETTER_BEFORE_NAME.test(first.text) && isKnownTest(second.text));
  return isMark ? { line: partOf(line, [second, ...rest]), flag: flagIn(first.text) } : { line, flag: null };
}

/** "↓ pH   7,31", "! Urea   9.1", "- Bilirubin   19": a sign before the name of a result. */
function signWithinName(line: Line): { line: Line; flag: LabFlag | null } | null {
  const [name, ...others] = line.segments;
  const [sign, ...words] = name?.words ?? [];
  if (!sign || others.length === 0 || !/^\p{L}/u.test(words[0]?.text ?? '')) return null;
  const isFlag = FLAG_BEFORE_NAME.test(sign.text) && /[^\p{L}]/u.test(sign.text);
  if (!isFlag && !SIGN_BEFORE_NAME.test(sign.text)) return null;
  return { line: partOf(line, [segmentOf(words), ...others]), flag: flagIn(sign.text) };
}

/** "H WBC   13.9   4.5-11.0": a letter before a name is a flag where the number is outside its range on that side. */
function flagWithinName(line: Line): { line: Line; flag: LabFlag | null } | null {
  const [name, ...others] = line.segments;
  const [letter, ...words] = name?.words ?? [];
  const flag = letter && /^(?:H{1,2}|L{1,2}|HI|LO)$/.test(letter.text) ? parseLabFlag(letter.text) : null;
  if (!name || flag === null || words.length === 0 || !/\p{L}{2}/u.test(words[0]?.text ?? '')) return null;
  const text = others.map((segment) => segment.text).join('  ');
  const value = parseNumber(/^[<>≤≥]?\s?\d[\d.,]*/.exec(text)?.[0] ?? '')?.value ?? null;
  const range = others.map((segment) => parseReferenceRange(segment.text)).findLast((one) => one !== null);
  if (value === null || !range) return null;
  const isOutside =
    flag === 'high' ? range.high !== null && value > range.high : range.low !== null && value < range.low;
  if (!isOutside) return null;
  return { line: partOf(line, [segmentOf(words), ...others]), flag };
}

/** Minimal inhibitory concentrations are powers of two; those below one are rounded. */
const isConcentration = (number: number): boolean =>
  number > 0 &&
  [number, number / 20, number / 38].some((one) => {
    const power = Math.log2(one);
    return Math.abs(power - Math.round(power)) < (number < 1 ? 0.1 : 1e-6);
  });

/**
 * OCR reads "≥" as a 2: `232` and `24` are not concentrations, but 32 and 4 are. Returns the number without it, or
 * null.
 */
export function concentrationBehindSign(text: string): string | null {
  const rest = /^2(\d+(?:[.,]\d+)?)$/.exec(text)?.[1];
  const numberOf = (printed: string): number => Number(printed.replace(',', '.'));
  return rest !== undefined && !isConcentration(numberOf(text)) && isConcentration(numberOf(rest)) ? `≥${rest}` : null;
}

/** "mg/LR", "mg/L S": a unit with the answer of a germ behind it, in too narrow columns. */
export function unitWithAnswer(text: string): { unit: string; flag: LabFlag | null } | null {
  const [, unit, answer] = /^((?:mg|µg|ug|mcg)\s?\/\s?m?[lLI1])\s?([SIR])$/.exec(text.trim()) ?? [];
  return unit && answer ? { unit, flag: parseSusceptibility(answer) } : null;
}
