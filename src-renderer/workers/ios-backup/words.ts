/** Marks of a hit, as the service sets them. */
const HIT = '\uE000', HIT_END = '\uE001';
/** Letters kept around a hit. */
const BEFORE = 40, AFTER = 120;

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (q: string): string[] => fold(q).split(/\s+/).filter(Boolean);

/** Every word stands in one of the texts; accents and case do not matter. */
export function includes(texts: readonly (string | null)[], q: string): boolean {
  const folded = texts.map((text) => fold(text ?? ''));
  return wordsOf(q).every((word) => folded.some((text) => text.includes(word)));
}

/** A line around the first word that was found, with every found word marked; null where a word is missing. */
export function foundIn(texts: readonly (string | null)[], q: string): string | null {
  const words = wordsOf(q);
  if (words.length === 0 || !includes(texts, q)) return null;
  const text = (texts.find((each) => each !== null && fold(each).includes(words[0] ?? '')) ?? '').normalize('NFC').replace(/\s+/g, ' ');
  const folded = fold(text);
  // Where folding changed the length (ligatures, other scripts), the line is shown without marks.
  if (folded.length !== text.length) return text.slice(0, BEFORE + AFTER);
  const first = folded.indexOf(words[0] ?? ''), start = Math.max(0, first - BEFORE), end = Math.min(text.length, first + AFTER);
  let line = '';
  for (let at = start; at < end;) {
    const word = words.find((each) => folded.startsWith(each, at));
    line += word === undefined ? text[at] : `${HIT}${text.slice(at, at + word.length)}${HIT_END}`;
    at += word?.length ?? 1;
  }
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}
