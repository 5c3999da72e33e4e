import type { PageWord } from '../../../src-shared/medical/page.ts';
import { parseLabFlag } from '../../../src-shared/medical/lab-flag.ts';
import { isUnit } from '../../../src-shared/medical/unit.ts';
import type { Segment } from '../layout/lines.ts';

/** A piece of a laboratory row, by what it looks like. */
export interface LabToken {
  kind: 'name' | 'number' | 'range' | 'unit' | 'flag';
  text: string;
  words: PageWord[];
  from: number;
  to: number;
  /** Index of the segment it stands in. */
  segment: number;
}

const NUMBER = String.raw`\d+(?:['’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`;
const RANGE = new RegExp(String.raw`^[[(]?\s*(?:(?:${NUMBER})\s*(?:-|–|—|−|~|÷|\.{2,}|bis|to|à|a)\s*(?:${NUMBER})|(?:bis|unter|up to|less than|below|max\.?|jusqu['’]?[àa]|inf(?:érieur)?e?\.?(?: à)?|fino a|inferiore a|ab|über|mehr als|more than|above|sup(?:érieur)?e?\.?(?: à)?|superiore a)\s+(?:${NUMBER}))\s*[\])]?`, 'iu');
const COMPARED = new RegExp(String.raw`^[<>≤≥]=?\s*(?:${NUMBER})`, 'u');
const BRACKETED = new RegExp(String.raw`^[[(]\s*(?:[<>≤≥]=?\s*(?:${NUMBER}))\s*[\])]`, 'u');
const PLAIN = new RegExp(String.raw`^[+-]?(?:${NUMBER})(?![\p{L}\d])`, 'u');

/** Splits the segments of a line into typed pieces; words that are none of number, range, unit or flag are name. */
export function labTokens(segments: readonly Segment[]): LabToken[] {
  return segments.flatMap((segment, index) => tokensOfSegment(segment, index));
}

function tokensOfSegment(segment: Segment, index: number): LabToken[] {
  const tokens: LabToken[] = [];
  const words = [...segment.words];
  let at = 0;
  const push = (kind: LabToken['kind'], count: number): void => {
    const own = words.slice(at, at + count);
    const first = own[0], last = own.at(-1);
    if (!first || !last) return;
    const text = own.map((word) => word.text).join(' ');
    const before = tokens.at(-1);
    if (kind === 'name' && before?.kind === 'name') Object.assign(before, { text: `${before.text} ${text}`, words: [...before.words, ...own], to: last.x + last.w });
    else tokens.push({ kind, text, words: own, from: first.x, to: last.x + last.w, segment: index });
    at += count;
  };
  while (at < words.length) {
    const rest = (count: number): string => words.slice(at, at + count).map((word) => word.text).join(' ');
    const span = longest(words.length - at, (count) => matchesWhole(rest(count), RANGE) || matchesWhole(rest(count), BRACKETED));
    if (span > 0) { push('range', span); continue; }
    const compared = longest(Math.min(2, words.length - at), (count) => matchesWhole(rest(count), COMPARED));
    if (compared > 0) { push('number', compared); continue; }
    const unit = longest(Math.min(4, words.length - at), (count) => isUnit(rest(count), { inColumn: words.length === count }));
    if (unit > 0 && (tokens.length > 0 || words.length === unit)) { push('unit', unit); continue; }
    const text = words[at]?.text ?? '';
    if (matchesWhole(text, PLAIN)) { push('number', 1); continue; }
    if (parseLabFlag(text) && (tokens.length > 0 || words.length === 1) && !/^\p{L}{3,}$/u.test(text)) { push('flag', 1); continue; }
    if (splitValueUnit(words, at)) continue;
    push('name', 1);
  }
  return tokens;
}

const MOST_WORDS = 5;
/** The largest number of words, up to five, for which the test holds. */
function longest(available: number, test: (count: number) => boolean): number {
  for (let count = Math.min(MOST_WORDS, available); count > 0; count -= 1) if (test(count)) return count;
  return 0;
}

const matchesWhole = (text: string, form: RegExp): boolean => form.exec(text)?.[0].length === text.length;

/** `6.45mmol/L` is a number and a unit; the word is split in place. `12.6H` is a number and a flag. */
function splitValueUnit(words: PageWord[], at: number): boolean {
  const word = words[at];
  const parts = word && /^([<>≤≥]?\d+(?:[.,]\d+)?)([^\d.,].*)$/u.exec(word.text);
  const [, value, rest] = parts ?? [];
  if (!word || !value || !rest || !(isUnit(rest) || parseLabFlag(rest) || /^\*+$/.test(rest))) return false;
  const share = value.length / word.text.length;
  words.splice(at, 1, { ...word, text: value, w: word.w * share }, { ...word, text: rest, x: word.x + word.w * share, w: word.w * (1 - share) });
  return true;
}
