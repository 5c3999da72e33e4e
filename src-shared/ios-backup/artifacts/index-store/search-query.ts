import { SearchSyntaxError } from './database.ts';

/**
 * Translates a search to FTS5 syntax and returns its words for highlighting. Words match as prefixes, `"a phrase"`
 * matches exactly and `-word` excludes. Throws `SearchSyntaxError`.
 */
export function parseSearch(query: string): { match: string; words: string[] } {
  const included: string[] = [];
  const excluded: string[] = [];
  const words: string[] = [];
  for (const [, minus, phrase, word] of query.matchAll(/(-?)(?:"([^"]*)"|([^\s"]+))/g)) {
    const text = (phrase ?? word ?? '').replaceAll('"', ' ').trim();
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    const term = `"${text}"${phrase === undefined ? '*' : ''}`;
    if (minus) excluded.push(term);
    else {
      included.push(term);
      words.push(text);
    }
  }
  if (included.length === 0) throw new SearchSyntaxError('The search contains no words.');
  return { match: included.join(' AND ') + excluded.map((term) => ` NOT ${term}`).join(''), words };
}

/** Characters of context before a match, and twice as many after it. */
const CONTEXT_LENGTH = 70;
/** Delimiters of a highlighted match, from the private use area. */
const START = '\uE000';
const END = '\uE001';

const fold = (text: string): string =>
  Array.from(text.normalize('NFC'), (char) =>
    char.length > 1 ? char : (char.normalize('NFD')[0] ?? char).toLowerCase().slice(0, 1),
  ).join('');

/** The text around the first match, with each match between U+E000 and U+E001. */
export function snippetOf(text: string, words: readonly string[]): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\uE000\uE001]/g, '')
    .replaceAll(/\s+/g, ' ');
  const matches = findMatches(plain, words);
  const first = matches[0]?.at ?? 0;
  const from = Math.max(0, first - CONTEXT_LENGTH);
  const to = Math.min(plain.length, first + CONTEXT_LENGTH * 2);
  let snippet = '';
  let at = from;
  for (const match of matches) {
    if (match.at < at || match.end > to) continue;
    snippet += `${plain.slice(at, match.at)}${START}${plain.slice(match.at, match.end)}${END}`;
    at = match.end;
  }
  return `${from > 0 ? '…' : ''}${snippet}${plain.slice(at, to)}${to < plain.length ? '…' : ''}`;
}

/** The first match of each word, in the order of the text. */
function findMatches(text: string, words: readonly string[]): { at: number; end: number }[] {
  const folded = fold(text);
  return words
    .flatMap((word) => {
      const key = fold(word.replaceAll(/\s+/g, ' '));
      const at = key === '' ? -1 : folded.indexOf(key);
      return at < 0 ? [] : [{ at, end: at + key.length }];
    })
    .sort((a, b) => a.at - b.at);
}
