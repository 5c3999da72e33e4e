/**
 * Normalizes text for comparison by rules: lower case, without accents, punctuation as single spaces. `fold('Hôpital
 * St-Luc, Genève')` is `'hopital st luc geneve'`.
 */
export function fold(text: string): string {
  return foldLetters(text)
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();
}

/** Lower case without accents, ligatures and soft hyphens; punctuation and spaces are unchanged. */
export function foldLetters(text: string): string {
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

/** Levenshtein distance of two words. Stops counting above `limit` and then returns `limit + 1`. */
export function editDistance(a: string, b: string, limit = 3): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    if (Math.min(...row) > limit) return limit + 1;
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
}
