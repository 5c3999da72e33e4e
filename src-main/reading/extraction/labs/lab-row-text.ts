import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { repairNumber } from '../../../../src-shared/medical/number.ts';
import { isUnit } from '../../../../src-shared/medical/unit.ts';
import { STAR } from './lab-marks.ts';
import type { LabToken } from './lab-tokens.ts';
import { isKnownTest, isWordResult, polarityOf } from './lab-words.ts';

/** The words of a name as printed; "8h" was split only to classify its parts. */
export const nameOf = (tokens: readonly LabToken[]): string =>
  tokens
    .flatMap((token) => token.words)
    .reduce((text, word, i, words) => {
      const before = words[i - 1];
      return before && word.x - before.x - before.w < 0.0004 ? text + word.text : `${text} ${word.text}`;
    }, '')
    .trim();
/** Whether a token is more than signs: a dash or an arrow under a day is not its result. */
export const hasLetters = ({ text }: LabToken): boolean => /[\p{L}\d+]/u.test(text);

/** Whether a token can be the result of a row: a number, a word such as "negativ", or a number that OCR damaged. */
export const isResult = (token: LabToken): boolean =>
  token.kind === 'number' || (token.kind === 'name' && (isWordResult(token.text) || repairNumber(token.text) !== null));

/** Under a table, text goes on behind its first result or limit: "Prediabetes 5.7 - 6.4; diabetes > 6.4". */
export function isSentence(tokens: readonly LabToken[]): boolean {
  if (tokens.some(({ segment }) => segment !== tokens[0]?.segment)) return false;
  const at = tokens.findIndex((token, i) => i > 0 && (isResult(token) || token.kind === 'range'));
  const rest = tokens.slice(at + 1);
  const hasText = rest.some((token) => token.kind === 'name' && /\p{L}{3}/u.test(token.text) && !isResult(token));
  return at > 0 && hasText && (tokens[at]?.kind === 'range' || !isKnownTest(nameOf(tokens.slice(0, at))));
}

/**
 * In a sentence, the first number may be behind a limit ("LDL-Ziel unter 55 mg/dl, Kontrolle in 3 Monaten"), and a word
 * may count something ("rare cellule", "nombreux bacilles"): neither is a result of the name.
 */
export function isBesideName(rest: readonly LabToken[], value: LabToken): boolean {
  const at = rest.indexOf(value);
  const next = rest[at + 1];
  const isLimited = rest
    .slice(0, at)
    .some(({ kind, text, segment }) => kind === 'range' && segment === value.segment && !/^[[(]/.test(text));
  const isCounted = next?.segment === value.segment && parseLabFlag(next.text) === null;
  const isOfAmount = polarityOf(value.text) === null && next?.kind === 'name';
  return !isLimited && !(value.kind === 'name' && isCounted && (next.kind === 'unit' || isOfAmount));
}

/**
 * What belongs to a result in a line without columns: "TSH in 6 weeks, goal of INR 2-3" has no unit, and "septum 13 mm,
 * no valve disease. Exercise up to 125 W" no range.
 */
export function withoutText(line: readonly LabToken[], behind: readonly LabToken[]): readonly LabToken[] {
  const rest = withoutEarlier(behind);
  if (line.some(({ segment }) => segment !== line[0]?.segment)) return rest;
  const at = rest.findIndex(({ kind }) => kind === 'number');
  const isText = rest[at + 1]?.kind === 'name' && TEXT.test(rest[at + 1]?.text ?? '');
  if (at >= 0 && isText) return rest.slice(0, at + 1);
  const end = rest.findIndex((token, i) => at >= 0 && i > at && (ENDS_BRACKET.test(token.text) || endsSentence(token)));
  return end > at ? rest.slice(0, ENDS_BRACKET.test(rest[end]?.text ?? '') ? end + 1 : end) : rest;
}
/** The text of some words without the brackets before a comma: what "(previously 1.3)," says is over. */
export const withoutAsides = (words: readonly PageWord[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replace(/[[(][^[\](]*[\])][,;]/gu, ' ');

/** A result without an earlier one in brackets behind it: "1,1 mg/dl (Vorwert 1,3)", "10,4 g/dL (contre 11,6)". */
function withoutEarlier(rest: readonly LabToken[]): readonly LabToken[] {
  const from = rest.findIndex(
    ({ kind, text }, i) => i > 0 && kind === 'name' && /^[[(]\p{L}/u.test(text) && !OF_LIMIT.test(text),
  );
  const to = from < 0 ? -1 : rest.findIndex(({ text }, i) => i >= from && /[\])][.,;]?$/.test(text));
  const isNumber = to === from + 1 && (rest[to]?.kind === 'bound' || rest[to]?.kind === 'number');
  const isEarlier = isNumber || EARLIER.test(rest[from]?.text ?? '');
  return to < 0 || !isEarlier ? rest : rest.filter((_, i) => i < from || i > to);
}
/** Beginnings of words in brackets before a number that make it a limit: "(Norm 5)", "(upper limit 35)". */
const LIMIT_WORDS = [
  'norm',
  'r[eé]f',
  'rif',
  'ziel',
  'soll',
  'target',
  'goal',
  'objectif',
  'cible',
  'obiettivo',
  'limit',
  'grenz',
  'cut',
  'schwelle',
  'seuil',
  'soglia',
  'max',
  'min',
  'upper',
  'lower',
  'ober',
  'unter',
  'sup',
  'inf',
  'bis',
  'jusqu',
  'fino',
  'up to',
  'range',
  'interval',
  'männ',
  'frau',
  'weib',
  'herren',
  'damen',
  'homme',
  'femme',
  'uomini',
  'donne',
  'male',
  'men',
  'desiderabil',
  'optimal',
  'wunsch',
];
/** Such words of one or two letters, with no other letter beside them. */
const SHORT_LIMIT_WORDS = 'n|vn|vr|w|f|m|h';
const OF_LIMIT = new RegExp(String.raw`(?<!\p{L})(?:${SHORT_LIMIT_WORDS})(?!\p{L})|${LIMIT_WORDS.join('|')}`, 'iu');
/** Words before an earlier result: "(Vorwert", "(vorher:", "(previously". */
const EARLIER_WORDS = [
  'vorwerte?',
  'vorbefund',
  'vorher',
  'zuvor',
  'zuletzt',
  'früher',
  String.raw`prev(?:ious(?:ly)?|\.)?`,
  'prior',
  'earlier',
  'before',
  'ant[ée]rieur(?:ement)?',
  'ant[ée]c[ée]dent',
  'pr[ée]c[ée]dent',
  'avant',
  'precedente',
  'in precedenza',
  'prima',
];
const EARLIER = new RegExp(String.raw`^[[(](?:${EARLIER_WORDS.join('|')})(?!\p{L})`, 'iu');
/** "13 mm)," ends an aside. */
const ENDS_BRACKET = /^[^[(]*\)[,;]$/;
/** "no valve disease. Exercise": a sentence ends, and another one begins. */
const endsSentence = ({ kind, text }: LabToken): boolean => kind === 'name' && /\p{Ll}{6}\.\s\p{Lu}/u.test(text);
/** Two words of which the first is long and in lower case. */
const TEXT = /^\p{Ll}{4,}[,;]?\s\p{L}/u;

/** Whether the column of a digit has another number beside it: "1 212", where an arrow was read as a one. */
export function hasSecondNumber(cells: readonly { token: LabToken; column: unknown }[], token: LabToken): boolean {
  const column = cells.find((own) => own.token === token)?.column;
  const isBeside = (other: { token: LabToken; column: unknown }): boolean =>
    other.token !== token &&
    other.token.kind === 'number' &&
    other.token.segment === token.segment &&
    other.column === column;
  return /^\d$/.test(token.text) && cells.some(isBeside);
}

/** "* Componente monoclonale IgG kappa": the star shows that the words are a result. */
export function isStarred(token: LabToken, tokens: readonly LabToken[]): boolean {
  const before = tokens[tokens.indexOf(token) - 1];
  return before?.segment === token.segment && STAR.test(before.text);
}

/** A flag, or its words in a cell of their own: "132 mg/dl   erhöht". */
export const isFlagBeside = (token: LabToken, value: LabToken): boolean =>
  token !== value && (token.kind === 'flag' || (token.kind === 'name' && token.segment > value.segment));

/** "Vitamin B12 (pg/mL) a": what a scan reads of a footnote behind the unit does not belong to the name. */
export function withoutFootnote(tokens: readonly LabToken[]): readonly LabToken[] {
  const [unit, last] = tokens.slice(-2);
  const isFootnote = unit?.kind === 'unit' && (last?.kind === 'name' || last?.kind === 'flag') && last.text.length <= 2;
  return isFootnote && /^[[(]/.test(unit.text) ? tokens.slice(0, -1) : tokens;
}

/** A unit after the name: `Ferritin [µg/L]`, `Glucose (mmol/l)`, `Kalium, mmol/l`. */
export function unitOfName(tokens: readonly LabToken[]): LabToken | null {
  const last = tokens.at(-1);
  return last &&
    last.kind === 'unit' &&
    tokens.length > 1 &&
    !/^[[(]?(?:INR|ratio|index)[\])]?$/i.test(last.text) &&
    // "ESR (1 hr)"
    !/^[^[(].*[\])]$/.test(last.text) &&
    (/^[[(]/.test(last.text) || isUnit(last.text))
    ? last
    : null;
}
