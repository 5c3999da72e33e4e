import { loadWords } from '../../knowledge/words.ts';
import { editDistance, fold } from '../fold.ts';

const WORDS = loadWords('lab-words', ['test', 'result', 'lower_bound']);
/** Folded prefixes of tests for which a laboratory prints only the lower reference limit. */
export const LOWER_BOUND_TESTS = WORDS.lower_bound;

const NAMES = new Set(WORDS.test.map(fold));
const LONG_NAMES = [...NAMES].filter((name) => name.length >= 7);
const RESULTS = new Set(WORDS.result.map(fold));

/** Words before or after a name that don't change its meaning: sample, method, sex. */
const DECORATION = new RegExp(
  [
    String.raw`\b(?:s|p|b|u|serum|plasma|im serum|i s|blood|vollblut|urin|urine|nuchtern|fasting|a jeun|a digiuno|`,
    String.raw`total|totale|gesamt|direct|direkt|abs|absolut|absolute|rel|relativ|enzymatisch|hs|ultrasensitiv|`,
    String.raw`calc|berechnet|calcule|calcolato)\b`,
  ].join(''),
  'g',
);

/** The name without these words: `S-Kreatinin (enzym.)` → `kreatinin`. */
const core = (name: string): string =>
  fold(name.replace(/\([^)]*\)/g, ' '))
    .replace(DECORATION, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether a printed name is exactly a test of the word list. */
export const isListedTest = (name: string): boolean => NAMES.has(fold(name));

/** Whether a printed name is a test of the vocabulary, ignoring OCR errors in long names. */
export function isKnownTest(name: string): boolean {
  const whole = fold(name),
    bare = core(name);
  if (NAMES.has(whole) || NAMES.has(bare)) return true;
  const inBrackets = /\(([^)]{2,20})\)/.exec(name)?.[1];
  if (inBrackets && NAMES.has(fold(inBrackets))) return true;
  if (bare.length < 7) return false;
  return LONG_NAMES.some((known) => bare.startsWith(`${known} `) || editDistance(known, bare, 1) <= 1);
}

/** Whether a text is a result in words. */
export const isWordResult = (text: string): boolean => RESULTS.has(fold(text.replace(/[().]/g, '')));
