/**
 * Where a spreadsheet may find the beginning of a formula (OWASP, CSV Injection): in front of the text, and after what
 * other languages separate cells with, whether or not that is quoted. Full-width signs count as the usual ones.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])["\s]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/gu;

/** The text with an apostrophe before each formula that a spreadsheet could find in it. */
export const guardFormulas = (text: string): string => text.replace(FORMULA, "'");
