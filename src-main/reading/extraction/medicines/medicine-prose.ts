import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findStrength } from '../../../../src-shared/medical/dose.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { FoundMedication } from '../extraction.ts';
import { lastOf, mentions, wasStopped } from '../languages/assertion.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { findMedicineNames, type KnownMedicine, type MedicineKind } from './medicine-names.ts';

/** A line of at least this many words in one segment is running text. */
const MIN_SENTENCE_WORDS = 8;
/** Strength or frequency must begin within this many words after a name, and end within the second number. */
const NEAR_WORDS = 3,
  WINDOW_WORDS = 14;
const CERTAINTY = 0.75;

export interface MedicineInProse extends FoundMedication {
  /** Whether the sentence gives the medicine another dose. */
  changes: boolean;
}

interface Printed {
  word: PageWord;
  line: Line;
}

/** Medicines in running text: a known name with its strength or frequency close behind, not denied or of the past. */
export function readMedicinesInProse(page: LayoutPage, ctx: RowContext): MedicineInProse[] {
  return sentencesOf(page).flatMap((sentence) => readSentence(sentence, page, ctx));
}

/** Whether a line lists several medicines with their strengths: "ramipril 5 mg, aspirin 75 mg". */
export function hasSeveralMedicines({ words }: Line): boolean {
  const texts = words.map(({ text }) => text);
  const names = findMedicineNames(texts);
  const dosed = names.filter(({ to }, index) => {
    const rest = texts.slice(to, names[index + 1]?.from).join(' ');
    return findStrength(rest) !== null && (index === names.length - 1 || /[,;.]|\s(?:und|and|et|e)$/u.test(rest));
  });
  return dosed.length > 1;
}

/** "Plan: increase X to 20 mg" is a sentence, however short. */
export const isChange = ({ text, words }: Line): boolean =>
  CHANGE.test(text) && findMedicineNames(words.map((word) => word.text)).length > 0;

/** The sentences of running text, across lines. */
function sentencesOf(page: LayoutPage): Printed[][] {
  const sentences: Printed[][] = [[]];
  let isRunning = false;
  for (const line of page.lines) {
    const isProse =
      (line.segments.length === 1 && line.words.length >= MIN_SENTENCE_WORDS) ||
      hasSeveralMedicines(line) ||
      isChange(line);
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

interface NamedMedicine extends KnownMedicine {
  /** The other name in brackets after it: "Topamax (Topiramat)". */
  inBrackets: KnownMedicine | null;
}

function medicinesIn(words: readonly string[]): NamedMedicine[] {
  const names = findMedicineNames(words);
  return names.flatMap((name, index): NamedMedicine[] => {
    const [before, next] = [names[index - 1], names[index + 1]];
    if (before?.to === name.from && words[name.from]?.startsWith('(')) return [];
    const inBrackets = next?.from === name.to && words[next.from]?.startsWith('(') ? next : null;
    return [{ ...name, to: inBrackets?.to ?? name.to, inBrackets }];
  });
}

function readSentence(sentence: readonly Printed[], page: LayoutPage, ctx: RowContext): MedicineInProse[] {
  const textOf = (first: number, last: number): string =>
    sentence
      .slice(first, last)
      .map(({ word }) => word.text)
      .join(' ');
  const names = medicinesIn(sentence.map(({ word }) => word.text));
  return names.flatMap((name, index): MedicineInProse[] => {
    const { from, to, inBrackets } = name;
    const next = names[index + 1]?.from ?? sentence.length;
    const before = textOf(0, from),
      after = directionsIn(textOf(to, Math.min(next, to + WINDOW_WORDS)));
    if (!isTaken(before) || wasStopped(textOf(to, next)) || isGivenThen(textOf(to, sentence.length))) return [];
    const dose = changedDose(after),
      strength = findStrength(dose),
      frequency = findFrequency(after);
    const first = Math.min(findStrength(after)?.index ?? Infinity, frequency?.index ?? Infinity);
    if (after.slice(0, first).split(' ').length > NEAR_WORDS + 1 || first === Infinity) return [];
    const words = sentence.slice(from, Math.min(next, to + WINDOW_WORDS)).map(({ word }) => word);
    const line = sentence[from]?.line;
    const printed = (one: KnownMedicine): string => textOf(one.from, one.to).replace(/^\(|[,;:.)]+$/g, '');
    const own = { ...name, to: inBrackets?.from ?? to };
    const both = inBrackets ? [own, inBrackets] : [own];
    const nameOf = (kind: MedicineKind): string | null => {
      const found = both.find((one) => one.kind === kind);
      return found ? printed(found) : null;
    };
    return [
      {
        brand_name: nameOf('brand'),
        active_ingredient_original: nameOf('substance'),
        dosage: strength?.[0] ?? null,
        form: null,
        frequency: frequency?.text.replace(/[.,;]+$/, '') ?? null,
        duration: null,
        quantity: null,
        prescribed_date: ctx.dates(page.page).event,
        changes: changesDose(before, textOf(to, next)),
        confidence: CERTAINTY * confidenceOf(words),
        place: placeOf(
          page.page,
          words.filter((word) => line === undefined || Math.abs(word.y - line.y) < line.h),
        ),
      },
    ];
  });
}

/** What follows a name, up to a comma that begins something else than directions: "20 mg, 1 x täglich". */
function directionsIn(text: string): string {
  const [first = '', ...others] = text.split(/(?<=[,;])\s/);
  let joined = first;
  for (const part of others) {
    if ((findFrequency(part)?.index ?? Infinity) > 2 && (findStrength(part)?.index ?? Infinity) > 0) break;
    joined = `${joined} ${part}`;
  }
  return joined;
}

/** "from 15 mg to 20 mg", "von 5 auf 10 mg": the dose from now on; anything else is unchanged. */
export function changedDose(after: string): string {
  if (!/^(?:from|von|de|da)\s/iu.test(after)) return after;
  const parts = after.split(/(?:^|\s)(?:to|auf|à|a)\s(?=\d)/iu);
  const last = parts.at(-1) ?? '';
  return parts.length > 1 && findStrength(last)?.index === 0 ? last : after;
}

/** Whether a sentence changes the dose of a medicine from now on: "increase X to 20 mg", "X auf 20 mg steigern". */
const changesDose = (before: string, after: string): boolean =>
  TO_DOSE.test(after) && (CHANGE.test(before.split(' ').slice(-4).join(' ')) || CHANGE.test(after));
const TO_DOSE = /^(?:\S+\s){0,4}?(?:to|auf|à|a)\s\d/iu;
/** Infinitives and what was done just now; "was increased" tells of the past. */
const CHANGE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:up-?)?titrate|increase|reduce|decrease|raise|lower|have (?:increased|reduced)|`,
    String.raw`(?:er)?höhen|erhöhung(?: von)?|steigern|steigerung(?: von)?|reduzieren|reduktion von|senken|`,
    String.raw`augmenter|augmentation d[eu]|diminuer|réduire|aumentare|aumentiamo|ridurre|riduciamo)(?!\p{L})`,
  ].join(''),
  'iu',
);

/**
 * Whether what follows a name, up to where its sentence speaks of something else, says that it was given then and
 * there: "2 g and metronidazole 500 mg were administered". "received" and its like are about what comes after them.
 */
function isGivenThen(after: string): boolean {
  const clause = after.split(OTHER_CLAUSE)[0] ?? '';
  const given = lastOf('given_once', clause);
  return given >= 0 && lastOf('taken', clause) < given && !GIVEN_NEXT.test(clause);
}
/** A comma, semicolon or "and" before anything but another medicine's name. */
const OTHER_CLAUSE =
  /;\s|,\s(?=\p{Ll})|\s(?:and|und|et|e)\s(?=(?:then|now|he|she|is|was|er|sie|nimmt|il|elle|prend)\s)/iu;
const GIVEN_NEXT =
  /(?<!\p{L})(?:received|erhielt(?:en)?|a reçu|ont reçu|ha ricevuto|prophylaxis with|profilassi con)(?=\s|$)/iu;

/** Whether nothing before a name in its sentence says that it is not taken; "now on …" takes it back. */
export function isTaken(before: string): boolean {
  const clause = before.split(/[,;:]\s/).at(-1) ?? '';
  if (NEGATED.test(before) || mentions('other_person', clause)) return false;
  const taken = lastOf('taken', before);
  return NOT_TAKEN.every((cue) => lastOf(cue, before) <= taken);
}

/** Cues before a name in its sentence that say it is not taken now. */
const NOT_TAKEN = ['past', 'allergy', 'stopped', 'given_once'] as const;
const NEGATED = new RegExp(
  [
    String.raw`\b(?:no|not|never|without|denies|allergic to|intolerant (?:of|to)|kein\p{L}*|nicht|ohne|allergisch auf|`,
    String.raw`pas de|jamais|sans|allergique à|non|mai|senza|allergic[oa] a)\b(?:\s\S+){0,3}$`,
  ].join(''),
  'iu',
);
