import { loadWords } from '../../knowledge/words.ts';
import { foldWords } from '../fold.ts';

const CUES = loadWords('assertion-cues', [
  'denied_before',
  'denied_after',
  'other_person',
  'stopped',
  'stopped_after',
  'taken',
  'past',
  'allergy',
]);
export type Cue = keyof typeof CUES;

/** Folded words of each cue, the longest first. */
const PHRASES = Object.fromEntries(
  Object.entries(CUES).map(([cue, list]) => [cue, list.map(foldWords).sort((a, b) => b.length - a.length)]),
) as Record<Cue, string[][]>;

/** Most words that may follow a denial: "excluded on MRI", "ausgeschlossen am 3. Mai". */
const WORDS_AFTER_DENIAL = 4;
const DASH = /\s[–—-]\s|[,;:(]\s?/u;

const isAt = (words: readonly string[], at: number, phrase: readonly string[]): boolean =>
  phrase.every((word, i) => words[at + i] === word);

/** The number of words of the cue at the start of a text; 0 if there is none. */
export function startsWith(cue: Cue, text: string): number {
  const words = foldWords(text);
  return PHRASES[cue].find((phrase) => isAt(words, 0, phrase))?.length ?? 0;
}

/** Whether a text contains a cue. */
export function mentions(cue: Cue, text: string): boolean {
  const words = foldWords(text);
  return PHRASES[cue].some((phrase) => words.some((_, at) => isAt(words, at, phrase)));
}

/**
 * Whether a statement is denied: "No evidence of …" at its start, or "… – excluded on MRI" at its end. A denial inside
 * it belongs to its name: "diabetes without complications".
 */
export function isDenied(text: string): boolean {
  if (startsWith('denied_before', text) > 0) return true;
  const words = foldWords(text);
  if (
    PHRASES.denied_after.some(
      (phrase) => words.length > phrase.length && isAt(words, words.length - phrase.length, phrase),
    )
  )
    return true;
  const parts = text.split(DASH).slice(1);
  return parts.some((part) => startsWith('denied_after', part) > 0 && foldWords(part).length <= 1 + WORDS_AFTER_DENIAL);
}

/** Whether a statement is about a relative: "Mother: breast cancer". */
export const isOfRelative = (text: string): boolean =>
  startsWith('other_person', text) > 0 && /^[^,;]{2,40}[:–—-]|\b(?:of|per|für)\b/iu.test(text);

/** Whether a line says that its medicine is no longer taken: "STOP TAKING: …", "… (abgesetzt)". */
export const isStopped = (text: string): boolean =>
  startsWith('stopped', text) > 0 ||
  text
    .split(DASH)
    .slice(1)
    .some((part) => startsWith('stopped_after', part) > 0);
