import { findFrequency } from '../../../../src-shared/medical/directions.ts';
import { findStrength, tidyStrength } from '../../../../src-shared/medical/dose.ts';
import type { PageWord } from '../../../../src-shared/medical/page.ts';
import type { FoundMedication } from '../extraction.ts';
import { endsWithDiscontinued, lastOf, isStopped, mentions, startsWith } from '../languages/assertion.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line } from '../layout/lines.ts';
import type { RowContext } from '../row-context.ts';
import { isBeforeStay, isListHeading } from './medicine-headings.ts';
import { ARTICLE, findMedicineNames, isForm, type KnownMedicine, type MedicineKind } from './medicine-names.ts';

/** A line of at least this many words in one segment is running text. */
const MIN_SENTENCE_WORDS = 8;
/** Strength or frequency must begin within this many words after a name, and end within the second number. */
const NEAR_WORDS = 3,
  WINDOW_WORDS = 14;
const CERTAINTY = 0.75;

export interface MedicineInProse extends FoundMedication {
  /** Whether the sentence gives the medicine another dose. */
  changes: boolean;
  /** Whether it was taken before a stay in hospital. */
  isBefore: boolean;
}

interface Printed {
  word: PageWord;
  line: Line;
}

/**
 * Medicines in running text: a known name with its strength or frequency close behind, not denied or of the past.
 * Sentences that begin with a word of `skipped` are about medicines that are not taken.
 */
export function readMedicinesInProse(
  page: LayoutPage,
  skipped: ReadonlySet<PageWord>,
  ctx: RowContext,
): MedicineInProse[] {
  return sentencesOf(page)
    .filter(([first]) => first === undefined || !skipped.has(first.word))
    .flatMap((sentence) => readSentence(sentence, page, ctx));
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
  const right = Math.max(...page.lines.map(({ bbox }) => bbox[0] + bbox[2]));
  for (const printed of page.lines) {
    const line = withoutLabel(printed);
    const isProse =
      (line.segments.length === 1 && (line.words.length >= MIN_SENTENCE_WORDS || isFullLine(line, right))) ||
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
      if (endsSentence(word.text)) sentences.push(word.text.endsWith(';') ? leadOf(sentences.at(-1) ?? []) : []);
    }
    isRunning = isProse;
    // A line that ends early ends its sentence.
    if (line.bbox[0] + line.bbox[2] < SHORT * right && !/[,;:(–-]$/.test(line.text.trimEnd())) sentences.push([]);
  }
  return sentences.filter((words) => words.length > 2);
}

/** "Stopped: warfarin 5 mg; theophylline 200 mg": what is behind a semicolon is under the same words. */
function leadOf(sentence: readonly Printed[]): Printed[] {
  const colon = sentence.findIndex(({ word }) => word.text.endsWith(':'));
  const lead = sentence.slice(0, colon + 1);
  const text = lead.map(({ word }) => word.text).join(' ');
  return isListHeading(text) || LEADING_CUES.some((cue) => startsWith(cue, text) > 0) ? lead : [];
}
const LEADING_CUES = ['stopped', 'allergy', 'given_once', 'other_person'] as const;

const endsSentence = (word: string): boolean =>
  /\p{L}{2}[.;!?]$|[)\d][.;!?]$/u.test(word) && !/(?:^|\P{L})\p{Lu}\.$/u.test(word) && !ABBREVIATED.test(word);
const ABBREVIATED = new RegExp(
  [
    String.raw`^\(?(?:geb|ca|bzw|dr|prof|med|tgl|tägl|evtl|ggf|resp|inkl|exkl|max|min|vs|mr|mrs|(?:film)?tabl?|caps|`,
    String.raw`kps|kaps|cpr|cps|compr?|amp|supp|susp|inj|wöchentl|std|approx|approssimativamente|sig|fl|gtt|tr|btl|`,
    String.raw`st|usw|etc|u\.a|z\.b|z\.n|d\.h)\.$`,
  ].join(''),
  'iu',
);

/** Whether a line of fewer, longer words reaches the right edge of the text and its sentence goes on. */
const isFullLine = ({ bbox, text, words }: Line, right: number): boolean =>
  words.length >= MIN_WORDS_OF_FULL_LINE && bbox[0] + bbox[2] > FULL * right && !/[.:;]$/.test(text.trimEnd());
const MIN_WORDS_OF_FULL_LINE = 4;
const FULL = 0.85;
const SHORT = 0.7;

/** The text beside a label: "Decorso   Regolare, senza febbre. Profilassi con". */
function withoutLabel(line: Line): Line {
  const [label, text, ...others] = line.segments;
  const isText =
    label &&
    text &&
    others.length === 0 &&
    label.words.length <= 3 &&
    text.words.length >= MIN_WORDS_OF_TEXT &&
    /[.;]\s\p{Lu}/u.test(text.text);
  return isText && findStrength(label.text) === null ? partOf(line, [text]) : line;
}
const MIN_WORDS_OF_TEXT = 6;

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
    const brand = unknownBrandBefore(words, name);
    if (brand !== null) return [{ from: brand, to: name.to, kind: 'brand', inBrackets: name }];
    return [{ ...name, to: inBrackets?.to ?? name.to, inBrackets }];
  });
}

/** "Tresiba (insulin degludec)": a capitalized word before a substance in brackets is its brand. */
function unknownBrandBefore(words: readonly string[], { from, kind }: KnownMedicine): number | null {
  const before = words[from - 1] ?? '';
  const isBrand = kind === 'substance' && words[from]?.startsWith('(') === true && /^\p{Lu}\p{L}{3,}$/u.test(before);
  return isBrand && !isForm(before) ? from - 1 : null;
}

/** The known names, and behind the label of a list those that nobody knows: "Medication: Octasa 1.6 g twice daily". */
function withListedNames(words: readonly string[]): NamedMedicine[] {
  const known = medicinesIn(words);
  const colon = words.findIndex((word) => word.endsWith(':'));
  if (colon < 0 || !isListHeading(words.slice(0, colon + 1).join(' '))) return known;
  const listed = words.flatMap((word, from): NamedMedicine[] => {
    const isFirst = from > colon && /[:;,]$/.test(words[from - 1] ?? '') && /^\p{Lu}[\p{L}\d-]{3,}$/u.test(word);
    const dose = words.slice(from + 1, from + 4).join(' ');
    const isDosed = /^\d/.test(dose) ? findStrength(dose)?.index === 0 : findFrequency(dose)?.index === 0;
    const isKnown = known.some((one) => one.from <= from + 1 && one.to > from);
    return isFirst && isDosed && !isKnown ? [{ from, to: from + 1, kind: 'brand', inBrackets: null }] : [];
  });
  return [...known, ...listed].sort((a, b) => a.from - b.from);
}

function readSentence(sentence: readonly Printed[], page: LayoutPage, ctx: RowContext): MedicineInProse[] {
  const textOf = (first: number, last: number): string =>
    sentence
      .slice(first, last)
      .map(({ word }) => word.text)
      .join(' ');
  const names = withListedNames(sentence.map(({ word }) => word.text));
  return names.flatMap((name, index): MedicineInProse[] => {
    const { from, to, inBrackets } = name;
    const next = names[index + 1]?.from ?? sentence.length;
    const before = textOf(0, from),
      after = directionsIn(textOf(to, Math.min(next, to + WINDOW_WORDS)).replace(AT_A_DOSE, ''));
    const behind = textOf(to, sentence.length);
    if (
      !isTaken(before) ||
      isStopped(textOf(from, next)) ||
      endsStopped(textOf(to, next)) ||
      isGivenThen(behind) ||
      isConsidered(behind)
    )
      return [];
    if (mentions('given_once', textOf(from, to))) return [];
    const dose = changedDose(after),
      strength = findStrength(dose),
      frequency = findFrequency(after);
    const first = Math.min(findStrength(after)?.index ?? Infinity, frequency?.index ?? Infinity);
    if (after.slice(0, first).split(' ').length > NEAR_WORDS + 1 || first === Infinity) return [];
    const words = sentence.slice(from, Math.min(next, to + WINDOW_WORDS)).map(({ word }) => word);
    const line = sentence[from]?.line;
    const printed = (one: KnownMedicine): string =>
      textOf(one.from, one.to)
        .replace(/^\(|[,;:.)]+$/g, '')
        .replace(ARTICLE, '');
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
        dosage: strength ? tidyStrength(strength[0]) : null,
        form: null,
        frequency: frequency?.text.replace(/[.,;]+$/, '') ?? null,
        duration: null,
        quantity: null,
        prescribed_date: ctx.dates(page.page).event,
        isBefore: isBeforeStay(before),
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
/** "ramipril à la dose de 2,5 mg" */
const AT_A_DOSE = /^(?:à (?:la dose|raison) de|at a dose of|in (?:einer|der) dos(?:is|ierung) von|alla dose di)\s/iu;

/** "wurde Hydrochlorothiazid 25 mg pausiert." */
function endsStopped(after: string): boolean {
  if (REPLACED.test(after.trim())) return true;
  const words = after.trim().split(/\s+/);
  return words.length <= MAX_WORDS_TO_STOP && startsWith('stopped_after', words.at(-1) ?? '') > 0;
}
const MAX_WORDS_TO_STOP = 6;
/** "Simvastatin 40 mg was changed to" another one. */
const REPLACED =
  /(?:(?:changed|switched|converted) to|replaced (?:by|with)|remplacée? par|sostituit[oa] con|umgestellt auf)$/iu;

/** "Apixaban sera proposé", "Metformin 500 mg wird erwogen": may be taken one day. */
const isConsidered = (after: string): boolean =>
  REFUSED.test(after) || CONSIDERED.test(after.split(/[.;]\s|,\s(?=\p{Ll})/u)[0] ?? '');
const REFUSED = new RegExp(
  [
    String.raw`(?:(?:il|la) paziente rifiuta|(?:der|die) patient(?:in)? (?:lehnte?|verweigerte?)|`,
    String.raw`qu['’](?:il|elle) (?:a )?refusé?e?|which (?:he|she) (?:declined|refused))(?!\p{L})`,
  ].join(''),
  'iu',
);
const CONSIDERED = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:sera|serait|pourrait être|est) (?:à )?(?:proposée?|envisagée?|discutée?|discuter)|`,
    String.raw`(?:wird|werden|wäre|würde|kann|könnte|wurde) (?:\S+ ){0,4}?(?:erwogen|diskutiert|besprochen|`,
    String.raw`in betracht)|`,
    String.raw`(?:could|may|might|can|would|to) be (?:considered|discussed|tried)|was (?:considered|discussed|`,
    String.raw`declined|`,
    String.raw`offered)|(?:si potrà|si può|potrebbe) |da (?:valutare|considerare|discutere))(?!\p{L})`,
  ].join(''),
  'iu',
);

/** A comma, semicolon or "and" before anything but another medicine's name. */
const OTHER_CLAUSE = new RegExp(
  [
    String.raw`;\s|,\s(?=\p{Ll})|\s(?:and|und|et|e)\s(?=(?:then|now|h(?:as|ave) been|has had|hat|erhielt|wurde|`,
    String.raw`a reçu|ha ricevuto|he|she|is|was|er|sie|nimmt|il|elle|prend)\s)`,
  ].join(''),
  'iu',
);
const GIVEN_NEXT =
  /(?<!\p{L})(?:received|erhielt(?:en)?|a reçu|ont reçu|ha ricevuto|prophylaxis with|profilassi con)(?=\s|$)/iu;

/** Whether nothing before a name in its sentence says that it is not taken; "now on …" takes it back. */
export function isTaken(before: string): boolean {
  // French "son traitement" is not about a son.
  const clause = (before.split(/[,;:]\s/).at(-1) ?? '').replace(
    /(?<!\p{L})son (?=traitement|ordonnance|médecin)/iu,
    '',
  );
  if (
    NEGATED.test(before) ||
    GIVEN_ONCE_BEFORE.test(before) ||
    endsWithDiscontinued(before) ||
    mentions('other_person', clause)
  )
    return false;
  const taken = lastOf('taken', before);
  return NOT_TAKEN.every((cue) => lastOf(cue, before) <= taken);
}

/** "Einmalig Cefazolin 2 g" was given; behind its name, the word says how to take a medicine. */
const GIVEN_ONCE_BEFORE = /(?:^|\s)(?:einmalig|einmal|once only|dose unique de|una dose di)$/iu;
/** Cues before a name in its sentence that say it is not taken now. */
const NOT_TAKEN = ['past', 'allergy', 'stopped', 'given_once'] as const;
const NEGATED = new RegExp(
  [
    String.raw`\b(?:no|not|never|without|denies|allergic to|intolerant (?:of|to)|kein\p{L}*|nicht|ohne|allergisch auf|`,
    String.raw`consider(?:ing|ed)?|offered|declined|refused|avoid|lehnte|refuse|a refusé|rifiuta|erwägen|meiden|`,
    String.raw`envisager|discuter|éviter|valutare|considerare|evitare|`,
    String.raw`pas de|jamais|sans|allergique à|non|mai|senza|allergic[oa] a)\b(?:\s\S+){0,3}$`,
  ].join(''),
  'iu',
);
