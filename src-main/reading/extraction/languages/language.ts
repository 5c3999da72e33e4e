import { francAll } from 'franc-min';
import { LANGUAGES, type Language } from '../../../../src-shared/medical/page.ts';
import { foldWords } from '../fold.ts';
import { loadWords } from '../../knowledge/words.ts';

const ISO_639_3: Record<Language, string> = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita' };
/** Trigram statistics are unreliable for shorter texts. */
const FRANC_MIN_LETTERS = 300;

const WEIGHTS: Record<Language, Map<string, number>> = {
  en: weigh('en'),
  de: weigh('de'),
  fr: weigh('fr'),
  it: weigh('it'),
};

function weigh(language: Language): Map<string, number> {
  const words = loadWords(`stop-words.${language}`, ['function', 'medical']);
  const weights = new Map<string, number>();
  for (const word of words.function.flatMap(foldWords)) weights.set(word, 1);
  for (const word of words.medical.flatMap(foldWords)) weights.set(word, 2);
  return weights;
}

/**
 * Detects the language to which most words belong, with a confidence 0–1; null if no word is known. A word shared by
 * several languages counts only in part for each, and a repeated word counts little more than once.
 */
export function detectLanguage(text: string): { language: Language; confidence: number } | null {
  const counts = new Map<string, number>();
  for (const word of foldWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const score: Record<Language, number> = { en: 0, de: 0, fr: 0, it: 0 };
  for (const [word, count] of counts) {
    const owners = LANGUAGES.filter((l) => WEIGHTS[l].has(word));
    for (const l of owners) score[l] += ((WEIGHTS[l].get(word) ?? 0) * (1 + Math.log(count))) / owners.length ** 2;
  }
  addLetters(text, score);
  if (text.length >= FRANC_MIN_LETTERS) addTrigrams(text, score);
  const [best, second] = [...LANGUAGES].sort((a, b) => score[b] - score[a]);
  if (!best || score[best] === 0) return null;
  const lead = (score[best] - score[second ?? best]) / score[best];
  return { language: best, confidence: Math.min(1, 0.4 + 0.6 * lead) * Math.min(1, 0.6 + score[best] / 20) };
}

/**
 * Letters and months that are specific to one language are weak evidence where there are few words, because names of
 * people and towns contain them, too.
 */
const OWN_PRINT: Partial<Record<Language, RegExp>> = {
  de: /[äöüß]|(?<!\p{L})(?:januar|februar|juni|juli|oktober|dezember)(?!\p{L})/iu,
  fr: new RegExp(
    [
      String.raw`[çêœ]|[éè](?=\p{L})|(?<!\p{L})(?:janvier|février|mars|avril|juin|juillet|août|septembre|octobre|`,
      String.raw`novembre|décembre)(?!\p{L})`,
    ].join(''),
    'iu',
  ),
  it: new RegExp(
    [
      String.raw`[òùì](?!\p{L})|(?<!\p{L})(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|settembre|ottobre|`,
      String.raw`dicembre)(?!\p{L})`,
    ].join(''),
    'iu',
  ),
};
const MAX_PRINT = 3,
  PRINT_WEIGHT = 0.4;

function addLetters(text: string, score: Record<Language, number>): void {
  const words = [...new Set(text.split(/\s+/))];
  for (const l of LANGUAGES)
    score[l] += PRINT_WEIGHT * Math.min(MAX_PRINT, words.filter((word) => OWN_PRINT[l]?.test(word)).length);
}

function addTrigrams(text: string, score: Record<Language, number>): void {
  const letters = text.replace(/[\d\p{P}\p{S}]+/gu, ' ');
  const total = Math.max(...Object.values(score), 1);
  for (const [code, share] of francAll(letters, { only: Object.values(ISO_639_3) })) {
    for (const l of LANGUAGES) if (ISO_639_3[l] === code) score[l] += (0.3 * total * (share - 0.7)) / 0.3;
  }
}
