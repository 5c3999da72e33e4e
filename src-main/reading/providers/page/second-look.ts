import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { ucumOf } from '../../../../src-shared/medical/ucum-code.ts';
import { TaskTimeout, WorkerCrash } from '../../../platform/kernel/worker-pool.ts';
import { linesOfPage, type Line } from '../../extraction/layout/lines.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import type { ReadNumber } from '../numbers/requests.ts';
import type { Part } from './enlarge.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';

/** A page with fewer lines of numbers has no table; of one with more cells only so many are read again. */
const MIN_LINES = 3;
const MAX_CELLS = 240;
/** Print without a gap of this fraction of its height belongs to the word beside it; OCR cuts off pale digits. */
const SAME_PRINT = 0.35;
const DARK = 128;
/** Blank paper around a cell, as fractions of its height. */
const MARGIN_ABOVE = 0.18,
  MARGIN_BESIDE = 0.25;
/** Words that are nearer than this fraction of their height are parts of one number. */
const SAME_NUMBER = 0.3,
  BEHIND_POINT = 0.6;
/** A second reading with less confidence is not used; if the first one is unsure as well, with even less. */
const USABLE = 0.5,
  USABLE_BESIDE_UNSURE = 0.4,
  UNSURE = 0.7;
/** With more confidence it is believed rather than the first one; with this much an unsure first one is forgotten. */
const SURE = 0.8,
  CLEAR = 0.9;
/** A first reading with decimals and so much confidence is not looked at again. */
const CERTAIN = 0.93;

/** What OCR makes of print that is a number: digits, their signs, and letters that look like them. */
const LIKE_NUMBER = /^[\p{P}\p{S}\dOoIlSB]+$/u;
const NUMBER = String.raw`\d+(?:[.,:]\d+)*`;
/** A number or range with signs around it: `122`, `<35]`, `19-38`, `> 1:80`, `16,0%`. */
const WELL_FORMED = new RegExp(`^[[(<>≤≥=+-]*${NUMBER}(?:[-–]+${NUMBER})?[\\])*+%,;]*$`);
/** A number with its unit or an arrow behind it, which OCR read as one word: "2,21G/L", "38↓". */
const WITH_UNIT = new RegExp(`^([<>≤≥]?${NUMBER})([%\\p{L}].*|[↑↓])$`, 'u');
const IS_RANGE = /\d[-–]\d/;
const HAS_POINT = /\d[.,]\d/;
/** A single letter or digit in place of an arrow. */
const LIKE_ARROW = /^[1IlTtf4!|+]$/,
  ARROW = /^[↑↓]$/;
/** What the first one makes of an arrow that the second one takes for a T. */
const UP_ARROW = /^[1!|+4]$/;

/** Words that are one number, a range or an arrow. */
interface Cell {
  words: PageWord[];
  text: string;
}

/**
 * Has the numbers of tables recognized a second time, each cut out and alone, by a recognizer with other errors than the
 * OCR of pages, which loses points and confuses digits. A number that both read alike stays; one that lost a point gets
 * it back; of two with other digits the word keeps both, so that a person is asked.
 */
export async function lookAgain(
  reader: Pick<NumberReader, 'readNumbers'>,
  image: GrayscaleImage,
  words: readonly PageWord[],
  signal: AbortSignal,
): Promise<PageWord[]> {
  const cells = cellsToReadAgain(words);
  if (cells.length === 0 || signal.aborted) return [...words];
  const images = cells.map((cell) => cutOut(image, partAround(image, cell, words)));
  const found = await reader.readNumbers(images, signal).catch(withoutAnswer);
  const replaced = new Map<PageWord, PageWord[]>();
  cells.forEach((cell, index) => {
    const merged = mergeReadings(cell, found[index] ?? { text: '', confidence: 0 });
    if (merged) cell.words.forEach((word, at) => replaced.set(word, at === 0 ? merged : []));
  });
  return words.flatMap((word) => replaced.get(word) ?? [word]);
}

/** A page keeps its first readings when the recognizer broke or took too long. */
export function withoutAnswer(error: unknown): ReadNumber[] {
  if (error instanceof WorkerCrash || error instanceof TaskTimeout) return [];
  throw error;
}

/** The words that take the place of a cell after its second reading; null if the first one stays as it is. */
export function mergeReadings({ words, text: first }: Cell, second: ReadNumber): PageWord[] | null {
  const [word] = words;
  if (!word) return null;
  const confidence = Math.min(...words.map((one) => one.confidence));
  const around = { ...wordAround(words), confidence: Math.max(confidence, second.confidence) };
  const read = second.text
    .normalize('NFKC')
    .replaceAll(/\s/g, '')
    .replaceAll('–', '-')
    .replace(/[.:;]$/, '');
  // A result of 1 must not vanish: an unsure arrow stays a digit.
  const arrow = read === 'T' && UP_ARROW.test(first) && second.confidence >= SURE ? '↑' : read;
  if (ARROW.test(arrow))
    return LIKE_ARROW.test(first) && second.confidence >= USABLE_BESIDE_UNSURE ? [{ ...around, text: arrow }] : null;
  const [, number = '', unit = ''] = WITH_UNIT.exec(read.replace(/(?<=\d)T$/, '↑')) ?? [];
  const hasUnit = isUnit(unit) || ARROW.test(unit);
  const plain = hasUnit ? number : read;
  const usable = confidence < UNSURE || !WELL_FORMED.test(first) ? USABLE_BESIDE_UNSURE : USABLE;
  if (!WELL_FORMED.test(plain) || second.confidence < usable || read === plainOf(first)) return null;
  const replace = (changes: Partial<PageWord>): PageWord[] =>
    splitOff({ ...around, text: plain, ...changes }, unit, hasUnit);
  if (digitsOf(plain) === digitsOf(first)) return isBetter(plain, first, second.confidence) ? replace({}) : null;
  const isFirstBelieved =
    WELL_FORMED.test(first) &&
    confidence >= Math.max(UNSURE, second.confidence) &&
    second.confidence < SURE &&
    // The second one saw pale digits beside those that the first one saw.
    !digitsOf(plain).includes(digitsOf(first));
  if (isFirstBelieved) return [{ ...around, confidence, text: first, secondReading: numberIn(plain) }];
  // Where the first one was a guess and the second one is certain, nobody has to be asked.
  const isGuess = digitsOf(first) === '' || (confidence < UNSURE && second.confidence >= CLEAR);
  return replace(isGuess ? {} : { secondReading: numberIn(first) });
}

/** A number and the unit behind it as two words, each with its part of the box. */
function splitOff(number: PageWord, unit: string, hasUnit: boolean): PageWord[] {
  if (!hasUnit) return [number];
  const w = (number.w * number.text.length) / (number.text.length + unit.length);
  const { secondReading: _number, ...rest } = number;
  return [
    { ...number, w },
    { ...rest, text: unit, x: number.x + w, w: number.w - w },
  ];
}

const plainOf = (text: string): string => text.replaceAll(/[–—]+/g, '-');
const digitsOf = (text: string): string => text.replace(/\D/g, '');
/** The number or range without the signs around it. */
const numberIn = (text: string): string => plainOf(text).replace(/^[^\d]+|[^\d]+$/g, '');

/** Of two readings with the same digits, the one that is a number or range, or with more points, or a sure one. */
const isBetter = (second: string, first: string, confidence: number): boolean =>
  !WELL_FORMED.test(first) ||
  (IS_RANGE.test(second) && !IS_RANGE.test(first)) ||
  pointsOf(second) > pointsOf(first) ||
  (pointsOf(second) === pointsOf(first) && confidence >= CERTAIN);
const pointsOf = (text: string): number => text.match(/\d[.,](?=\d)/g)?.length ?? 0;

/** One word with the text of all of these and the box around them. Takes at least one word. */
export function wordAround(words: readonly PageWord[]): PageWord {
  const [first] = words as readonly [PageWord];
  const x = Math.min(...words.map((word) => word.x)),
    y = Math.min(...words.map((word) => word.y));
  return {
    ...first,
    x,
    y,
    w: Math.max(...words.map((word) => word.x + word.w)) - x,
    h: Math.max(...words.map((word) => word.y + word.h)) - y,
  };
}

/** Numbers of tables, without those that were read with decimals and certainty. */
export function cellsToReadAgain(words: readonly PageWord[]): Cell[] {
  const lines = linesOfPage({ words: [...words], page: 1, width: 595 });
  const rows = lines.filter(isRow);
  // On a card, name, number, range and unit are below each other.
  const isCard = words.filter(({ text }) => isUnit(text)).length >= MIN_LINES;
  if (rows.length < MIN_LINES && !isCard) return [];
  const own = new Set(words);
  const cells = (isCard ? lines : rows).flatMap((line) => numbersOf(line.words.filter((word) => own.has(word))));
  return cells.filter(({ text, words: parts }) => !isCertain(text, parts)).slice(0, MAX_CELLS);
}

const isCertain = (text: string, words: readonly PageWord[]): boolean =>
  words.length === 1 && WELL_FORMED.test(text) && HAS_POINT.test(text) && words.every((w) => w.confidence >= CERTAIN);

/** The numbers of a line; OCR breaks one where a digit is wide or faint: "8," and "5". */
function numbersOf(words: readonly PageWord[]): Cell[] {
  const cells: PageWord[][] = [];
  for (const word of words) {
    const before = cells.at(-1)?.at(-1);
    const isLikeNumber = LIKE_NUMBER.test(word.text) && !isDate(word.text);
    // In a typewriter's print, as much space as between words is behind a comma.
    const reach = before && /^\d+[.,]$/.test(before.text) ? BEHIND_POINT : SAME_NUMBER;
    if (before && isLikeNumber && word.x - before.x - before.w < reach * heightAsWidth(before, word))
      cells.at(-1)?.push(word);
    else if (isLikeNumber) cells.push([word]);
    else cells.push([]);
  }
  return cells.flatMap((parts) => {
    const text = parts.map((word) => word.text).join('');
    return /\d/.test(text) || LIKE_ARROW.test(text) ? [{ words: parts, text }] : [];
  });
}

/** "12.10.2023", "4/5/26" */
const isDate = (text: string): boolean => /\d[./]\d+[./]/.test(text);
/** Heights are fractions of the page's height, and pages are about 1.4 times as high as wide. */
const heightAsWidth = (a: PageWord, b: PageWord): number => Math.max(a.h, b.h) * Math.SQRT2;

/** A row of a table has a name and, in another place, a number. */
const isRow = ({ segments, words }: Line): boolean =>
  segments.length > 1 &&
  words.some(({ text }) => /\p{L}{2}/u.test(text)) &&
  segments.slice(1).some(({ text }) => /^[[(<>≤≥]?\s?\d/.test(text));
/** "mmol/L", "%"; letters alone may be anything. */
const isUnit = (text: string): boolean => /[/%]/.test(text) && ucumOf(text) !== null;

/** The part of the page with a cell, the print that belongs to it, and some blank paper around it. */
export function partAround(image: GrayscaleImage, { words }: Pick<Cell, 'words'>, all: readonly PageWord[]): Part {
  const { width, height } = image;
  const { x, y, w, h } = wordAround(words);
  const [above, beside] = [MARGIN_ABOVE * h * height, MARGIN_BESIDE * h * height];
  const top = Math.max(0, Math.floor(y * height - above)),
    bottom = Math.min(height, Math.ceil((y + h) * height + above));
  const row = all.filter((one) => !words.includes(one) && one.y < y + h && one.y + one.h > y);
  const freeFrom = Math.max(0, ...row.filter((one) => one.x < x).map((one) => one.x + one.w)) * width,
    freeTo = Math.min(1, ...row.filter((one) => one.x > x).map((one) => one.x)) * width;
  const lines = { top: Math.floor(y * height), bottom: Math.ceil((y + h) * height) };
  const reach = SAME_PRINT * h * height;
  const from = endOfPrint(image, lines, { at: Math.floor(x * width), step: -1, limit: freeFrom, reach }),
    to = endOfPrint(image, lines, { at: Math.ceil((x + w) * width), step: 1, limit: freeTo, reach });
  const left = Math.max(0, Math.floor(from - beside)),
    right = Math.min(width, Math.ceil(to + beside));
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** A part of an image as one of its own. */
export function cutOut({ data, width }: GrayscaleImage, part: Part): GrayscaleImage {
  const own = new Uint8Array(part.width * part.height);
  for (let line = 0; line < part.height; line += 1) {
    const from = (part.top + line) * width + part.left;
    own.set(data.subarray(from, from + part.width), line * part.width);
  }
  return { data: own, width: part.width, height: part.height };
}

/** Where print that begins at a column of pixels ends to one side: before a gap wider than `reach`, or at `limit`. */
function endOfPrint(
  { data, width }: GrayscaleImage,
  { top, bottom }: { top: number; bottom: number },
  { at, step, limit, reach }: { at: number; step: 1 | -1; limit: number; reach: number },
): number {
  const isDark = (column: number): boolean => {
    for (let line = top; line < bottom; line += 1) if ((data[line * width + column] ?? 255) < DARK) return true;
    return false;
  };
  let end = at;
  for (let column = at; (limit - column) * step > 0 && (column - end) * step <= reach; column += step)
    if (isDark(column)) end = column;
  return end;
}
