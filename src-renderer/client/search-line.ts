import { SEARCH_TERM, SEARCH_WORDS, type SearchWord } from '../../src-shared/contract/search-words.ts';
import { LANGUAGE_FACTS } from '../locales/index.ts';

/** Each word of a language with the word of the API for it. */
const apiWords = (words: Readonly<Record<SearchWord, string>>): [string, string][] =>
  (Object.keys(SEARCH_WORDS) as SearchWord[]).flatMap((key) =>
    words[key].split(' ').map((word): [string, string] => [word, SEARCH_WORDS[key].split(' ')[0] ?? word]),
  );

// A saved search keeps its meaning in every language; of equal words, the English one wins.
const API_WORDS = new Map([
  ...Object.values(LANGUAGE_FACTS).flatMap(({ search_words: words }) => apiWords(words)),
  ...apiWords(SEARCH_WORDS),
]);

/** Translates the prefixes of a typed search line and the word between alternatives to those of the API. */
export const toApiSearch = (line: string): string =>
  line.replace(SEARCH_TERM, (term: string, minus: string | undefined, prefix: string | undefined) => {
    const word = API_WORDS.get(prefix?.toLowerCase() ?? term);
    if (prefix === undefined) return word === SEARCH_WORDS.or ? word : term;
    return word === undefined ? term : `${minus ?? ''}${word}${term.slice((minus ?? '').length + prefix.length)}`;
  });

/** A last word that is being typed: not quoted, not excluded, not ended by a space. */
const LAST_WORD = /(?:^|\s)(?:\p{L}+:)?[\p{L}\p{N}]{2,}$/u;

/** The line for the API while the user types: its last word also finds words that begin with it. */
export function toLiveSearch(line: string): string {
  const translated = toApiSearch(line);
  return LAST_WORD.test(line) && !translated.endsWith(SEARCH_WORDS.or) ? `${translated}*` : translated;
}
