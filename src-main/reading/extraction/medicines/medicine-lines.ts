import { findScheme, findStrength } from '../../../../src-shared/medical/dose.ts';
import { boxAround } from '../layout/geometry.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findMedicineNames } from './medicine-names.ts';

const BOX = /^[☐☑☒□■▪•●○◦]/u;
const SAME_COLUMN = 0.01;
/** Words of a list begin at most this much left of its boxes, in fractions of the page width. */
const LEFT_OF_BOX = 0.02;

/**
 * Puts a list with boxes or bullets that is to the right of other text behind that text, so that its lines follow each
 * other.
 */
export function inTheirColumn(lines: readonly Line[]): Line[] {
  const isListed = ({ text }: Segment): boolean => BOX.test(text) && findStrength(text) !== null;
  const items = lines.map(({ segments }, row) => ({ row, at: segments.findIndex(isListed), segments }));
  const listed = items.flatMap(({ row, at, segments }) => {
    const x = segments[at]?.bbox[0];
    return x === undefined ? [] : [{ row, at, x }];
  });
  const beside = listed.find(
    ({ at, x }) => at > 0 && listed.filter((other) => Math.abs(other.x - x) < SAME_COLUMN).length > 1,
  );
  if (!beside) return [...lines];
  const rows = listed.filter(({ x }) => Math.abs(x - beside.x) < SAME_COLUMN).map(({ row }) => row);
  const isRight = ({ bbox }: Segment): boolean => bbox[0] > beside.x - LEFT_OF_BOX;
  const first = Math.min(...rows);
  let end = Math.max(...rows) + 1;
  while ([lines[end], lines[end + 1]].some((line) => line?.segments.some(isRight))) end += 1;
  const split = (isWanted: (segment: Segment) => boolean): Line[] =>
    lines.slice(first, end).flatMap((line) => {
      const own = line.segments.filter(isWanted);
      return own.length > 0 ? [partOf(line, own)] : [];
    });
  const left = split((segment) => !isRight(segment));
  return [...lines.slice(0, first), ...left, ...split(isRight), ...lines.slice(end)];
}

/** What a line ends with if the strength or the names go on below: "Clenil (beclometasone) 100", "ramipril/". */
const OPEN_END = /(?:\s\d[\d.,]*|[/+(-])$/u;
const UNIT_AT_START = /^(?:[µm]?c?g|micrograms?|mikrogramm|milligrams?|ml|ie|ui|iu|units?|einheiten|%|\/)(?![\p{L}])/iu;

/** Joins lines that are broken within a strength or a name: "Clenil Modulite 100" and "micrograms/dose inhaler". */
export function withWholeStrengths(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const above = joined.at(-1);
    const isRest =
      above !== undefined &&
      above.page === line.page &&
      above.segments.length === 1 &&
      line.segments.length === 1 &&
      OPEN_END.test(above.text) &&
      findStrength(above.text) === null &&
      findScheme(above.text) === null &&
      UNIT_AT_START.test(line.text);
    if (isRest) joined.splice(-1, 1, joinLines(above, line));
    else joined.push(line);
  }
  return joined;
}

/** "Strength: 100 mcg" on a card, below the name. */
const STRENGTH_LABEL = new RegExp(
  [
    String.raw`^(?:strength|dose|dosage|concentration|(?:wirk)?stärke|dosis|dosierung|force|concentrazione|dosaggio|`,
    String.raw`forza)\s?:$`,
  ].join(''),
  'iu',
);
/** A name, perhaps with its substance: "Ventolin salbutamol", "Xarelto (Rivaroxaban)". */
const LONE_NAME = /^\p{Lu}[\p{L}\d ()/,.'’+-]{2,60}$/u;
const MAX_WORDS_OF_NAME = 6;

/** Joins a name with the strength that a card states below it behind a label. */
export function withLabelledStrengths(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const name = joined.at(-1);
    const [first, ...others] = line.segments;
    const isLabelled = first !== undefined && STRENGTH_LABEL.test(first.words[0]?.text ?? '');
    const isName =
      name !== undefined &&
      name.page === line.page &&
      name.segments.length === 1 &&
      name.words.length <= MAX_WORDS_OF_NAME &&
      LONE_NAME.test(name.text) &&
      findStrength(name.text) === null;
    const words = first?.words.slice(1) ?? [];
    const strength = { words, text: words.map(({ text }) => text).join(' '), bbox: boxAround(words) };
    if (isLabelled && isName && findStrength(strength.text)?.index === 0)
      joined.splice(-1, 1, partOf(name, [...name.segments, strength, ...others]));
    else joined.push(line);
  }
  return joined;
}

/** "5 mil", "500 mg/mi": what a scan makes of milliliters, behind a number or a slash. */
const MILLILITERS = /(?<=^|\d|\/)m(?:[iI1|]|il|ll|1l)(?=[.,;:)]?$)/u;

/** "lg", "I g": a cell of one gram, whose one a scan reads as a letter. */
const ONE_GRAM = /^[lI|]\s?g$/u;

/** Repairs the milliliters and single grams of a scan. */
export const withUnitsOfScan = (lines: readonly Line[]): Line[] =>
  lines.map((line) => {
    const segments = line.segments.map((segment) => {
      const isGram = ONE_GRAM.test(segment.text);
      const words = segment.words.map((word, at) => {
        if (isGram) return { ...word, text: word.text.replace(/^[lI|]/u, '1') };
        const isBehindNumber = /\d$/.test(segment.words[at - 1]?.text ?? '') || /[\d/]/.test(word.text);
        return isBehindNumber ? { ...word, text: word.text.replace(MILLILITERS, 'ml') } : word;
      });
      return { ...segment, words, text: words.map(({ text }) => text).join(' ') };
    });
    return segments.some(({ text }, at) => text !== line.segments[at]?.text) ? partOf(line, segments) : line;
  });

const COUNT = /^(?:\d{1,2}|\d?[½¼¾]|1\/2|[-–—])$/u;
/** Counts in the middle of a row of two lines are at most this many heights of the name below it. */
const MAX_BELOW = 1.6;

/**
 * Joins the counts of a plan of the day with the name above them, where a row has two lines and its counts are between
 * them: "Norvasc 5 mg", a little lower "1   0   0   0", and below "Amlodipin, Tablette".
 */
export function withCountsBetween(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const name = joined.at(-1);
    const isOfCounts = line.words.length > 1 && line.words.every(({ text }) => COUNT.test(text));
    const isName = name !== undefined && name.page === line.page && /^\p{L}{3}/u.test(name.text);
    const right = name ? name.bbox[0] + name.bbox[2] : 1;
    const isBeside = isName && line.bbox[0] > right && line.y - name.y < MAX_BELOW * name.h;
    if (isOfCounts && isBeside && findScheme(name.text) === null)
      joined.splice(-1, 1, partOf(name, [...name.segments, ...line.segments]));
    else joined.push(line);
  }
  return joined;
}

function joinLines(upper: Line, lower: Line): Line {
  const words = [...upper.words, ...lower.words];
  const text = `${upper.text} ${lower.text}`;
  return partOf(upper, [{ text, words, bbox: upper.bbox }]);
}

const SAME_EDGE = 0.012;
/** Labels of a form that are broken into two lines, joined on their first one: "Medications –" and "on hold". */
export function withWholeLabels(lines: readonly Line[]): Line[] {
  const joined = [...lines];
  joined.forEach((line, index) => {
    const above = joined[index - 1];
    const [label, value] = line.segments,
      [over, beside] = above?.segments ?? [];
    if (!above || !label || !over || !beside) return;
    const isUnder = (a: Segment, b: Segment): boolean => Math.abs(a.bbox[0] - b.bbox[0]) < SAME_EDGE;
    const isBroken =
      (/^\p{Ll}/u.test(label.text) || OPEN_LABEL.test(over.text)) &&
      label.words.length <= MAX_WORDS_OF_LABEL &&
      line.segments.length <= 2 &&
      above.segments.length === 2 &&
      isUnder(label, over) &&
      findMedicineNames(label.words.map(({ text }) => text)).length === 0;
    if (!isBroken || (value !== undefined && !isUnder(value, beside)) || findStrength(over.text)) return;
    const words = [...over.words, ...label.words];
    const whole = { text: `${over.text} ${label.text}`, words, bbox: over.bbox };
    joined[index - 1] = partOf(above, [whole, ...above.segments.slice(1)]);
    joined[index] = value ? partOf(line, line.segments.slice(1)) : { ...line, segments: [], words: [], text: '' };
  });
  return joined;
}
const MAX_WORDS_OF_LABEL = 4;
/** "Medikamente bei" above "Austritt". */
const OPEN_LABEL = /\s(?:bei|zum|zur|nach|für|at|on|for|of|à|à la|au|de|du|alla|di|della|da)$/iu;

const ARROW = /^(?:[-–=]?>|→|➔|⇒)$/u;
/** "Torasemid 5 mg → 10 mg": lines without a dose that an arrow replaces by another. */
export const withNewDoses = (lines: readonly Line[]): Line[] =>
  lines.map((line) => {
    if (!line.words.some(({ text }) => ARROW.test(text))) return line;
    return partOf(line, line.segments.map(withoutFormerDose));
  });

function withoutFormerDose(segment: Segment): Segment {
  const at = segment.words.findIndex(({ text }) => ARROW.test(text));
  const text = (words: Segment['words']): string => words.map((word) => word.text).join(' ');
  const before = text(segment.words.slice(0, at));
  const dose = findScheme(before) ?? findStrength(before);
  const isReplaced = at > 0 && dose !== null && /^\d/.test(segment.words[at + 1]?.text ?? '');
  if (!isReplaced) return segment;
  const kept = before.slice(0, dose.index).trim().split(/\s+/).filter(Boolean).length;
  const words = [...segment.words.slice(0, kept), ...segment.words.slice(at + 1)];
  return { words, text: text(words), bbox: boxAround(words) };
}
