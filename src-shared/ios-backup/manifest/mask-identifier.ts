/** Characters of a number that are shown, and of the mark in place of the others. */
const SHOWN = 4,
  MOST_MARKS = 8;

/** The last characters of a number that is a person's: `••••••••0001`. */
export const masked = (text: string | null): string | null =>
  text === null ? null : `${'•'.repeat(Math.max(0, Math.min(MOST_MARKS, text.length - SHOWN)))}${text.slice(-SHOWN)}`;
