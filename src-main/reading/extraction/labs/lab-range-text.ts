import { parseReferenceRange } from '../../../../src-shared/medical/reference-range.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import { cleanUnit } from '../../../../src-shared/medical/unit.ts';
import type { LabToken } from './lab-tokens.ts';

/** The tokens as they are printed, with one blank between them. */
export const textOfTokens = (tokens: readonly LabToken[]): string => tokens.map((token) => token.text).join(' ');

/** The text of the units of a row; a range that was printed below its result repeats the unit. */
export const textOfUnits = (units: readonly LabToken[]): string =>
  textOfTokens(
    units.filter(({ text }, i) => {
      const code = ucumOf(cleanUnit(text));
      return code === null || !units.slice(0, i).some((before) => ucumOf(cleanUnit(before.text)) === code);
    }),
  );

const PHASE = /^\W*(?:\p{L}*foll?i[ck]|lut[eé]al|ovulat|zyklus|mid-?cycle|\d?\.?\s?trimest|postmeno|meno)/iu;
/** The ranges of a row; the words of phases of the cycle belong to them: "Follikelphase 2,4-12,6 / Lutealphase 1-11". */
export const withPhases = (rest: readonly LabToken[], ranges: readonly LabToken[]): readonly LabToken[] =>
  rest.some(({ kind, text }) => kind === 'name' && PHASE.test(text))
    ? rest.filter((token) => ranges.includes(token) || (token.kind === 'name' && PHASE.test(token.text)))
    : ranges;

/**
 * Builds a range whose bounds are in separate columns; either bound may be missing. A sign before the only bound
 * outweighs its column: "Grenzwert > 10".
 */
export function rangeOfBounds([low]: readonly LabToken[], [high]: readonly LabToken[]): string | null {
  const [only, ...others] = [low, high].filter((token) => token !== undefined);
  if (only && others.length === 0 && /^[<>≤≥]/.test(only.text)) return only.text;
  const bare = (token: LabToken | undefined): string | null =>
    token?.kind === 'number' ? token.text.replace(/^[<>≤≥]=?\s*/, '') : null;
  const [from, to] = [bare(low), bare(high)];
  if (from !== null && to !== null) return `${from} - ${to}`;
  if (to !== null) return `< ${to}`;
  return from === null ? null : `> ${from}`;
}

/** `13.5` and `17.5` in one cell are a range whose dash OCR missed. */
export function rangeText(tokens: readonly LabToken[]): string {
  const [first, second] = tokens;
  const bare = (token: LabToken | undefined): boolean => token?.kind === 'number' && /^[\d.,]+$/.test(token.text);
  const third = tokens[2];
  // `13,5 + 17,5`: OCR misread the dash.
  if (tokens.length === 3 && bare(first) && bare(third) && second && second.text.length === 1)
    return `${first?.text} - ${third?.text}`;
  return tokens.length === 2 && bare(first) && bare(second) ? `${first?.text} - ${second?.text}` : textOfTokens(tokens);
}

/**
 * Two increasing numbers beside each other after the value are a range without its dash; one number with a comparator is
 * a complete range.
 */
export function rangeOfRest(tokens: readonly LabToken[], numbers: readonly LabToken[]): string | null {
  const [low, high] = numbers;
  const areNeighbours = low !== undefined && high !== undefined && tokens[tokens.indexOf(low) + 1] === high;
  if (numbers.length === 2 && areNeighbours && Number(low.text.replace(',', '.')) < Number(high.text.replace(',', '.')))
    return `${low.text} - ${high.text}`;
  return numbers.find((token) => /^[<>≤≥«»‹›]/.test(token.text))?.text ?? null;
}

/** A range in brackets behind the name, perhaps with its unit: `Ferritin (15-150 µg/L)`. */
export function splitRange(tokens: readonly LabToken[]): { name: readonly LabToken[]; range: readonly LabToken[] } {
  const at = tokens.findIndex(({ kind, text }, i) => i > 0 && kind === 'range' && /^[[(]/.test(text));
  const isAtEnd = at > 0 && tokens.slice(at + 1).every(({ kind }) => kind === 'unit');
  return isAtEnd ? { name: tokens.slice(0, at), range: tokens.slice(at) } : { name: tokens, range: [] };
}

/** Whether a text is a range or one of its bounds, and its numbers grow: "19-9" of "CA 19-9" is none. */
export function areLimits(text: string): boolean {
  const { low = null, high = null } = parseReferenceRange(text) ?? {};
  return (low !== null || high !== null) && (low === null || high === null || low < high);
}
