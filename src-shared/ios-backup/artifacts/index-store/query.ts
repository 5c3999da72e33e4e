import { SearchSyntaxError } from './database.ts';

/** A search as FTS5 reads it, and its words for marking. Words are found at their beginning; `"a phrase"` as it is, `-word` not. Throws `SearchSyntaxError`. */
export function matchOf(query: string): { match: string; words: string[] } {
  const wanted: string[] = [];
  const unwanted: string[] = [];
  const words: string[] = [];
  for (const [, minus, phrase, word] of query.matchAll(/(-?)(?:"([^"]*)"|([^\s"]+))/g)) {
    const text = (phrase ?? word ?? '').replaceAll('"', ' ').trim();
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    const term = `"${text}"${phrase === undefined ? '*' : ''}`;
    if (minus) unwanted.push(term);
    else {
      wanted.push(term);
      words.push(text);
    }
  }
  if (wanted.length === 0) throw new SearchSyntaxError('nothing to search for');
  return { match: wanted.join(' AND ') + unwanted.map((term) => ` NOT ${term}`).join(''), words };
}

/** Letters shown around a found word. */
const AROUND = 70;
const START = '\uE000',
  END = '\uE001';
const fold = (text: string): string =>
  Array.from(text.normalize('NFC'), (char) =>
    char.length > 1 ? char : (char.normalize('NFD')[0] ?? char).toLowerCase().slice(0, 1),
  ).join('');

/** What stands around the first of the words, with each of them between U+E000 and U+E001. */
export function snippetOf(text: string, words: readonly string[]): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\uE000\uE001]/g, '')
    .replaceAll(/\s+/g, ' ');
  const folded = fold(plain);
  const places = words
    .flatMap((word) => {
      const key = fold(word.replaceAll(/\s+/g, ' '));
      const at = key === '' ? -1 : folded.indexOf(key);
      return at < 0 ? [] : [{ at, end: at + key.length }];
    })
    .sort((a, b) => a.at - b.at);
  const first = places[0]?.at ?? 0;
  const from = Math.max(0, first - AROUND);
  const to = Math.min(plain.length, first + AROUND * 2);
  let shown = '';
  let at = from;
  for (const place of places) {
    if (place.at < at || place.end > to) continue;
    shown += `${plain.slice(at, place.at)}${START}${plain.slice(place.at, place.end)}${END}`;
    at = place.end;
  }
  return `${from > 0 ? '…' : ''}${shown}${plain.slice(at, to)}${to < plain.length ? '…' : ''}`;
}
