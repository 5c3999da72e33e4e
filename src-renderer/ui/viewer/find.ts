import type { BBox } from '../../../src-shared/medical/page.ts';
import { boxAround } from './geometry.ts';
import type { ViewerPage, Word } from './page.ts';
import { linesOf } from './text-lines.ts';

/** One occurrence of the searched text; it has several boxes if it spans lines. */
export interface Hit {
  page: number;
  boxes: BBox[];
}

/** Maximum number of hits; the search stops there. */
const MAX_HITS = 2000;

/** Lower case without accents and ligatures, so that `Hämoglobin`, `hamoglobin` and `HÄMOGLOBIN` are equal. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ﬁ', 'fi')
    .replaceAll('ﬂ', 'fl')
    .replaceAll('’', "'");
}

/**
 * Returns the words and phrases to highlight for a search line: `"white cells" ferr -old doctor:keller` gives `['white
 * cells', 'ferr', 'keller']`.
 */
export function searchTerms(query: string): string[] {
  const terms: string[] = [];
  for (const [, minus, phrase, word] of query.matchAll(/(-?)(?:[a-z_]+:)?(?:"([^"]*)"?|([^\s"]+))/giu)) {
    const term = foldText(phrase ?? word ?? '')
      .replace(/[*"]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const operator = term === 'or' || term === 'and' || term === 'not';
    if (minus !== '-' && term !== '' && !operator) terms.push(term);
  }
  return [...new Set(terms)];
}

/** The folded text of a page and the offset of each word. */
function indexPage(words: readonly Word[]): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    if (text !== '') text += ' ';
    starts.push(text.length);
    text += foldText(word[0]);
  }
  return { text, starts };
}

/** The box of a part of a word, given offsets in its folded text. */
function partOf(word: Word, length: number, from: number, to: number): BBox {
  const letter = word[3] / Math.max(length, 1);
  return [word[1] + from * letter, word[2], (to - from) * letter, word[4]];
}

function hitBoxes(words: readonly Word[], starts: readonly number[], text: string, from: number, to: number): BBox[] {
  const matchedParts: { word: Word; bbox: BBox }[] = [];
  for (let index = starts.findLastIndex((start) => start <= from); index >= 0 && index < words.length; index++) {
    const start = starts[index] as number;
    if (start >= to) break;
    const end = (starts[index + 1] ?? text.length + 1) - 1;
    const word = words[index] as Word;
    matchedParts.push({ word, bbox: partOf(word, end - start, Math.max(0, from - start), Math.min(end, to) - start) });
  }
  return linesOf(matchedParts.map((part) => part.word)).map((line) =>
    boxAround(line.words.map((index) => (matchedParts[index] as { bbox: BBox }).bbox)),
  );
}

function findTerm(
  page: ViewerPage,
  index: { text: string; starts: number[] },
  term: string,
  onlyWordStarts: boolean,
): { at: number; hit: Hit }[] {
  const placedHits: { at: number; hit: Hit }[] = [];
  for (
    let at = index.text.indexOf(term);
    at >= 0 && placedHits.length < MAX_HITS;
    at = index.text.indexOf(term, at + term.length)
  ) {
    if (onlyWordStarts && at > 0 && /[\p{L}\p{N}]/u.test(index.text[at - 1] ?? '')) continue;
    placedHits.push({
      at,
      hit: { page: page.page, boxes: hitBoxes(page.words, index.starts, index.text, at, at + term.length) },
    });
  }
  return placedHits;
}

/**
 * Returns the hits of a typed text in reading order. Searches for the whole text first, anywhere in words; if there is
 * no hit, it searches for each word and phrase at the start of words, like the full-text search.
 */
export function findText(pages: readonly ViewerPage[], query: string): Hit[] {
  const whole = foldText(query).replace(/\s+/g, ' ').trim();
  if (whole === '') return [];
  const indexedPages = pages.map((page) => ({ page, index: indexPage(page.words) }));
  const exact = indexedPages.flatMap(({ page, index }) => findTerm(page, index, whole, false).map(({ hit }) => hit));
  if (exact.length > 0) return exact.slice(0, MAX_HITS);
  const terms = searchTerms(query);
  return indexedPages
    .flatMap(({ page, index }) =>
      terms
        .flatMap((term) => findTerm(page, index, term, true))
        .sort((a, b) => a.at - b.at)
        .map(({ hit }) => hit),
    )
    .slice(0, MAX_HITS);
}

/** Index of the first hit at or after a page; 0 if none follows. */
export function firstHitFrom(hits: readonly Hit[], page: number): number {
  return Math.max(
    0,
    hits.findIndex((hit) => hit.page >= page),
  );
}
