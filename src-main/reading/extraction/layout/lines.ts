import type { BBox, PageText, PageWord } from '../../../../src-shared/medical/page.ts';
import { boxAround, median, overlapShare } from './geometry.ts';

/** Neighboring words of a line: a column, a cell of a table, or a whole sentence. */
export interface Segment {
  text: string;
  words: PageWord[];
  /** In fractions of the page. */
  bbox: BBox;
}

/** Words at the same height of a page, from left to right. */
export interface Line {
  page: number;
  /** Top and height of the line, in fractions of the page. */
  y: number;
  h: number;
  bbox: BBox;
  /** Contains at least one. */
  segments: Segment[];
  /** Segments joined by two spaces. */
  text: string;
  words: PageWord[];
}

/** A gap between two words splits their line when it is wider than this many average letters of that line. */
const SPLIT_GAP_LETTERS = 1.75;
/** Two words share a line if they overlap by this fraction of the lower word's height. */
const SAME_LINE_OVERLAP = 0.5;
/** Words of two lines overlap by more than this fraction of the narrower one's width. */
const STACKED_OVERLAP = 0.5;
/** If two heights differ by more than this factor (letterhead beside small print), the middles must agree as well. */
const SIZE_RATIO = 1.5;

/** Middles of two parts of a row are at most this fraction of their height apart, and their heights this different. */
const TILT = 0.35;
const TILTED_RATIO = 1.9;

/** Letters of a bar: wider than this fraction of the page, and this uncertain. */
const MIN_BAR_LETTER = 0.1;
const MAX_BAR_CONFIDENCE = 0.5;

/** Groups the words of a page into lines from top to bottom, and splits each line into segments at wide gaps. */
export function linesOfPage(
  page: Pick<PageText, 'page' | 'width' | 'words'> & Partial<Pick<PageText, 'source'>>,
): Line[] {
  const clusters: PageWord[][] = [];
  for (const word of page.words
    .filter((w) => w.text.trim() !== '' && !isBar(w) && !CODE.test(w.text))
    .flatMap(splitAtColon)
    .flatMap(splitAtFullStop)
    .sort((a, b) => a.x - b.x)) {
    const home = nearestCluster(clusters, word);
    if (home) home.push(word);
    else clusters.push([word]);
  }
  const lines = clusters.map((words) => toLine(page, words)).sort((a, b) => a.y + a.h / 2 - (b.y + b.h / 2));
  return joinBrokenDates(page, page.source === 'ocr' ? joinTilted(page, lines) : lines);
}

/** The squares and strokes of a code that a scanner reads: "▚▞▞▚", "||||| ||". */
const CODE = /^(?:[\u2580-\u259f]+|\|{2,})$/u;

/** A bar, a scale or a rule that was read as letters: few and uncertain ones over a large part of the page. */
const isBar = ({ text, w, confidence }: PageWord): boolean =>
  confidence < MAX_BAR_CONFIDENCE && w / text.length > MIN_BAR_LETTER;

/**
 * Joins the two parts of a row that is tilted or bent in a scan or photo: "PLATELETS   88" and "150-450" a little lower.
 * Their middles are much nearer than two rows are, and no word of one is above a word of the other.
 */
function joinTilted(page: Pick<PageText, 'page' | 'width'>, lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const above = joined.at(-1);
    if (above && areOneRow(above, line))
      joined[joined.length - 1] = toLine(
        page,
        [...above.words, ...line.words].sort((a, b) => a.x - b.x),
      );
    else joined.push(line);
  }
  return joined;
}

function areOneRow(upper: Line, lower: Line): boolean {
  const [a, b] = [median(upper.words.map((w) => w.h)), median(lower.words.map((w) => w.h))];
  const distance = median(lower.words.map(middle)) - median(upper.words.map(middle));
  return (
    distance <= TILT * Math.max(a, b) &&
    Math.max(a, b) <= TILTED_RATIO * Math.min(a, b) &&
    upper.words.every((word) => lower.words.every((other) => overlapShare(word.x, word.w, other.x, other.w) === 0))
  );
}

const DATE_WITHOUT_YEAR = /^\d{1,2}(?:-(?:\d{1,2}|\p{L}{3,9})|[./]\d{1,2})[-./]$/u;

/** Completes "14-Jan-" at the end of a line with the year that begins the next one. */
function joinBrokenDates(page: Pick<PageText, 'page' | 'width'>, lines: readonly Line[]): Line[] {
  const joined = [...lines];
  for (let at = 0; at + 1 < joined.length; at += 1) {
    const [upper, lower] = [joined[at], joined[at + 1]];
    const [last, year] = [upper?.words.at(-1), lower?.words[0]];
    if (!upper || !lower || !last || !year || !DATE_WITHOUT_YEAR.test(last.text)) continue;
    if (!/^(?:19|20)\d\d[.,;]?$/.test(year.text)) continue;
    joined[at] = toLine(page, [...upper.words.slice(0, -1), { ...last, text: last.text + year.text }]);
    if (lower.words.length > 1) joined[at + 1] = toLine(page, lower.words.slice(1));
    else joined.splice(at + 1, 1);
  }
  return joined;
}

/** "Patient:Elena" and "T4:12.5" are two words; "07:48" and "https://…" are one. */
function splitAtColon(word: PageWord): PageWord[] {
  const parts =
    /^(\p{L}[\p{L}.)/-]+:)([\p{L}\p{N}].*)$/u.exec(word.text) ?? /^(\p{L}[\p{L}\d]*:)(\d+[.,]\d+)$/u.exec(word.text);
  const [, label, value] = parts ?? [];
  if (!label || !value || value.startsWith('/')) return [word];
  const w = (word.w * label.length) / word.text.length;
  return [
    { ...word, text: label, w },
    { ...word, text: value, x: word.x + w, w: word.w - w },
  ];
}

/** "MrJulian", "OADr.med.": some text layers have no blank behind a form of address. */
const GLUED_ADDRESS = /^(M(?:rs?|s|me|lle)|Herrn?|Frau|Signora?|OA|OÄ|CA|Prof|Dr)((?:Dr\.|\p{Lu}\p{Ll}{2}).*)$/u;

/** "25/12/1950.Ricoverata", "Dott.Vasco": two words between which a print has no blank. */
function splitAtFullStop(word: PageWord): PageWord[] {
  const [, before, after] =
    GLUED_ADDRESS.exec(word.text) ??
    /^(\S*(?:\p{Ll}{4}|\d[./]\d{1,2}|(?:19|20)\d\d)\.)(\p{Lu}[\p{L}'’]{2,}.*)$/u.exec(word.text) ??
    /^((?:Dott|Prof|Dr|Sig)\.)(\p{Lu}\p{Ll}{2,}.*)$/u.exec(word.text) ??
    [];
  if (!before || !after || /[@/]\p{L}|www\./u.test(word.text)) return [word];
  const w = (word.w * before.length) / word.text.length;
  return [
    { ...word, text: before, w },
    { ...word, text: after, x: word.x + w, w: word.w - w },
  ];
}

/**
 * The line whose rightmost words are at this word's height. Comparing only with neighbors makes slight skew harmless.
 */
function nearestCluster(clusters: PageWord[][], word: PageWord): PageWord[] | undefined {
  let best: PageWord[] | undefined;
  let bestDistance = Infinity;
  for (const cluster of clusters) {
    const neighbour = tallestOfLast(cluster);
    if (!sharesLine(neighbour, word) || isStacked(cluster, word)) continue;
    const distance = Math.abs(middle(neighbour) - middle(word));
    if (distance < bestDistance) {
      best = cluster;
      bestDistance = distance;
    }
  }
  return best;
}

/** The tallest of the last three words, because a lone comma or dash doesn't show the height of the line. */
function tallestOfLast(cluster: PageWord[]): PageWord {
  return cluster.slice(-3).reduce((tall, w) => (w.h >= tall.h ? w : tall));
}

/** Whether a word is above or below one of the last words: two small lines beside a large heading are not one. */
const isStacked = (cluster: readonly PageWord[], word: PageWord): boolean =>
  cluster
    .slice(-3)
    .some(
      (other) =>
        overlapShare(other.x, other.w, word.x, word.w) > STACKED_OVERLAP &&
        overlapShare(other.y, other.h, word.y, word.h) < SAME_LINE_OVERLAP,
    );

function sharesLine(a: PageWord, b: PageWord): boolean {
  if (overlapShare(a.y, a.h, b.y, b.h) < SAME_LINE_OVERLAP) return false;
  const lower = a.h < b.h ? a : b;
  if (Math.max(a.h, b.h) <= SIZE_RATIO * lower.h || !/[\p{L}\p{N}]{2}/u.test(lower.text)) return true;
  return Math.abs(middle(a) - middle(b)) < 0.4 * lower.h;
}

const middle = (w: PageWord): number => w.y + w.h / 2;

function toLine(page: Pick<PageText, 'page' | 'width'>, words: PageWord[]): Line {
  const segments = splitAtGaps(words, page.width).map(toSegment);
  const bbox = boxAround(words);
  return {
    page: page.page,
    y: bbox[1],
    h: bbox[3],
    bbox,
    segments,
    text: segments.map((s) => s.text).join('  '),
    words,
  };
}

function splitAtGaps(words: PageWord[], pageWidth: number): PageWord[][] {
  const limit = SPLIT_GAP_LETTERS * letterWidth(words, pageWidth);
  const groups: PageWord[][] = [];
  let right = -Infinity;
  for (const word of words) {
    const last = groups.at(-1);
    if (last && (word.x - right) * pageWidth <= limit) last.push(word);
    else groups.push([word]);
    right = Math.max(right, word.x + word.w);
  }
  return groups;
}

/**
 * Average width of a letter of the line in points, measured on its longer words, because short ones are mostly digits
 * and punctuation.
 */
function letterWidth(words: PageWord[], pageWidth: number): number {
  const long = words.filter((w) => w.text.length >= 3);
  return median((long.length > 0 ? long : words).map((w) => (w.w * pageWidth) / w.text.length));
}

function toSegment(words: PageWord[]): Segment {
  return { text: words.map((w) => w.text).join(' '), words, bbox: boxAround(words) };
}
