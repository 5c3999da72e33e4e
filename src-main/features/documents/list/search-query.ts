import { SEARCH_TERM, SEARCH_WORDS } from '../../../../src-shared/contract/search-words.ts';
import type { TextColumn } from './text-index.ts';

/**
 * The search syntax: words, "a phrase", -without, field:word, word* and OR.
 * Any input becomes a valid FTS5 expression or `null` (nothing to search for); user text appears only inside quotes.
 * Source of the target grammar: SQLite FTS5, section 3 "Full-text Query Syntax".
 */
export interface SearchQuery {
  /** FTS5 MATCH expression. */
  match: string;
  /** The phrases of which a hit has to contain some, each as an expression of its own. */
  phrases: string[];
}

/** The input is not a valid search: only exclusions, or too many words. */
export class SearchSyntaxError extends Error {}

const { or: OR, ...FIELD_WORDS } = SEARCH_WORDS;
/** The column of the text index of each prefix. */
const FIELDS = new Map(
  (Object.entries(FIELD_WORDS satisfies Record<TextColumn, string>) as [TextColumn, string][]).flatMap(
    ([column, words]) => words.split(' ').map((word): [string, TextColumn] => [word, column]),
  ),
);

const MAX_TERMS = 32;

interface Term {
  negative: boolean;
  column: TextColumn | null;
  words: string[];
  prefix: boolean;
  phrase: boolean;
  or: boolean;
}

/** Words as the tokenizer of the index splits them: letters and digits. */
const wordsOf = (text: string): string[] => text.normalize('NFC').match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];

/** Parses a search line; `asYouType` treats the last word as a prefix. @throws SearchSyntaxError */
export function parseSearch(line: string, { asYouType = false }: { asYouType?: boolean } = {}): SearchQuery | null {
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
  if (terms.length === 0) return null;
  const last = terms.at(-1);
  if (asYouType && last && !last.negative && !last.phrase && !/\s$/.test(line)) last.prefix = true;
  const positive = terms.filter((term) => !term.negative);
  if (positive.length === 0) throw new SearchSyntaxError('only exclusions');
  return {
    match: expression(
      positive,
      terms.filter((term) => term.negative),
    ),
    phrases: [...new Set(positive.flatMap(phrasesOf))],
  };
}

function expression(positive: Term[], negative: Term[]): string {
  const groups: string[][] = [];
  for (const term of positive) {
    if (term.or) groups.at(-1)?.push(render(term));
    else groups.push([render(term)]);
  }
  const included = groups.map((group) => (group.length > 1 ? `(${group.join(' OR ')})` : group[0])).join(' AND ');
  return negative.reduce((all, term) => `(${all}) NOT ${render(term)}`, included);
}

function render(term: Term): string {
  const phrases = phrasesOf(term);
  return phrases.length > 1 ? `(${phrases.join(' OR ')})` : (phrases[0] ?? '');
}

/** The alternative spellings of a term. */
function phrasesOf({ column, words, prefix, phrase }: Term): string[] {
  const spellings = phrase || words.length > 1 ? [words.join(' ')] : variants(words[0] ?? '');
  return spellings.map((spelling) => `${column ? `{${column}} : ` : ''}"${spelling}"${prefix ? ' *' : ''}`);
}

/** A word and its other German spelling: the index folds ä to a, so `haemoglobin` also has to find `hamoglobin`. */
function variants(word: string): string[] {
  const folded = word.replace(/ae/gi, 'a').replace(/oe/gi, 'o').replace(/ue/gi, 'u').replace(/ß/g, 'ss');
  return folded === word || folded.length < 4 ? [word] : [word, folded];
}
