import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import { foldName, foldTerm } from '../../../../src-shared/medical/name-fold.ts';
import { findPeriod, type Period } from './dates.ts';
import { vocabulary, type Cue } from './vocabulary.ts';

export interface Word {
  /** As typed. */
  text: string;
  folded: string;
}

/** A question with what its words tell. */
export interface Question {
  text: string;
  language: CoreLanguage;
  period: Period | null;
  /** All words but those of the period. */
  words: readonly Word[];
  /** Words that may name the subject: without small words and the names of the patient. */
  content: readonly Word[];
  /** Whether it names a relative who is somebody else, as in a question about what runs in the family. */
  isOfRelative: boolean;
  has(...cues: Cue[]): boolean;
}

/** Letters and endings that only German has. */
const GERMAN = /[äöüß]|(?:ung|heit|keit|lich)\b/iu;

/**
 * Reads a question. `names` are the names of the patient, and what the family calls them; `usual` is the language of a
 * question without small words.
 */
export function readQuestion(text: string, names: readonly string[], today: string, usual: CoreLanguage): Question {
  const { period, rest } = findPeriod(text, today);
  const words = wordsOf(rest);
  const { small, cues, kin } = vocabulary();
  const own = new Set(names.flatMap((name) => foldTerm(name).split(' ')).flatMap((name) => [name, `${name}s`]));
  const padded = ` ${words.map(({ folded }) => folded).join(' ')} `;
  return {
    text,
    language: languageOf(text, usual),
    period,
    words,
    content: words.filter(
      ({ folded }) => !small.en.has(folded) && !small.de.has(folded) && !own.has(folded) && !/^\d+$/.test(folded),
    ),
    isOfRelative: words.some(({ folded }) => kin.some((one) => one.words.includes(folded)) && !own.has(folded)),
    has: (...asked) => asked.some((cue) => cues.get(cue)?.test(padded) ?? false),
  };
}

/** `can’t` and `don’t` as words of their own, and nothing of `'s`. */
const expandContractions = (text: string): string =>
  text
    .replace(/['’]s(?!\p{L})/gu, '')
    .replace(
      /\b(ca|do|does|did|is|are|was|were|has|have|had|should|could|would|must)n['’]t(?!\p{L})/giu,
      (_, verb: string) => (verb.toLowerCase() === 'ca' ? 'can not' : `${verb} not`),
    );

/** `Nussallergie` as two words, of which the first may be known under another name. */
const splitAllergies = (text: string): string => text.replace(/(\p{L}{3})(allergien?)(?!\p{L})/giu, '$1 $2');

/** The words of a text. */
export const wordsOf = (text: string): Word[] =>
  (splitAllergies(expandContractions(text)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map((word) => ({ text: word, folded: foldName(word) }))
    .filter(({ folded }) => folded !== '');

function languageOf(text: string, usual: CoreLanguage): CoreLanguage {
  const { small } = vocabulary();
  const words = foldTerm(text).split(' ');
  const english = words.filter((word) => small.en.has(word) && !small.de.has(word)).length;
  const german = words.filter((word) => small.de.has(word) && !small.en.has(word)).length + (GERMAN.test(text) ? 1 : 0);
  if (english === german) return usual;
  return english > german ? 'en' : 'de';
}
