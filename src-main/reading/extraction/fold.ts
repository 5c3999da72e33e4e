import { distance } from 'fastest-levenshtein';

/**
 * Normalizes text for comparison by rules: lower case, without accents, punctuation as single spaces. `fold('Hôpital
 * St-Luc, Genève')` is `'hopital st luc geneve'`.
 */
export function fold(text: string): string {
  return foldLetters(text)
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();
}

/** Latin letters, digits and signs that have no other form. */
const IS_PLAIN = /^[ -~\s]*$/;

/** Lower case without accents, ligatures and soft hyphens; punctuation and spaces are unchanged. */
export function foldLetters(text: string): string {
  // Most of the text of a page, which is folded many times.
  if (IS_PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/[\p{M}\u00ad]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ﬁ', 'fi')
    .replaceAll('ﬂ', 'fl')
    .replaceAll('’', "'")
    .replaceAll('´', "'");
}

/** Folded words of a text; an empty list for an empty text. */
export function foldWords(text: string): string[] {
  const folded = fold(text);
  return folded === '' ? [] : folded.split(' ');
}

/** Levenshtein distance of two words, or `limit + 1` if they differ by more than `limit`. */
export const editDistance = (a: string, b: string, limit = 3): number =>
  Math.abs(a.length - b.length) > limit ? limit + 1 : Math.min(distance(a, b), limit + 1);
