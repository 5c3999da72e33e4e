import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import type { Word } from './question.ts';
import { vocabulary } from './vocabulary.ts';

/** One word or name of a question with its other names. */
export interface Term {
  typed: string;
  forms: { text: string; isPrefix: boolean }[];
  /** A printed quantity that answers the question as well: `3280 g` of a weight. */
  measure?: RegExp;
  /** A German verb or particle, which says less than a noun. */
  isMinor?: true;
}

/** Quantities by what a word of the vocabulary means. */
const MEASURES: Readonly<Record<string, RegExp>> = {
  weight: /\d\s?(?:kg|g)(?!\p{L})/u,
  height: /\d\s?(?:mm|cm|m)(?!\p{L})/u,
  pressure: /\d{2,3}\s?\/\s?\d{2,3}/u,
  temperature: /\d{2}(?:[.,]\d)?\s?°/u,
  size: /\d\s?(?:mm|cm)(?!\p{L})/u,
  gestation: /\d\s?(?:semaines|settimane|weeks|Wochen|SSW)/u,
  frequency: /(?:\b(?:every|each|once|yearly|annually|chaque|ogni|jedes|jährlich)\b|tous les|alle \d|einmal)/u,
};

/** Names of the vocabulary are typed as up to three words. */
const MAX_WORDS_OF_NAME = 3;
const MIN_STEM = 5;
const MAX_ABBREVIATION = 3;

/** Words as the text index stores them: lower case, without accents. */
export const tokensOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a text between spaces, for `hasForm`. */
export const padWords = (text: string): string => ` ${tokensOf(text).join(' ')} `;

/** Whether padded words have a form of a term. */
export const hasForm = (padded: string, { text, isPrefix }: Term['forms'][number]): boolean =>
  padded.includes(` ${tokensOf(text).join(' ')}${isPrefix ? '' : ' '}`);

/** Whether a text has one of the terms. */
export function hasAny(text: string, terms: readonly Term[]): boolean {
  const padded = padWords(text);
  return terms.some(({ forms }) => forms.some((form) => hasForm(padded, form)));
}

/** The words of a question as terms; neighbouring words that are one name of the vocabulary are one term. */
export function termsOf(words: readonly Word[], language: CoreLanguage, synonymsOf: Synonyms['of']): Term[] {
  // Nouns have a capital, unless the whole question is typed in lower case.
  const hasNouns = language === 'de' && words.some(({ text }) => isCapital(text));
  const terms: Term[] = [];
  for (let at = 0; at < words.length;) {
    const name = nameAt(words, at, synonymsOf);
    const typed = words.slice(at, at + name.count).map(({ text }) => text);
    const own = typed.length === 1 ? [stemOf(typed[0]!)] : [{ text: typed.join(' '), isPrefix: true }];
    const isMinor = hasNouns && name.synonyms.length === 0 && !isCapital(typed[0]!) && { isMinor: true as const };
    const measure = name.meaning === undefined ? undefined : MEASURES[name.meaning];
    const synonyms = name.synonyms.map(wholeIfShort);
    terms.push({ typed: typed.join(' '), forms: [...own, ...synonyms], ...(measure && { measure }), ...isMinor });
    at += name.count;
  }
  return terms;
}

/** "ENT" is not the beginning of "Entwicklung". */
const wholeIfShort = ({ text, isPrefix }: Term['forms'][number]): Term['forms'][number] => ({
  text,
  isPrefix: isPrefix && text.length > MAX_ABBREVIATION,
});

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

interface FoundName {
  count: number;
  synonyms: Term['forms'];
  meaning?: string;
}

function nameAt(words: readonly Word[], at: number, synonymsOf: Synonyms['of']): FoundName {
  for (let count = Math.min(MAX_WORDS_OF_NAME, words.length - at); count > 0; count -= 1) {
    const phrase = words.slice(at, at + count).map(({ text }) => text);
    const synonyms = inflectionsOf(phrase)
      // A compound has the names of its beginning, but a phrase only its own.
      .map((form) => synonymsOf(form, { isWhole: count > 1 }))
      .find((found) => found.length > 0);
    const last = words[at + count - 1]!;
    const meaning = meaningOf(last);
    if (synonyms) return { count, synonyms: [...synonyms], ...(meaning !== undefined && { meaning }) };
  }
  const meaning = meaningOf(words[at]!);
  if (meaning === undefined) return { count: 1, synonyms: [] };
  return { count: 1, synonyms: [{ text: meaning, isPrefix: true }, ...synonymsOf(meaning)], meaning };
}

const meaningOf = ({ folded }: Word): string | undefined =>
  vocabulary().meanings.find(({ pattern }) => pattern.test(` ${folded} `))?.meaning;

/** A name as typed, in the singular, and with the adjective as dictionaries have it (`grauen Star`: grauer Star). */
function inflectionsOf(phrase: readonly string[]): string[] {
  const [first = '', ...rest] = phrase;
  const stem = /^(.{3,})e[nmrs]?$/u.exec(first)?.[1];
  const adjectives = stem === undefined || rest.length === 0 ? [] : ['er', 'e', 'es'].map((ending) => stem + ending);
  const typed = phrase.join(' ');
  return [typed, typed.replace(/(?:en|e|s|n)$/u, ''), ...adjectives.map((adjective) => [adjective, ...rest].join(' '))];
}

/** A long word also finds its other endings. */
function stemOf(word: string): Term['forms'][number] {
  const stem = word.replace(/(?:en|es|em|er|e|s|n|ed|ing)$/u, '');
  return stem.length >= MIN_STEM ? { text: stem, isPrefix: true } : { text: word, isPrefix: word.length >= MIN_STEM };
}
