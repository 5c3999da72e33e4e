/** Digits of a code. */
export const DIGITS = 6;

const DECIMAL = /\p{Nd}/u;

/**
 * The digits 0 to 9 that a text contains, at most as many as a code has. Keyboards of phones write digits of their own
 * script ("٤٢", "４２"): Unicode has each script's ten in one row, and every row after another begins with a zero.
 */
export const digitsOf = (text: string): string =>
  [...text.normalize('NFKC')]
    .filter((character) => DECIMAL.test(character))
    .map(valueOf)
    .slice(0, DIGITS)
    .join('');

function valueOf(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (DECIMAL.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}
