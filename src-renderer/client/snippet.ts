/** Begins a hit, as search marks it. */
const HIT = '\uE000';
/** Letters kept before the first hit: enough to recognise the place, few enough that a narrow column still shows the hit. */
const BEFORE = 18;

/** One line out of a snippet that begins shortly before its first hit, at a word. */
export function lineAround(snippet: string): string {
  const text = snippet.replace(/\s+/g, ' ').trim();
  const hit = text.indexOf(HIT);
  if (hit <= BEFORE) return text;
  const word = text.indexOf(' ', hit - BEFORE) + 1;
  return `…${text.slice(word > 0 && word < hit ? word : hit)}`;
}
