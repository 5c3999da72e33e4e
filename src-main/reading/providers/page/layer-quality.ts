import type { PageWord } from '../../../../src-shared/medical/page.ts';

/** Fewer letters are a stamp or a page number on a scanned page. */
const MIN_LETTERS = 25;
const MAX_ERRORS = 0.08;
const MIN_PLAUSIBLE_SHARE = 0.55;

/** In the four languages, words contain a vowel, don't mix cases inside, and are mostly letters or mostly digits. */
function isPlausible(word: string): boolean {
  const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (bare.length < 3 || /\d/.test(bare)) return /^[\p{L}\p{N}\p{P}\p{S}]*$/u.test(word);
  if (bare.length <= 5 && bare === bare.toUpperCase()) return true;
  return (
    /[aeiouyäöüàâáéèêëìíîïòóôùúûœæ]/i.test(bare) &&
    !/\p{Ll}\p{Lu}\p{Ll}*\p{Lu}/u.test(bare) &&
    !/[bcdfghjklmnpqrstvwxz]{7}/i.test(bare)
  );
}

/**
 * Whether a text layer is reliable. `errors` counts characters without a meaning: fonts without a Unicode map produce
 * them, and poor OCR produces words that exist in no language.
 */
export function isGoodLayer(words: readonly PageWord[], errors: number): boolean {
  const text = words.map((word) => word.text).join('');
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < MIN_LETTERS) return false;
  if (errors > text.length * MAX_ERRORS) return false;
  // Control characters and long runs of marks result from fonts with a custom encoding.
  if ((text.match(/[\u0001-\u001f\u007f-\u009f]/g)?.length ?? 0) > text.length * 0.02) return false;
  if (letters < text.length * 0.5) return false;
  const long = words.filter((word) => (word.text.match(/\p{L}/gu)?.length ?? 0) >= 3);
  if (long.length === 0) return true;
  return long.filter((word) => isPlausible(word.text)).length >= long.length * MIN_PLAUSIBLE_SHARE;
}
