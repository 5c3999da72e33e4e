/** In words of this length or longer, one wrong letter is certainly a typo. */
const MIN_SURE_LETTERS = 8;
const MIN_LIKELY_LETTERS = 5;

export type SpellingSimilarity = 'sure' | 'likely' | null;

/**
 * Compares two folded names that may differ by one typo in one word (a letter wrong, missing, added, or two swapped).
 * Numbers, short words and the number of words must be the same: `T3` is not `T4`, `IgG` is not `IgM`. The result is
 * `sure` for words of eight or more letters.
 */
export function compareSpellings(a: string, b: string): SpellingSimilarity {
  if (a === b || Math.abs(a.length - b.length) > 1) return null;
  const x = a.split(' '),
    y = b.split(' ');
  if (x.length !== y.length) return null;
  const differing = x.map((word, index) => [word, y[index] ?? ''] as const).filter(([word, other]) => word !== other);
  const [pair] = differing;
  if (differing.length !== 1 || !pair) return null;
  const letters = Math.min(pair[0].length, pair[1].length);
  if (letters < MIN_LIKELY_LETTERS || /\d/.test(pair[0] + pair[1]) || !isOneSlip(pair[0], pair[1])) return null;
  return letters >= MIN_SURE_LETTERS ? 'sure' : 'likely';
}

/** Whether two words differ by one insertion, deletion, replacement or swap of adjacent letters. */
export function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const p = a.slice(start, a.length - end),
    q = b.slice(start, b.length - end);
  if (Math.max(p.length, q.length) <= 1) return true;
  return p.length === 2 && q.length === 2 && p[0] === q[1] && p[1] === q[0];
}

/** Keys up to this length have blocks of two letters, from it on of three, so that a key shares one with both neighbors. */
const MIDDLE_LENGTH = 6;
/** Shorter names are too unspecific to be a misread other one. */
const MIN_MISREAD_LETTERS = 3;
const digitsOf = (name: string): string => name.replaceAll(/\D/g, '');

/**
 * Whether a name, too short for `compareSpellings`, may be another one that was misread: `MT4` is `fT4`. That is only a
 * hint, so one of the two has to be unknown.
 */
export function mayBeMisread(a: string, b: string): boolean {
  const [x, y] = [a.replaceAll(' ', ''), b.replaceAll(' ', '')];
  return Math.min(x.length, y.length) >= MIN_MISREAD_LETTERS && digitsOf(x) === digitsOf(y) && isOneSlip(x, y);
}

/**
 * Block keys of a spelling. Two spellings that differ by one typo share a block, because either their start or their
 * end is intact.
 */
export const blocksOf = (key: string): string[] =>
  [2, 3]
    .filter((length) => (length === 2 ? key.length <= MIDDLE_LENGTH : key.length >= MIDDLE_LENGTH))
    .flatMap((length) => [key.slice(0, length), `…${key.slice(-length)}`]);
