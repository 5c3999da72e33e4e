import { SEARCH_TERM, SEARCH_WORDS } from '../../../../src-shared/contract/search-words.ts';
import type { Synonym } from '../../../reading/knowledge/synonyms.ts';
import type { TextColumn } from './text-index-repository.ts';

/** How a line is read; `synonyms` adds other names of its words, such as those of another language. */
export interface SearchOptions {
  /** Treats the last word as a prefix. */
  asYouType?: boolean;
  synonyms?: (words: string) => readonly Synonym[];
}

/** An FTS5 phrase; a document that only has another name of the word counts less than one that has the word. */
export interface SearchPhrase {
  match: string;
  weight: number;
}

/**
 * The search syntax: words, "a phrase", -without, field:word, word* and OR.
 * Any input becomes a valid FTS5 expression or `null` (nothing to search for); user text appears only inside quotes.
 * Source of the target grammar: SQLite FTS5, section 3 "Full-text Query Syntax".
 */
export interface SearchQuery {
  /** FTS5 MATCH expression. */
  match: string;
  /** The phrases of which a hit has to contain some. */
  phrases: SearchPhrase[];
}

/** The input is not a valid search: only exclusions, or too many words. */
export class SearchSyntaxError extends Error {}

const { or: OR, ...FIELD_WORDS } = SEARCH_WORDS;
/** The column of the text index of each prefix. */
const FIELDS = new Map(
  (Object.entries(FIELD_WORDS) as [TextColumn, string][]).flatMap(([column, words]) =>
    words.split(' ').map((word): [string, TextColumn] => [word, column]),
  ),
);

const MAX_TERMS = 32;
/** Names of the vocabulary that are typed as several words: `blood pressure`. */
const MAX_WORDS_OF_NAME = 3;
const SYNONYM_WEIGHT = 0.5;

interface Term {
  negative: boolean;
  column: TextColumn | null;
  words: string[];
  prefix: boolean;
  phrase: boolean;
  or: boolean;
}
/** Terms that a document has to contain together, or instead of them one of the other names. */
interface TermGroup {
  terms: Term[];
  synonyms: readonly Synonym[];
  /** The words of a compound with their synonyms: `Knie-MRT` also finds an MRI of the knee. */
  parts: readonly TermGroup[];
  or: boolean;
}

/** A word as the text index stores it: lower case, without accents. */
export const foldWord = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Words as the tokenizer of the index splits them: letters and digits. */
const wordsOf = (text: string): string[] => text.normalize('NFC').match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];

/** Parses a search line. @throws SearchSyntaxError */
export function parseSearch(line: string, { asYouType = false, synonyms }: SearchOptions = {}): SearchQuery | null {
  const terms = readTerms(line);
  if (terms.length === 0) return null;
  const last = terms.at(-1);
  if (asYouType && last && !last.negative && !last.phrase && !/\s$/.test(line)) last.prefix = true;
  const groups = groupTerms(
    terms.filter((term) => !term.negative),
    synonyms ?? (() => []),
  );
  if (groups.length === 0) throw new SearchSyntaxError('only exclusions');
  const phrases = new Map<string, SearchPhrase>();
  for (const phrase of groups.flatMap(phrasesOfGroup))
    if (!phrases.has(phrase.match)) phrases.set(phrase.match, phrase);
  return {
    match: expression(
      groups,
      terms.filter((term) => term.negative),
    ),
    phrases: [...phrases.values()],
  };
}

/** A word of a line that may be misspelled, with its place. */
export interface PlainWord {
  text: string;
  start: number;
}

/** The single words of a line that have to be in a hit: not excluded, not quoted, without a prefix. */
export const plainWords = (line: string): PlainWord[] =>
  [...line.matchAll(SEARCH_TERM)].flatMap((term) => {
    const [whole, minus, field, quoted, bare] = term;
    const isPlain = minus === undefined && field === undefined && quoted === undefined && whole !== OR;
    return isPlain && bare !== undefined && wordsOf(bare).length === 1 ? [{ text: bare, start: term.index }] : [];
  });

function readTerms(line: string): Term[] {
  const terms: Term[] = [];
  let or = false;
  for (const [whole, minus, field, quoted, bare] of line.matchAll(SEARCH_TERM)) {
    if (terms.length >= MAX_TERMS) throw new SearchSyntaxError('too many words');
    if (whole === OR) {
      or = terms.length > 0;
      continue;
    }
    const column = field === undefined ? undefined : FIELDS.get(field.toLowerCase());
    const value = quoted ?? bare ?? '';
    // `10:30` or an unknown prefix is text, not a field.
    const text = field !== undefined && column === undefined ? `${field} ${value}` : value;
    const words = wordsOf(text);
    if (words.length === 0) continue;
    terms.push({
      negative: minus !== undefined,
      column: column ?? null,
      words,
      prefix: bare?.endsWith('*') ?? false,
      phrase: quoted !== undefined,
      or,
    });
    or = false;
  }
  return terms;
}

/** Groups consecutive words that are one name of the vocabulary, the longest first. */
function groupTerms(terms: readonly Term[], synonymsOf: (words: string) => readonly Synonym[]): TermGroup[] {
  const groups: TermGroup[] = [];
  for (let at = 0; at < terms.length;) {
    const first = terms[at]!;
    const group = nameAt(terms, at, synonymsOf) ?? {
      ...{ terms: [first], synonyms: [], or: first.or },
      parts: partsOf(first, synonymsOf),
    };
    groups.push(group);
    at += group.terms.length;
  }
  return groups;
}

const LETTERS = /^[\p{L}\p{M}]{2,}$/u;

/** The words of a compound, if the vocabulary knows one of them; codes such as `B-12` remain as they were typed. */
function partsOf(term: Term, synonymsOf: (words: string) => readonly Synonym[]): TermGroup[] {
  if (term.phrase || term.words.length < 2 || !term.words.every((word) => LETTERS.test(word))) return [];
  const parts = term.words.map((word): TermGroup => {
    return { terms: [{ ...term, words: [word] }], synonyms: synonymsOf(word), parts: [], or: false };
  });
  return parts.some(({ synonyms }) => synonyms.length > 0) ? parts : [];
}

function nameAt(
  terms: readonly Term[],
  at: number,
  synonymsOf: (words: string) => readonly Synonym[],
): TermGroup | null {
  for (let count = MAX_WORDS_OF_NAME; count > 0; count -= 1) {
    const part = terms.slice(at, at + count);
    const [first] = part;
    if (first === undefined || part.length < count) continue;
    const isName = part.every(
      (term, index) =>
        !term.phrase && term.words.length === 1 && term.column === first.column && (index === 0 || !term.or),
    );
    const synonyms = isName ? synonymsOf(part.map(({ words }) => words[0]).join(' ')) : [];
    if (synonyms.length > 0) return { terms: part, synonyms, parts: [], or: first.or };
  }
  return null;
}

function expression(positive: readonly TermGroup[], negative: readonly Term[]): string {
  const alternatives: string[][] = [];
  for (const group of positive) {
    if (group.or) alternatives.at(-1)?.push(renderGroup(group));
    else alternatives.push([renderGroup(group)]);
  }
  const included = alternatives.map(anyOf).join(' AND ');
  return negative.reduce((all, term) => `(${all}) NOT ${render(term)}`, included);
}

const allOf = (parts: readonly string[]): string => (parts.length > 1 ? `(${parts.join(' AND ')})` : (parts[0] ?? ''));
const anyOf = (parts: readonly string[]): string => (parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? ''));

function renderGroup({ terms, synonyms, parts }: TermGroup): string {
  const apart = parts.length > 0 ? [allOf(parts.map(renderGroup))] : [];
  return anyOf([
    allOf(terms.map(render)),
    ...apart,
    ...synonyms.map((synonym) => synonymPhrase(synonym, terms[0]?.column ?? null)),
  ]);
}

const render = (term: Term): string => anyOf(phrasesOf(term));

const phrasesOfGroup = ({ terms, synonyms, parts }: TermGroup): SearchPhrase[] => [
  ...terms.flatMap(phrasesOf).map((match) => ({ match, weight: 1 })),
  ...synonyms.map((synonym) => ({
    match: synonymPhrase(synonym, terms[0]?.column ?? null),
    weight: SYNONYM_WEIGHT,
  })),
  ...parts.flatMap(phrasesOfGroup).map(({ match }) => ({ match, weight: SYNONYM_WEIGHT })),
];

const synonymPhrase = ({ text, isPrefix }: Synonym, column: TextColumn | null): string =>
  phraseOf(wordsOf(text).join(' '), column, isPrefix);

const phraseOf = (words: string, column: TextColumn | null, isPrefix: boolean): string =>
  `${column ? `{${column}} : ` : ''}"${words}"${isPrefix ? ' *' : ''}`;

/** The alternative spellings of a term. */
function phrasesOf({ column, words, prefix, phrase }: Term): string[] {
  const spellings = phrase || words.length > 1 ? [words.join(' ')] : variants(words[0] ?? '');
  return spellings.map((spelling) => phraseOf(spelling, column, prefix));
}

/** A word and its other German spelling: the index folds ä to a, so `haemoglobin` also has to find `hamoglobin`. */
function variants(word: string): string[] {
  const folded = word.replace(/ae/gi, 'a').replace(/oe/gi, 'o').replace(/ue/gi, 'u').replace(/ß/g, 'ss');
  return folded === word || folded.length < 4 ? [word] : [word, folded];
}
