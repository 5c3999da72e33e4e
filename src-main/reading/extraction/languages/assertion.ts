import { findStrength } from '../../../../src-shared/medical/dose.ts';
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

/** "Nicht weiter:" does not say that a medicine is taken on. */
const NEGATIONS = new Set(['nicht', 'not', 'non', 'ne', 'no', 'pas']);

/** The position of the last cue in a text in words; -1 if there is none. */
export function lastOf(cue: Cue, text: string): number {
  const words = foldWords(text);
  const isNegated = (at: number): boolean => cue === 'taken' && NEGATIONS.has(words[at - 1] ?? '');
  return words.findLastIndex((_, at) => !isNegated(at) && PHRASES[cue].some((phrase) => isAt(words, at, phrase)));
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
  startsWith('other_person', text) > 0 && (/^[^,;]{2,40}[:–—-]|\b(?:of|per|für)\b/iu.test(text) || HAS.test(text));
/** "Il padre ha l'epilessia", "Mutter mit Brustkrebs". */
const HAS = new RegExp(
  [
    String.raw`^\S+(?:\s\S+)?\s(?:ha|hanno|aveva|con|a|avait|avec|hat|hatte|mit|has|had|with|died|décédée?|decedut[oa]|`,
    String.raw`verst(?:arb|orben))\s`,
  ].join(''),
  'iu',
);

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

/** "Insulatard gestoppt", "Bisoprolol STOPPED today" */
const MAX_WORDS_OF_STOPPED = 3;
/** Words before the reason why a medicine was stopped. */
const CAUSES = new Set([
  'wegen',
  'aufgrund',
  'bei',
  'nach',
  'because',
  'due',
  'after',
  'pour',
  'suite',
  'per',
  'causa',
]);
const MAX_WORDS_WITH_CAUSE = 8;
/** "Thrombo ASS 50 mg bitte nicht mehr einnehmen!": several words at the end of a line say that it is stopped. */
function endsWithStop(text: string): boolean {
  const words = foldWords(text);
  const isStop = (found: string | undefined): boolean =>
    PHRASES.stopped_after.some(([word, ...more]) => more.length === 0 && word === found);
  if (words.length <= MAX_WORDS_OF_STOPPED && words.length > 1 && (isStop(words[1]) || isStop(words.at(-1))))
    return true;
  // "Simvastatin wegen Muskelschmerzen abgesetzt"
  if (CAUSES.has(words[1] ?? '') && words.length <= MAX_WORDS_WITH_CAUSE && isStop(words.at(-1))) return true;
  return PHRASES.stopped.some(
    (phrase) => phrase.length > 1 && words.length > phrase.length && isAt(words, words.length - phrase.length, phrase),
  );
}

/** "D/C: hydrochlorothiazide"; "D/C medications" are those of the discharge. */
const DISCONTINUED = /^d\/?c['’]?d?\s?:/iu;
/** Whether the last words of a text say the same of what follows them. */
export const endsWithDiscontinued = (text: string): boolean => /(?:^|\s)d\/?c['’]?d?\s?:$/iu.test(text.trim());

/** "Kardégic 75 mg arrêté, remplacé par …": right behind the only strength of a text, it is said to be stopped. */
function isStoppedBehindStrength(text: string): boolean {
  const strength = findStrength(text);
  if (!strength) return false;
  const rest = text.slice(strength.index + strength[0].length).replace(FORM, '');
  return findStrength(rest) === null && startsWith('stopped_after', rest) > 0 && !STOP_ON.test(rest);
}
/** A form between the strength and the word. */
const FORM =
  /^[\s,)]*(?:(?:tabl|tbl|cp|comprim|caps|kaps|gél|compress|tropfen|drops|gouttes|gocce)\p{L}*\.?)?[\s,:]*/iu;
/** "arrêt le 12/05" is the end of a course. */
const STOP_ON = /^(?:stop|arrêt|à arrêter|da sospendere|sospendere)\s.*\d/iu;

/** "…, aktuell pausiert", "… (patient not taking)", "… - derzeit nicht". */
const AT_PRESENT = new RegExp(
  [
    String.raw`^(?:(?:aktuell|derzeit|zurzeit|zur Zeit|momentan|vorübergehend|vorerst|currently|temporarily|presently|`,
    String.raw`now|actuellement|temporairement|attualmente|temporaneamente|patient(?:in)?|pt)\s)+`,
  ].join(''),
  'iu',
);
const NOT_AT_PRESENT = /^(?:nicht|not|pas|non|keine?)[).!]*$/iu;
/** Whether a line says that its medicine is no longer taken: "STOP TAKING: …", "… (abgesetzt)", "… was stopped". */
export const isStopped = (text: string): boolean =>
  startsWith('stopped', text) > 0 ||
  DISCONTINUED.test(text.trim()) ||
  text
    .split(DASH)
    .slice(1)
    .map((part) => part.replace(AT_PRESENT, ''))
    .some((part) => startsWith('stopped_after', part) > 0 || NOT_AT_PRESENT.test(part)) ||
  endsWithStop(text) ||
  isStoppedBehindStrength(text) ||
  wasStopped(text);

/** Whether a line says that its medicine was given then and there: "Given in ED: …", "prophylaxis with …". */
export const isGivenOnce = (text: string): boolean => mentions('given_once', text);
