import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { fold } from '../../extraction/fold.ts';

type Box = Pick<PageWord, 'x' | 'y' | 'w' | 'h'>;

/** Bounds the table of the comparison; a dense page has about 1,000 words. */
export const MAX_PLACED = 2000;
/** Words of a local engine that are certainly printed. */
const SURE = 0.8;
const MIN_SURE = 5;
/** An answer with less of them describes another page, or leaves most of it out. */
const MIN_SHARE = 0.5;
/** How sure a word is by how its place was found. */
const CONFIDENCE = { same: 0.98, misread: 0.75, near: 0.5, line: 0.4 } as const;

const isSure = ({ text, confidence }: PageWord): boolean => confidence >= SURE && fold(text).length >= 3;

/**
 * Gives places to the lines that a vision model read, by the words that a local engine found. A word that both read gets
 * that box. Another one gets the box of what the engine found between the same two neighbors. Words that the engine read
 * with certainty and the model left out stay. Null if the model left out most of those: it did not read this page.
 */
export function placeWords(lines: readonly string[], found: readonly PageWord[]): PageWord[] | null {
  const rows = lines.map((line) => line.split(/\s+/).filter((word) => word !== ''));
  const texts = rows.flat().slice(0, MAX_PLACED);
  const local = found.slice(0, MAX_PLACED);
  const pairs = commonWords(
    texts.map(fold),
    local.map(({ text }) => fold(text)),
  );
  const sure = local.filter(isSure);
  const matched = new Set(pairs.map(([, index]) => index));
  const kept = local.filter((word, index) => isSure(word) && matched.has(index)).length;
  if (sure.length >= MIN_SURE && kept < sure.length * MIN_SHARE) return null;
  if (pairs.length === 0) return onEvenLines(rows);
  const words: PageWord[] = [];
  let [text, index] = [0, 0];
  for (const [nextText, nextIndex] of [...pairs, [texts.length, local.length] as const]) {
    const between = local.slice(index, nextIndex);
    words.push(...placeBetween(texts.slice(text, nextText), between, words.at(-1), local[nextIndex]));
    const same = local[nextIndex];
    if (same) words.push({ ...same, text: texts[nextText]!, confidence: CONFIDENCE.same });
    [text, index] = [nextText + 1, nextIndex + 1];
  }
  return words;
}

/** Pairs of positions of a longest common subsequence; empty words are in none. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const isSame = (i: number, j: number): boolean => a[i] !== '' && a[i] === b[j];
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = isSame(i, j)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (isSame(i, j)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Words without a counterpart, between two that have one. */
function placeBetween(
  texts: readonly string[],
  found: readonly PageWord[],
  before: Box | undefined,
  after: Box | undefined,
): PageWord[] {
  if (texts.length === 0) return found.filter(isSure);
  if (found.length === 0) return inGap(texts, before, after);
  return texts.map((text, index) => {
    const from = Math.floor((index * found.length) / texts.length);
    const to = Math.max(from + 1, Math.floor(((index + 1) * found.length) / texts.length));
    const sharers = texts.filter((_one, other) => Math.floor((other * found.length) / texts.length) === from).length;
    const first = texts.findIndex((_one, other) => Math.floor((other * found.length) / texts.length) === from);
    const box = sharers > 1 ? partOf(found[from]!, index - first, sharers) : around(found.slice(from, to));
    return { ...box, text, confidence: texts.length === found.length ? CONFIDENCE.misread : CONFIDENCE.near };
  });
}

const partOf = ({ x, y, w, h }: Box, index: number, count: number): Box => ({
  ...{ x: x + (w * index) / count, y, w: w / count, h },
});

/** The words in the line of the first one, so that no word is as high as two lines. */
function around(words: readonly PageWord[]): Box {
  const [first] = words;
  const { y, h } = first!;
  const line = words.filter((word) => Math.abs(word.y - y) < h / 2);
  const right = Math.max(...line.map((word) => word.x + word.w));
  const left = Math.min(...line.map((word) => word.x));
  return { x: left, y, w: right - left, h };
}

/** Usual share of a page: 100 letters in a line, 60 lines. */
const LETTER = 0.01;
const LINE = 1 / 60;

/** Words beside their neighbor, where the local engine saw nothing. */
function inGap(texts: readonly string[], before: Box | undefined, after: Box | undefined): PageWord[] {
  const isOneLine = before && after && Math.abs(before.y - after.y) < before.h / 2 && after.x > before.x + before.w;
  const y = (before ?? after)?.y ?? 0;
  const h = (before ?? after)?.h ?? LINE;
  const letters = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const from = before ? Math.min(0.98, before.x + before.w) : 0;
  const to = isOneLine ? after.x : Math.min(1, from + letters * LETTER);
  const width = Math.max(0.01, to - from) / letters;
  let x = from;
  return texts.map((text) => {
    const word = { text, x, y, w: width * text.length, h, confidence: CONFIDENCE.near };
    x += width * (text.length + 1);
    return word;
  });
}

/** A page on which the local engine recognized nothing, such as one written by hand: places are those of lines only. */
function onEvenLines(rows: readonly string[][]): PageWord[] {
  const h = Math.min(LINE, 0.9 / Math.max(1, rows.length));
  const step = 0.9 / Math.max(1, rows.length);
  return rows
    .flatMap((words, row) =>
      inGap(words, undefined, { x: 0, y: 0.05 + row * step, w: 0, h }).map((word) => ({
        ...word,
        confidence: CONFIDENCE.line,
      })),
    )
    .slice(0, MAX_PLACED);
}
