/** Start mark of a hit in search results. */
const HIT_START = '\uE000';
/** Characters before the first hit: enough for context, few enough that narrow columns still show the hit. */
const MAX_LEADING_CHARS = 18;

/** Returns one line of a snippet that starts at a word shortly before the first hit. */
export function lineAround(snippet: string): string {
  const text = snippet.replace(/\s+/g, ' ').trim();
  const hit = text.indexOf(HIT_START);
  if (hit <= MAX_LEADING_CHARS) return text;
  const word = text.indexOf(' ', hit - MAX_LEADING_CHARS) + 1;
  return `…${text.slice(word > 0 && word < hit ? word : hit)}`;
}

/**
 * The text to look for on the pages of a hit: the typed one, or the word that was found instead of it, such as that of
 * another language.
 */
export function textToFind(typed: string, snippet: string | undefined): string {
  const hits = [...(snippet ?? '').matchAll(/\uE000([^\uE001]*)\uE001/gu)].map(([, hit = '']) => hit);
  const words = fold(typed).split(' ');
  const [first] = hits;
  return first === undefined || hits.some((hit) => words.some((word) => fold(hit).startsWith(word))) ? typed : first;
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
