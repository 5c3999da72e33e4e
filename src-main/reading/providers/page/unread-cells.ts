import type { Language, PageWord } from '../../../../src-shared/medical/page.ts';
import { overlapShare } from '../../extraction/layout/geometry.ts';
import { linesOfPage, type Line, type Segment } from '../../extraction/layout/lines.ts';
import type { OcrProvider } from '../provider.ts';
import { enlarge, MARGIN, type Part } from './enlarge.ts';
import type { GrayscaleImage } from './prepare/grayscale.ts';
import { selectNewWords } from './unrecognized-glyphs.ts';

/** A column has a cell in so many rows of its table, and in this fraction of them. */
const MIN_CELLS = 3;
const MIN_SHARE = 0.6;
/** Print in more cells than this is not the rest of a table. */
const MAX_CELLS = 40;
/** Names of the rows begin at the same place, in fractions of the page width. */
const SAME_EDGE = 0.02;
/** Rows of one table are not farther from each other than this many heights of a line. */
const MAX_GAP = 4;
/** Darker pixels are print. A row or column of pixels of which more than this fraction is dark is a rule. */
const DARK = 140,
  PAPER = 255;
const RULE = 0.6,
  RULE_ACROSS = 0.85;
/** Print of a cell is at least this high, as a fraction of the height of a line, and has so many dark pixels. */
const MIN_HEIGHT = 0.35;
const MIN_DARK = 12;
/** A cell that was read as so few letters, where the other rows have numbers, was misread. */
const MAX_LETTERS = 3;
/** A number in place of letters needs this confidence. */
const SURE = 0.7;

/** A cell of a table in fractions of the page, with what was read in it. */
export interface UnreadCell {
  x: number;
  y: number;
  w: number;
  h: number;
  /** Height of the line. */
  lineHeight: number;
  misread: PageWord | null;
}

/**
 * Reads cells of tables again in which nothing was read, or letters where the other rows have numbers: each cut out and
 * enlarged, because OCR of a whole page skips short words between wide gaps. Returns all words.
 */
export async function readUnreadCells(
  ocr: Pick<OcrProvider, 'readPage'>,
  image: GrayscaleImage,
  words: readonly PageWord[],
  { languages, signal }: { languages: readonly Language[]; signal: AbortSignal },
): Promise<PageWord[]> {
  let known = [...words];
  const cells = unreadCells(words).flatMap((cell) => {
    const part = printIn(image, cell);
    return part ? [{ part, misread: cell.misread }] : [];
  });
  if (cells.length > MAX_CELLS) return known;
  for (const { part, misread } of cells) {
    if (signal.aborted) break;
    const { data: pixels, width, height } = enlarge(image, part);
    const answer = await ocr.readPage({ pixels, width, height }, { languages, signal, asBlock: true });
    if (!answer.ok) continue;
    const found = answer.value.words.map((word) => onPage(word, part, image));
    known = misread === null ? [...known, ...selectNewWords(found, known)] : corrected(known, misread, found);
  }
  return known;
}

/** The words with a number in place of one that was misread, which keeps both readings. */
function corrected(words: readonly PageWord[], misread: PageWord, found: readonly PageWord[]): PageWord[] {
  const [number] = found;
  const isSure =
    found.length === 1 && number !== undefined && number.confidence >= SURE && /^[<>≤≥]?\d/.test(number.text);
  return isSure
    ? words.map((word) => (word === misread ? { ...number, secondReading: misread.text } : word))
    : [...words];
}

/** Cells in which nothing, or a few letters in place of a number, were read; most of them are blank. */
export function unreadCells(words: readonly PageWord[]): UnreadCell[] {
  const lines = linesOfPage({ words: [...words], page: 1, width: 595 });
  return tablesOf(lines).flatMap((rows) => columnsOf(rows).flatMap((column) => holesIn(rows, column, words)));
}

/** Lines that begin at the same place, near each other. */
function tablesOf(lines: readonly Line[]): Line[][] {
  const tables: Line[][] = [];
  for (const line of lines) {
    const home = tables.find((rows) => {
      const last = rows.at(-1);
      return (
        last !== undefined &&
        Math.abs(last.bbox[0] - line.bbox[0]) < SAME_EDGE &&
        line.y - last.y < MAX_GAP * Math.max(last.h, line.h)
      );
    });
    if (home) home.push(line);
    else tables.push([line]);
  }
  return tables.filter((rows) => rows.filter(({ segments }) => segments.length > 1).length >= MIN_CELLS);
}

interface TableColumn {
  from: number;
  to: number;
  segments: Set<Segment>;
  isOfNumbers: boolean;
}

/** Columns that most rows have. */
function columnsOf(rows: readonly Line[]): TableColumn[] {
  const columns: TableColumn[] = [];
  for (const segment of rows.flatMap(({ segments }) => segments.slice(1))) {
    const [x, , w] = segment.bbox;
    const home = columns.find(({ from, to }) => overlapShare(from, to - from, x, w) > 0.5);
    if (home) {
      home.segments.add(segment);
      Object.assign(home, { from: Math.min(home.from, x), to: Math.max(home.to, x + w) });
    } else columns.push({ from: x, to: x + w, segments: new Set([segment]), isOfNumbers: false });
  }
  return columns.flatMap((column) => {
    const numbers = [...column.segments].filter(({ text }) => /\d/.test(text)).length;
    return column.segments.size >= MIN_CELLS
      ? [{ ...column, isOfNumbers: numbers > MIN_SHARE * column.segments.size }]
      : [];
  });
}

/** The cells of a column without words, or with letters instead of a number. */
function holesIn(rows: readonly Line[], column: TableColumn, words: readonly PageWord[]): UnreadCell[] {
  const own = rows.map(({ segments }) => segments.find((segment) => column.segments.has(segment)));
  const first = own.findIndex(Boolean),
    last = own.findLastIndex(Boolean);
  const inside = rows.slice(Math.max(0, first - 1), last + 2);
  if (column.segments.size < MIN_SHARE * inside.filter(({ segments }) => segments.length > 1).length) return [];
  return inside.flatMap((line): UnreadCell[] => {
    const segment = line.segments.find((one) => column.segments.has(one));
    const [word] = segment?.words ?? [];
    const free = segment ? null : freeCell(line, column, words);
    if (!segment || !word) return free ? [free] : [];
    const isWrong = column.isOfNumbers && segment.words.length === 1 && isMisread(word);
    const room = word.h / 3;
    return isWrong
      ? [{ x: word.x, y: word.y - room, w: word.w, h: word.h + 2 * room, lineHeight: word.h, misread: word }]
      : [];
  });
}

/** The place of a cell between the words around it; null if it has words. */
function freeCell(line: Line, { from, to }: TableColumn, words: readonly PageWord[]): UnreadCell | null {
  const beside = words.filter(({ y, h }) => y + h > line.y && y < line.y + line.h);
  if (beside.some(({ x, w }) => x + w > from && x < to)) return null;
  const pad = (to - from) / 4,
    room = line.h / 3;
  const left = Math.max(from - pad, ...beside.filter(({ x }) => x < from).map(({ x, w }) => x + w));
  const right = Math.min(to + pad, ...beside.filter(({ x }) => x >= to).map(({ x }) => x));
  const near = words.filter(({ x, w }) => x + w > left && x < right);
  const top = Math.max(line.y - room, ...near.filter(({ y }) => y < line.y).map(({ y, h }) => y + h));
  const bottom = Math.min(line.y + line.h + room, ...near.filter(({ y }) => y > line.y).map(({ y }) => y));
  return { x: left, y: top, w: right - left, h: bottom - top, lineHeight: line.h, misread: null };
}

/** "KL" where the other rows have numbers; "neg" is a word, and "H" a flag. */
const isMisread = ({ text }: PageWord): boolean =>
  text.length > 1 &&
  text.length <= MAX_LETTERS &&
  /^\p{L}+\W?$/u.test(text) &&
  !/^(?:neg|pos|n[.]?d|ok|na)\W?$/iu.test(text);

/** The part of an image that print in a cell covers, without rules; null for blank paper. */
function printIn({ data, width, height }: GrayscaleImage, cell: UnreadCell): Part | null {
  const left = Math.max(0, Math.floor(cell.x * width)),
    across = Math.min(width, Math.ceil((cell.x + cell.w) * width)) - left,
    top = Math.max(0, Math.floor(cell.y * height)),
    down = Math.min(height, Math.ceil((cell.y + cell.h) * height)) - top;
  const isDark = (x: number, y: number): boolean => (data[(top + y) * width + left + x] ?? PAPER) < DARK;
  const count = (length: number, has: (at: number) => boolean): number =>
    Array.from({ length: Math.max(0, length) }, (_, at) => (has(at) ? 1 : 0)).reduce(
      (sum: number, one) => sum + one,
      0,
    );
  const inRow = Array.from({ length: Math.max(0, down) }, (_, y) => count(across, (x) => isDark(x, y)));
  const inColumn = Array.from({ length: Math.max(0, across) }, (_, x) => count(down, (y) => isDark(x, y)));
  const rows = inRow.map((dark) => dark > 0 && dark < RULE * across),
    columns = inColumn.map((dark) => dark > 0 && dark < RULE_ACROSS * down);
  const [first, last] = [rows.indexOf(true), rows.lastIndexOf(true)],
    [start, end] = [columns.indexOf(true), columns.lastIndexOf(true)];
  const lineHeight = cell.lineHeight * height;
  const dark = inColumn.reduce((sum, own, x) => sum + (columns[x] ? own : 0), 0);
  if (first < 0 || start < 0 || dark < MIN_DARK || last - first < MIN_HEIGHT * lineHeight) return null;
  const margin = Math.round(MARGIN * lineHeight);
  const from = Math.max(0, left + start - margin),
    above = Math.max(0, top + first - margin);
  return {
    left: from,
    top: above,
    width: Math.min(width, left + end + margin) - from,
    height: Math.min(height, top + last + margin) - above,
  };
}

/** A word of an enlarged part in fractions of the page. */
export function onPage(word: PageWord, part: Part, { width, height }: GrayscaleImage): PageWord {
  const rim = MARGIN * part.height;
  const across = part.width + 2 * rim,
    down = part.height + 2 * rim;
  return {
    ...word,
    x: (part.left + word.x * across - rim) / width,
    y: (part.top + word.y * down - rim) / height,
    w: (word.w * across) / width,
    h: (word.h * down) / height,
  };
}
