import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { mentions } from '../languages/assertion.ts';
import { partOf, segmentOf } from '../layout/line-parts.ts';
import { amountsInSentence } from './lab-amounts.ts';
import { isRatio, SYMBOLS } from './lab-names.ts';
import { labTokens, type LabToken } from './lab-tokens.ts';
import { isKnownTest } from './lab-words.ts';

const MAX_NAME_WORDS = 4;

/** The words that introduce results in a sentence, and the line from the first result on. */
export interface Introduced {
  introduction: string;
  line: Line;
}

/**
 * Recognizes "Labor bei Aufnahme (12.08.20): Hämoglobin 10,1 g/dl, …" and "12.08.20  Labor  Hb 10,1 g/dl …": words with
 * a colon, or a date with at most one word, before a test and its number. Returns null for other lines.
 */
export function introduced(line: Line): Introduced | null {
  const last = line.words.findIndex(
    ({ text }, i) =>
      (text.endsWith(':') || (i < 2 && DATE.test(line.words[0]?.text ?? ''))) && beginsResult(line.words.slice(i + 1)),
  );
  if (last < 0 || isRatio(line.segments[0]?.text ?? '')) return null;
  const introduction = line.words.slice(0, last + 1);
  const segments = line.segments.flatMap((segment) => {
    const words = segment.words.filter((word) => !introduction.includes(word));
    return words.length > 0 ? [segmentOf(words)] : [];
  });
  return { introduction: introduction.map(({ text }) => text).join(' '), line: partOf(line, segments) };
}
const DATE = /^\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4}):?$/;

function beginsResult(words: readonly PageWord[]): boolean {
  const number = words.findIndex(({ text }) => /^[<>≤≥]?\d/.test(text));
  return (
    number > 0 &&
    number <= MAX_NAME_WORDS &&
    isKnownTest(
      words
        .slice(0, number)
        .map(({ text }) => text)
        .join(' '),
    )
  );
}

/** What makes the first number of a line a limit: "5.7 % or more", "between 5.7 and 6.4". */
const LIMIT = new RegExp(
  [
    String.raw`^\D*\d[\d.,]*\s?(?:[^\s\d]\S{0,9}\s)?(?:or|oder|ou|o)\s(?:more|less|higher|lower|above|below|over|`,
    String.raw`under|greater|mehr|weniger|höher|tiefer|niedriger|grösser|größer|kleiner|darüber|darunter|`,
    String.raw`plus|moins|supérieure?|inférieure?|`,
    String.raw`più|meno|superiore|inferiore)(?!\p{L})|`,
    String.raw`^\D*\s(?:between|zwischen|entre|tra|fra)\s\d[\d.,]*\s?(?:[^\s\d]\S{0,9}\s)?(?:and|und|et|e)\s\d|`,
    String.raw`^\D*\s(?:(?:less|more|lower|higher|greater) than|`,
    String.raw`(?:weniger|mehr|höher|tiefer|kleiner|grösser|größer) als|`,
    String.raw`moins de|plus de|(?:meno|più) di|inférieure? à|supérieure? à|`,
    String.raw`(?:inferiore|superiore) a|below|above|unter|über)\s`,
    String.raw`\d.*\s(?:suggests?|indicates?|means?|(?:spricht|sprechen) für|weis(?:t|en) auf|`,
    String.raw`bedeute[nt]|évoque|suggère|`,
    String.raw`indique|indica|suggerisce|depone)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Whether a sentence says from where on a result means something, such as a comment under a table. */
export const statesLimit = ({ segments: [segment, ...others] }: Line): boolean =>
  segment !== undefined &&
  others.length === 0 &&
  /^\P{N}*\p{L}/u.test(segment.text) &&
  LIMIT.test(withoutDigitsOfNames(segment.text));

/** "HbA1c", "CA 19-9": the digits of names are not numbers. */
const withoutDigitsOfNames = (text: string): string =>
  text.replace(/\p{L}[\p{L}\d]*\d[\p{L}\d]*|\d[\d-]*\p{L}+/gu, 'x');

/** Words between a test and its number in a sentence. */
const CONNECTOR = new RegExp(
  [
    String.raw`^(?:von|vom|of|de|di|del|della|à|a|al|pari|bei|est|était|was|is|at|mit|with|avec|con|=|:|ist|beträgt|betrug|`,
    String.raw`auf|um|war|lag|now|jetzt|aktuell|zu|level|value|wert)$`,
  ].join(''),
  'iu',
);
/** So many pairs of a name and a number without unit are a list: "Na 138; K 4.1; Cl 102". */
const MIN_PAIRS = 3;
const MIN_KNOWN = 2;
const MIN_WORDS_BEFORE = 2;

/**
 * The results in a sentence, each as a line of its own: "… a CRP of 48 mg/l and a ferritin of 9 µg/l". A number needs a
 * unit behind it and a known test before it, unless the line is a list of pairs. No lines for other
 * texts.
 */
export function resultsInSentence(line: Line): { lines: Line[]; isList: boolean } {
  const amounts = amountsInSentence(line);
  if (amounts.length > 0) return { lines: amounts, isList: true };
  const pairs = line.segments.flatMap((segment) => pairsOf(labTokens([segment])));
  const known = pairs.filter(({ isKnown }) => isKnown);
  const isList =
    pairs.length >= MIN_PAIRS &&
    known.length >= MIN_KNOWN &&
    pairs.every(({ isWhole }) => isWhole) &&
    pairs.filter(({ unit }) => unit === null).length >= MIN_KNOWN;
  const own = isList ? pairs : known.filter(({ unit }) => unit !== null);
  // "Harnstoff 71 mg/dl (Norm 17 bis 49), Kalium 5,3 mmol/l": several results in one piece of text are a sentence.
  const isWhole = own.length >= MIN_KNOWN && own.length === pairs.length;
  const isRow = line.segments.length > 1 || !isWhole || own.every(({ range }) => range === null);
  if (!isList && isRow && !own.some(({ isInProse }) => isInProse)) return { lines: [], isList };
  const lines = own.flatMap(({ name, number, unit, range }) => {
    const at = line.words.findIndex(({ x }) => x >= number.from - 0.0001);
    const before = line.words
      .slice(0, at)
      .map(({ text }) => text)
      .join(' ');
    // "A sister has a haemoglobin of 95 g/L."
    const ofSentence = before.slice(before.search(/[^.]*$/u));
    if (mentions('past', before) || (line.segments.length === 1 && mentions('other_person', ofSentence))) return [];
    const parts = [name, number.words, unit?.words ?? [], range?.words ?? []].filter((words) => words.length > 0);
    return [
      partOf(
        line,
        parts.map((words) => segmentOf(words)),
      ),
    ];
  });
  return { lines, isList };
}

/** Words of a result that may begin the next line: its number, its unit and a range in brackets. */
const MAX_WORDS_MOVED = 8;
/** Lines of a paragraph begin at the same place and are this near to each other, in their heights. */
const SAME_LEFT = 0.02;
const NEXT_LINE = 2.5;

/**
 * Joins results that a paragraph breaks into two lines: "…, Kalium 5,3" / "mmol/l (Norm 3,5 bis 5,1), …". What belongs
 * to the last result of a line is moved up to it.
 */
export function joinBrokenResults(page: LayoutPage): LayoutPage {
  let left = page.lines[0];
  const lines = page.lines.flatMap((printed, at): Line[] => {
    const [upper, lower] = [left, page.lines[at + 1]];
    left = lower;
    const count = upper && lower && isNextOfParagraph(printed, lower) ? restOfResult(upper, lower) : 0;
    if (!upper || !lower || count === 0) return upper ? [upper] : [];
    const rest = lower.words.slice(count);
    left = rest.length > 0 ? partOf(lower, [segmentOf(rest)]) : undefined;
    return [partOf(upper, [segmentOf([...upper.words, ...lower.words.slice(0, count)])])];
  });
  return { ...page, lines };
}

const isNextOfParagraph = (upper: Line, lower: Line): boolean =>
  upper.segments.length === 1 &&
  lower.segments.length === 1 &&
  Math.abs(upper.bbox[0] - lower.bbox[0]) < SAME_LEFT &&
  lower.y - upper.y < NEXT_LINE * upper.h;

/** How many words at the start of a line complete the last result of the line above. */
function restOfResult({ words }: Line, { words: below }: Line): number {
  const start = words.findLastIndex(({ text }, i) => i < words.length - 1 && /[,;:]$/.test(text)) + 1;
  const [name, number, ...rest] = labTokens([segmentOf(words.slice(start))]);
  const isBegun =
    start > 0 &&
    name?.kind === 'name' &&
    isKnownTest(name.text) &&
    number?.kind === 'number' &&
    rest.length <= 1 &&
    rest.every(({ kind }) => kind === 'unit');
  if (!isBegun) return 0;
  const [first] = below;
  const isUnitFirst = rest.length === 0 && isUnit(first?.text.replace(/[.,;]$/, '') ?? '');
  if (!isUnitFirst && !first?.text.startsWith('(')) return 0;
  const bracket = below[isUnitFirst ? 1 : 0];
  if (!bracket?.text.startsWith('(') || /[.,;]$/.test(isUnitFirst ? (first?.text ?? '') : '')) return 1;
  const end = below.slice(0, MAX_WORDS_MOVED).findIndex(({ text }) => /\)[.,;]?$/.test(text));
  return end < 0 ? Number(isUnitFirst) : end + 1;
}

interface Pair {
  name: PageWord[];
  number: LabToken;
  unit: LabToken | null;
  /** In brackets behind the unit: "87 mg/l (Norm < 5)". */
  range: LabToken | null;
  isKnown: boolean;
  /** Whether all words before the number are the name. */
  isWhole: boolean;
  /** Whether words are before the test, or one such as "of" behind it; a colon or "=" may be in a table. */
  isInProse: boolean;
}

function pairsOf(tokens: readonly LabToken[]): Pair[] {
  return tokens.flatMap((number, i): Pair[] => {
    const [next, after] = [tokens[i - 1], tokens[i + 1]];
    // "pari a 1,1": the letter is not a flag.
    const isLetter = next?.kind === 'flag' && CONNECTOR.test(next.text);
    const before = isLetter ? tokens[i - 2] : next;
    if (number.kind !== 'number' || before?.kind !== 'name') return [];
    const last = before.words.findLastIndex(({ text }) => !CONNECTOR.test(text));
    const words = before.words.slice(0, last + 1);
    const name = nameAtEnd(words);
    return [
      {
        name: name ?? words,
        number,
        unit: after && isUnitOrEnd(after) ? withoutPeriod(after) : null,
        range: rangeInBrackets(tokens.slice(i + 2)),
        isKnown: name !== null,
        isInProse:
          name !== null &&
          (words.length - name.length >= MIN_WORDS_BEFORE ||
            before.words.slice(last + 1).some(({ text }) => /\p{L}/u.test(text))),
        isWhole: words.length === before.words.length && (name ?? words).length === words.length && words.length <= 3,
      },
    ];
  });
}

/** The range that begins some tokens, without a word before it; null if it is not in brackets. */
function rangeInBrackets([first, second]: readonly LabToken[]): LabToken | null {
  const isOpened = first !== undefined && /^[[(]/.test(first.text);
  const range = isOpened && first.kind !== 'range' ? second : first;
  return isOpened && range?.kind === 'range' && /[\])][.,;]?$/.test(range.text) ? withoutPeriod(range) : null;
}

/** A unit, also at the end of a sentence: "12 µg/L." */
const isUnitOrEnd = ({ kind, text }: LabToken): boolean =>
  kind === 'unit' || (kind === 'name' && /\S\.$/.test(text) && isUnit(text.slice(0, -1)));
const withoutPeriod = (token: LabToken): LabToken => ({
  ...token,
  words: token.words.map((word, i) =>
    i === token.words.length - 1 ? { ...word, text: word.text.replace(/[.,;]$/, '') } : word,
  ),
});

/** The longest known test at the end of some words, without an article: "sowie l'hémoglobine". */
function nameAtEnd(words: readonly PageWord[]): PageWord[] | null {
  for (let count = Math.min(MAX_NAME_WORDS, words.length); count > 0; count -= 1) {
    const own = words
      .slice(-count)
      .map((word, i) => (i === 0 ? { ...word, text: word.text.replace(/^[ld]['’]/iu, '') } : word));
    const text = own.map((word) => word.text).join(' ');
    if (isKnownTest(text) && !CONNECTOR.test(own[0]?.text ?? '') && !ARTICLE.test(own[0]?.text ?? '')) return own;
    if (count === 1 && SYMBOLS.test(text)) return own;
  }
  return null;
}
const ARTICLE = /^(?:ein\p{L}*|der|die|das|dem|den|the|an|la|le|les|un|une|il|lo|gli|i|und|and|et|e|sowie)$/iu;
