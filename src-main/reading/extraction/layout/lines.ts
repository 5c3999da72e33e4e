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
/** If two heights differ by more than this factor (letterhead beside small print), the middles must agree as well. */
const SIZE_RATIO = 1.5;

/** Groups the words of a page into lines from top to bottom, and splits each line into segments at wide gaps. */
export function linesOfPage(page: Pick<PageText, 'page' | 'width' | 'words'>): Line[] {
  const clusters: PageWord[][] = [];
  for (const word of page.words
    .filter((w) => w.text.trim() !== '')
    .flatMap(splitAtColon)
    .sort((a, b) => a.x - b.x)) {
    const home = nearestCluster(clusters, word);
    if (home) home.push(word);
    else clusters.push([word]);
  }
  const lines = clusters.map((words) => toLine(page, words)).sort((a, b) => a.y + a.h / 2 - (b.y + b.h / 2));
  return joinBrokenDates(page, lines);
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

/**
 * The line whose rightmost words are at this word's height. Comparing only with neighbors makes slight skew harmless.
 */
function nearestCluster(clusters: PageWord[][], word: PageWord): PageWord[] | undefined {
  let best: PageWord[] | undefined;
  let bestDistance = Infinity;
  for (const cluster of clusters) {
    const neighbour = tallestOfLast(cluster);
    if (!sharesLine(neighbour, word)) continue;
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
