import type { PersonName } from '../../../../src-shared/medical/person-name.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { ReadDate } from './dates.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { Candidate } from './other-patients.ts';
import { findPartyLabels } from './parties.ts';
import {
  CHILD_AFTER,
  NEWBORN,
  RELATIVE_AFTER,
  RELATIVE_BEFORE,
  TITLED,
  behindPersonWord,
  isHouse,
  nameIn,
} from './patient-print.ts';

/** A name before a birth date, directly above it, and further up in the same column. */
const SCORE = { before: 0.88, directlyAbove: 0.88, above: 0.72 };
/** The address may be between a name and the birth date below it. */
const MAX_LINES_ABOVE = 5;
/** Left edges of one column differ by less than this, as a fraction of the page width. */
const SAME_COLUMN = 0.012;

const BORN_WORDS = [
  String.raw`geb(?:oren(?:e[rn]?)?)?\.?|geburtsdatum|geb\.-datum|born|d\.?\s?o\.?\s?b\.?|b\.|birth ?date|date of birth|`,
  String.raw`n[ée]{1,2}e?(?:\(e\))?|date de naissance|ddn|nat(?:[oa]|o\/a|\*)|data di nascita|jg\.?`,
].join('');
/** What may be between a name and the date: signs, the sex, a form of address, and words for "born". */
const BETWEEN = new RegExp(
  [
    String.raw`(?:[\s,;:()[\]·•|–—*/-]|(?<!\p{L})(?:${BORN_WORDS}|(?:am|on|le|il|vom)|a \p{Lu}[\p{L}' ]{1,24}|`,
    String.raw`m|f|w|h|d|male|female|boy|girl|child|kind|knabe|bub|junge|m[äa]dchen|enfant|garçon|fille|bambin[oa]|`,
    String.raw`m[äa]nnlich|weiblich|masculin|f[ée]minin|maschio|femmina|sexe?|sesso|geschlecht|mrs?|ms|miss|mme|mlle)`,
    String.raw`(?!\p{L}))+$`,
  ].join(''),
  'iu',
);
/** "…, née le" at the end of a line whose date begins the next one. */
const ENDS_WITH_BORN = new RegExp(String.raw`(?<!\p{L})(?:${BORN_WORDS})(?:\s(?:am|on|le|il))?[\s:]*$`, 'iu');
const BORN_WORD = new RegExp(String.raw`^(?:${BORN_WORDS})$`, 'iu');
/** Words at the end of a text that may be a name, with a comma between family and given name. */
const NAME_AT_END = new RegExp(
  [
    String.raw`(?:^|[\s(])((?:(?:\p{Lu}[\p{L}'’.-]*|von|van|der|den|de|du|des|del|della|di|da|la|le|al|el|dos|bin|`,
    String.raw`ten|ter|zu|zum|zur),?\s+){1,5}\p{Lu}[\p{L}'’.-]*)$`,
  ].join(''),
  'u',
);

/** Words of one segment, or of its beginning. */
type Words = Segment['words'];

/**
 * Names beside a birth date, whatever is printed between them: "Osterkamp, Karl-Heinz, geb. 29.07.1954",
 * "Patient report for Clementine Bouvier (Female, born 03/22/1980)", "Seraina Caduff" above "18.06.1992".
 */
export function namesByBirth(layout: Layout, dates: readonly ReadDate[]): Candidate[] {
  return dates
    .filter(({ role }) => role === 'birth')
    .flatMap((date) => namesBeside(layout, date).map((one) => ({ ...one, born: date.date })));
}

/** Names to which one birth date belongs. */
function namesBeside(layout: Layout, date: ReadDate): Candidate[] {
  const lines = layout.pages.find(({ page }) => page === date.place.page)?.lines ?? [];
  const found = positionOf(date, lines);
  if (!found || NEWBORN.test(found.line.text)) return [];
  const { index, line, at } = found;
  let anchor = line.segments[at];
  const parts = line.segments.slice(0, at + 1).map(({ words }) => words);
  parts[at] = parts[at]?.filter(({ x }) => x < date.place.bbox[0] - 0.001) ?? [];
  for (let part = at; part >= 0; part -= 1) {
    const words = parts[part] ?? [];
    const text = withoutBirth(textOf(words));
    const names = candidateOf(line.page, text, words, SCORE.before);
    // Other words before the date say whose it is; those of another column do not, and numbers never.
    if (names.length > 0 || (text !== '' && part === at)) return names;
    if (/\d{3}/.test(text)) continue;
    if (text !== '') break;
    anchor = line.segments[part];
  }
  return above(lines, index, anchor);
}

const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');
const withoutBirth = (text: string): string => text.replace(BETWEEN, '').replace(CHILD_AFTER, '').trim();

/** The line of a date and the number of its segment. */
function positionOf({ place }: ReadDate, lines: readonly Line[]): { index: number; line: Line; at: number } | null {
  const middle = place.bbox[1] + place.bbox[3] / 2;
  const index = lines.findIndex(({ y, h }) => middle >= y && middle < y + h);
  const line = lines[index];
  const at = line?.segments.findIndex(
    ({ bbox }) => place.bbox[0] >= bbox[0] - 0.001 && place.bbox[0] < bbox[0] + bbox[2],
  );
  return line && at !== undefined && at >= 0 ? { index, line, at } : null;
}

function candidateOf(page: number, text: string, words: Words, score: number): Candidate[] {
  const printed = NAME_AT_END.exec(text)?.[1] ?? '';
  const before = text.slice(0, text.length - printed.length);
  if (TITLED.test(printed) || TITLED.test(before.slice(-12)) || RELATIVE_BEFORE.test(before) || isHouse(printed))
    return [];
  const name = longestName(printed);
  return name ? [{ name, score, place: placeOf(page, words), ocr: confidenceOf(words) }] : [];
}

/** The name that these words end with: words before it are capitalized, too ("Patientin Elena Keller"). */
function longestName(text: string): PersonName | null {
  const words = behindPersonWord(text).split(/\s+/);
  for (let from = 0; from <= words.length - 2; from += 1) {
    const name = BORN_WORD.test(words[from] ?? '') ? null : nameIn(words.slice(from).join(' '));
    if (name) return name;
  }
  return null;
}

/** The nearest name above a birth date: at the end of the line before ("…, née le"), or alone in the same column. */
function above(lines: readonly Line[], index: number, anchor: Segment | undefined): Candidate[] {
  const last = lines[index - 1]?.segments.at(-1);
  if (last && ENDS_WITH_BORN.test(last.text))
    return candidateOf(lines[index]?.page ?? 1, withoutBirth(last.text), last.words, SCORE.before);
  for (let distance = 1; anchor && distance <= MAX_LINES_ABOVE; distance += 1) {
    const line = lines[index - distance];
    for (const segment of line?.segments ?? []) {
      const isBelow = isSameColumn(segment, anchor) || (distance === 1 && overlaps(segment, anchor));
      const text = segment.text.replace(/^[^:]{1,25}:\s*/u, '');
      if (
        !isBelow ||
        isLabel(segment) ||
        segment.words.length > 6 ||
        TITLED.test(text) ||
        RELATIVE_AFTER.test(text) ||
        isHouse(text)
      )
        continue;
      const name = nameIn(text);
      const score = distance === 1 ? SCORE.directlyAbove : SCORE.above;
      if (name && line)
        return [{ name, score, place: placeOf(line.page, segment.words), ocr: confidenceOf(segment.words) }];
    }
  }
  return [];
}

/** "Behandelte Person" in a column of labels, whose name is beside it. */
function isLabel({ words }: Segment): boolean {
  const tokens = tokensOf(words),
    [match] = findPartyLabels(tokens);
  return match !== undefined && match.from === 0 && match.to === tokens.length;
}

const isSameColumn = (a: Segment, b: Segment): boolean => Math.abs(a.bbox[0] - b.bbox[0]) < SAME_COLUMN;

/** Whether one of two segments, centered or aligned at the right, is mostly above the other. */
function overlaps({ bbox: [x, , width] }: Segment, { bbox: [left, , below] }: Segment): boolean {
  const common = Math.min(x + width, left + below) - Math.max(x, left);
  return common >= Math.min(width, below) / 2;
}
