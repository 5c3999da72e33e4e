import { findFrequency, findStrength } from '../../../../src-shared/medical/dose.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import { loadEntries } from '../../knowledge/load.ts';
import type { FoundMedication } from '../extraction.ts';
import { fold, foldWords } from '../fold.ts';
import { mentions } from '../languages/assertion.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';

/** A line of at least this many words in one segment is running text. */
const MIN_SENTENCE_WORDS = 8;
/** Strength or frequency must begin within this many words after a name, and end within the second number. */
const NEAR_WORDS = 3,
  WINDOW_WORDS = 9;
const MAX_NAME_WORDS = 3;
const CERTAINTY = 0.75;

let substances: Map<string, 'substance' | 'brand'> | null = null;

/** Substances and brands of the knowledge base by their folded names. */
function dictionary(): Map<string, 'substance' | 'brand'> {
  if (substances) return substances;
  substances = new Map();
  for (const { aliases } of loadEntries('medications'))
    for (const { alias, language, ambiguous } of aliases)
      if (!ambiguous && alias.length >= MIN_NAME_LETTERS)
        substances.set(fold(alias), language === null ? 'brand' : 'substance');
  return substances;
}
/** Shorter names are also words. */
const MIN_NAME_LETTERS = 3;

interface Printed {
  word: PageWord;
  line: Line;
}

/** Medicines in running text: a known name with its strength or frequency close behind, not denied or of the past. */
export function readMedicinesInProse(page: LayoutPage, ctx: RowContext): FoundMedication[] {
  return sentencesOf(page).flatMap((sentence) => readSentence(sentence, page, ctx));
}

/** The sentences of running text, across lines. */
function sentencesOf(page: LayoutPage): Printed[][] {
  const sentences: Printed[][] = [[]];
  let isRunning = false;
  for (const line of page.lines) {
    const isProse = line.segments.length === 1 && line.words.length >= MIN_SENTENCE_WORDS;
    // A sentence ends on a shorter line that follows one of running text.
    if (!isProse && !(isRunning && line.segments.length === 1)) {
      sentences.push([]);
      isRunning = false;
      continue;
    }
    for (const word of line.words) {
      sentences.at(-1)?.push({ word, line });
      if (/\p{L}{2}[.;]$|[)\d][.;]$/u.test(word.text) && !/\p{Lu}\.$/u.test(word.text)) sentences.push([]);
    }
    isRunning = isProse;
  }
  return sentences.filter((words) => words.length > 2);
}

function readSentence(sentence: readonly Printed[], page: LayoutPage, ctx: RowContext): FoundMedication[] {
  const names = namesIn(sentence.map(({ word }) => word.text));
  return names.flatMap(({ from, to, kind }, index): FoundMedication[] => {
    const end = Math.min(names[index + 1]?.from ?? sentence.length, to + WINDOW_WORDS);
    const textOf = (first: number, last: number): string =>
      sentence
        .slice(first, last)
        .map(({ word }) => word.text)
        .join(' ');
    const before = textOf(0, from),
      after = textOf(to, end).split(/[,;]\s/)[0] ?? '';
    if (NOT_TAKEN.some((cue) => mentions(cue, before)) || NEGATED.test(before)) return [];
    const strength = findStrength(after),
      frequency = findFrequency(after);
    const first = Math.min(strength?.index ?? Infinity, frequency?.index ?? Infinity);
    if (after.slice(0, first).split(' ').length > NEAR_WORDS + 1 || first === Infinity) return [];
    const words = sentence.slice(from, end).map(({ word }) => word);
    const name = textOf(from, to).replace(/[,;:.]+$/, '');
    const line = sentence[from]?.line;
    return [
      {
        brand_name: kind === 'brand' ? name : null,
        active_ingredient_original: kind === 'substance' ? name : null,
        dosage: strength?.[0] ?? null,
        form: null,
        frequency: frequency?.text.replace(/[.,;]+$/, '') ?? null,
        duration: null,
        quantity: null,
        prescribed_date: ctx.dates(page.page).event,
        confidence: CERTAINTY * confidenceOf(words),
        place: placeOf(
          page.page,
          words.filter((word) => line === undefined || Math.abs(word.y - line.y) < line.h),
        ),
      },
    ];
  });
}

/** Cues before a name in its sentence that say it is not taken now. */
const NOT_TAKEN = ['past', 'allergy', 'stopped', 'other_person'] as const;
const NEGATED = new RegExp(
  [
    String.raw`\b(?:no|not|never|without|denies|allergic to|intolerant (?:of|to)|kein\p{L}*|nicht|ohne|allergisch auf|`,
    String.raw`pas de|jamais|sans|allergique à|non|mai|senza|allergic[oa] a)\b(?:\s\S+){0,3}$`,
  ].join(''),
  'iu',
);

/** Known names in the words of a sentence, the longest at each place. */
function namesIn(words: readonly string[]): { from: number; to: number; kind: 'substance' | 'brand' }[] {
  const known = dictionary();
  const found: { from: number; to: number; kind: 'substance' | 'brand' }[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let count = MAX_NAME_WORDS; count > 0; count -= 1) {
      const name = foldWords(words.slice(from, from + count).join(' ')).join(' ');
      const kind = words.length >= from + count ? known.get(name) : undefined;
      if (kind === undefined) continue;
      found.push({ from, to: from + count, kind });
      from += count - 1;
      break;
    }
  }
  return found;
}
