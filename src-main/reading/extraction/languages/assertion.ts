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
  'has_been',
  'not_yet',
  'given_once',
  'suspected',
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

/** The position of the last cue in a text in words; -1 if there is none. */
export function lastOf(cue: Cue, text: string): number {
  const words = foldWords(text);
  return words.findLastIndex((_, at) => PHRASES[cue].some((phrase) => isAt(words, at, phrase)));
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

/** Whether a statement is only suspected: "V.a. Pneumonie", "? pneumonia". */
export const isSuspected = (text: string): boolean => /^\W*\?/.test(text) || startsWith('suspected', text) > 0;

/** Whether a statement is about a relative: "Mother: breast cancer". */
export const isOfRelative = (text: string): boolean =>
  startsWith('other_person', text) > 0 && /^[^,;]{2,40}[:–—-]|\b(?:of|per|für)\b/iu.test(text);

/** Most words between "was" and "stopped". */
const WORDS_BEFORE_STOP = 7;

/** Positions behind the cues in a text. */
const endsOf = (cue: Cue, words: readonly string[]): number[] =>
  words.flatMap((_, at) => {
    const phrase = PHRASES[cue].find((candidate) => isAt(words, at, candidate));
    return phrase ? [at + phrase.length] : [];
  });

/** Whether a sentence says that something was stopped: "… wurde wegen Ödemen abgesetzt". */
export function wasStopped(text: string): boolean {
  const words = foldWords(text);
  return endsOf('has_been', words).some((from) => {
    const between = words.slice(from, from + WORDS_BEFORE_STOP + 3);
    const stop = between.findIndex((_, at) => PHRASES.stopped_after.some((phrase) => isAt(between, at, phrase)));
    return stop >= 0 && stop <= WORDS_BEFORE_STOP && endsOf('not_yet', between.slice(0, stop)).length === 0;
  });
}

/** Whether a line says that its medicine is no longer taken: "STOP TAKING: …", "… (abgesetzt)", "… was stopped". */
export const isStopped = (text: string): boolean =>
  startsWith('stopped', text) > 0 ||
  text
    .split(DASH)
    .slice(1)
    .some((part) => startsWith('stopped_after', part) > 0) ||
  wasStopped(text);

/** Whether a line says that its medicine was given then and there: "Given in ED: …", "prophylaxis with …". */
export const isGivenOnce = (text: string): boolean => mentions('given_once', text);
