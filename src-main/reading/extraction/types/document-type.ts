import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import type { Found } from '../extraction.ts';
import { fold, foldLetters } from '../fold.ts';
import { createPhraseFinder, tokensOf, type PhraseMatch } from '../languages/phrases.ts';
import { placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { TYPE_RULES, type TypeEvidence } from './type-rules.ts';
import {
  OTHER_TITLES,
  REFERRAL_REQUESTS,
  TITLED_TYPES,
  TYPE_SIGNS,
  TYPE_TITLES,
  VISIT_SENTENCES,
  type TitledType,
} from './type-titles.ts';

const findTitles = createPhraseFinder(TYPE_TITLES);
const findSigns = createPhraseFinder(TYPE_SIGNS);
const findOtherTitles = createPhraseFinder({ other: OTHER_TITLES });
const REQUESTS = REFERRAL_REQUESTS.map(fold);
const VISITS = VISIT_SENTENCES.map(fold);

/** Fraction of the first page, from the top, in which a title may be. */
const TITLE_SHARE = 0.45;
/** Maximum number of words after the phrase of a title: "MRT Knie rechts nativ". */
const WORDS_AFTER = 5;
const TITLE_WEIGHT = 5;
const MENTION_WEIGHT = 0.7;
const SIGN_WEIGHT = 0.45;
const MAX_SIGNS = 3;
/** Below this score, the type is unknown. */
const MIN_SCORE = 1.3;
/** Titles that letters of other types contain too: "Rapport", "Consultation", "Thorax". */
const WEAK_TITLES = new Set([
  'bericht',
  'rapport',
  'compte rendu',
  'consultation',
  'certificat',
  'certificato',
  'bescheinigung',
  'attest',
  'rx',
  'thorax',
  'mr',
  'rm',
  'ct',
  'tc',
  'conto',
  'bill',
  'receipt',
  'reçu',
  'sprechstunde',
  'current medication',
  'urgent',
  'relazione',
  'kurzbericht',
  'arztbrief',
  'vorläufiger arztbrief',
  'kurzarztbrief',
  'ärztlicher bericht',
  'medical report',
  'rapport médical',
  'relazione clinica',
  'relazione medica',
  'rapporto medico',
]);
/** Abbreviations of methods that are also codes of countries and states: "Hartford, CT 06103". */
const CODE_OF_PLACE = /,\s*[A-Z]{2}\b|\b[A-Z]{2}\s\d{4,5}\b/;

/** A method with its price is a line of a bill. */
const AMOUNT_OF_MONEY = /^\D{0,5}\d[\d'’. ]*[.,]\d\d\s?(?:€|\p{L}{1,3})?$/u;

const DAY = [
  String.raw`\d{1,4}[./-]\s?(?:\d{1,2}|\p{L}{3,9})[./-]?\s?\d{2,4}|\d{1,2}\.?(?:er)? \p{L}{3,9}\.?,? \d{4}|`,
  String.raw`\p{L}{3,9} \d{1,2},? \d{4}`,
].join('');
const STAY = String.raw`(?:stationar|inpatient|in-patient|hospitalis|hospitaliz|ricover|degenz|admitted|ospedalizz)`;
/** A sentence that describes a hospital stay: "… vom 12.08.20 bis zum 18.08.20 in unserer stationären Behandlung". */
const STAY_SENTENCE = new RegExp(
  [
    String.raw`(?:vom|von|from|du|dal|between|on|le|il) (?:${DAY})[ ,]{1,2}(?:bis|to|au|al|until|till|and|et|`,
    String.raw`e)(?: \p{L}{2,4})? (?:${DAY})[^.;]{0,50}${STAY}|${STAY}[^.;]{0,40} (?:${DAY})[ ,]{1,2}(?:bis|to|au|`,
    String.raw`al|until|till|and|et|e)(?: \p{L}{2,4})? (?:${DAY})`,
  ].join(''),
  'u',
);

/** Whether running text describes a stay with its first and last day. */
export const describesStay = (layout: Layout): boolean =>
  STAY_SENTENCE.test(
    foldLetters(
      layout.lines
        .slice(0, STAY_LINES)
        .map((line) => line.text)
        .join(' ')
        .replace(/\s+/g, ' '),
    ),
  );
/** Such a sentence is within this many lines of the beginning of a letter. */
const STAY_LINES = 45;

interface Title {
  type: TitledType;
  weight: number;
  line: Line;
  segment: Segment;
}

/** Determines the type of a document by its title, otherwise by its words and rows; `other` without evidence. */
export function readDocumentType(layout: Layout, evidence: TypeEvidence): Found<DocumentType> {
  const titles = titlesOf(layout);
  const score = signsOf(layout);
  for (const title of titles) score.set(title.type, (score.get(title.type) ?? 0) + title.weight);
  addEvidence(score, evidence);
  const ranked = [...score].sort(([, a], [, b]) => b - a);
  const [best, second] = ranked;
  const other = otherTitle(layout);
  if (other && !titles.some(({ weight }) => weight > TITLE_WEIGHT / 2 + 1))
    return {
      value: 'other',
      confidence: 0.85,
      place: placeOf(other.line.page, other.segment.words),
      label: other.segment.text,
    };
  if (other && isReferral(layout)) return { value: 'other', confidence: 0.8, place: null, label: other.segment.text };
  if (isReferral(layout) && !titles.some(({ weight }) => weight > TITLE_WEIGHT / 2 + 1))
    return { value: 'other', confidence: 0.75, place: null };
  if (!best || best[1] < MIN_SCORE) return { value: 'other', confidence: best ? 0.6 : 0.75, place: null };
  const [type, top] = best;
  const lead = (top - (second?.[1] ?? 0)) / top;
  const title = titles.find((candidate) => candidate.type === type);
  return {
    value: type,
    confidence: Math.min(0.99, 0.45 + 0.35 * Math.min(1, top / 6) + 0.25 * Math.min(1, lead * 2)),
    place: title ? placeOf(title.line.page, title.segment.words) : null,
    ...(title && { label: title.segment.text }),
  };
}

/** Titles that houses have in their names: "Imagerie médicale des Gardons". */
const NAMED_LIKE_TITLES = new RegExp(
  [
    String.raw`^(?:imagerie medicale|diagnostic imaging|biologie medicale|analyses medicales|analisi cliniche|`,
    String.raw`diagnostica per immagini) \p{L}`,
  ].join(''),
  'u',
);
/** "Röntgeninstitut" is not an examination. */
const HOUSE_IN_WORD = /^\p{L}{4,}(?:institut|praxis|zentrum|klinik|ambulanz|abteilung)(?= |$)/u;

/** Whether a letter says that its writer examined the patient: "I reviewed …", "J’ai vu en consultation …". */
export function describesVisit(layout: Layout): boolean {
  const text = ` ${fold(layout.lines.map((line) => line.text).join(' '))} `;
  return VISITS.some((visit) => text.includes(` ${visit} `));
}

/** Whether a letter without a title asks its reader to see the patient. */
function isReferral(layout: Layout): boolean {
  const text = ` ${fold(layout.lines.map((line) => line.text).join(' '))} `;
  return REQUESTS.some((request) => text.includes(` ${request} `));
}

/** Whether words are the title of a document, not the name of its facility. */
export const isTitle = (text: string): boolean => {
  const folded = foldLetters(text);
  if (NAMED_LIKE_TITLES.test(folded) || HOUSE_IN_WORD.test(folded)) return false;
  const words = text.split(/\s+/).map((word) => ({ text: word, x: 0, y: 0, w: 0, h: 0, confidence: 1 }));
  const match = findTitles(tokensOf(words))[0];
  return match !== undefined && match.from === 0 && words.length - match.to <= 2;
};

function titlesOf(layout: Layout): Title[] {
  const first = layout.pages[0];
  if (!first) return [];
  const found = first.lines.flatMap((line) =>
    line.segments.flatMap((segment): Title[] => {
      const tokens = tokensOf(segment.words);
      // "negative (expected: negative)": what is in brackets is not a title.
      const isInBrackets = ({ from }: PhraseMatch<TitledType>): boolean =>
        segment.words[tokens[from]?.word ?? 0]?.text.startsWith('(') === true;
      const matches = findTitles(tokens).filter((match) => !isInBrackets(match));
      return matches.map((match) => ({
        type: match.role,
        weight: weightOf(segment, line, match, first.lineHeight, tokens.length),
        line,
        segment,
      }));
    }),
  );
  // A title that is printed twice counts once.
  const best = new Map<TitledType, Title>();
  for (const title of found) if ((best.get(title.type)?.weight ?? 0) < title.weight) best.set(title.type, title);
  return [...best.values()];
}

/** A line in the upper part of the page that contains only the name of another kind of document. */
function otherTitle(layout: Layout): { line: Line; segment: Segment } | null {
  for (const line of layout.pages[0]?.lines ?? []) {
    if (line.y >= TITLE_SHARE) break;
    for (const segment of line.segments) {
      const tokens = tokensOf(segment.words),
        [match] = findOtherTitles(tokens);
      const isAlone = match !== undefined && tokens.length - match.to <= 2;
      if (match?.from === 0 && (isAlone || NAME_AND_BIRTH.test(segment.text)) && !segment.text.endsWith(':'))
        return { line, segment };
    }
  }
  return null;
}

/** "Lettre d’adressage : Jean Favre, 25.04.1972". */
const NAME_AND_BIRTH =
  /:\s\p{Lu}[^:]{4,40}\s\(?\*?(?:né(?:e)? le |geb\.? |nat[oa] il |born )?\d{1,2}[./]\d{1,2}[./]\d{4}\)?$/u;

/** "Nachsorge am 27.03.2025: Frau …": the date and what follows are not part of the title. */
function wordsAfter(segment: Segment, match: PhraseMatch<TitledType>, length: number): number {
  if (match.from > 0) return length - match.to;
  const end = segment.text.search(DATE_AFTER_TITLE);
  if (end < 0) return length - match.to;
  return Math.max(0, tokensOf(wordsBefore(segment, end)).length - match.to);
}
const DATE_AFTER_TITLE =
  /\s(?:(?:vom|am|du|le|del|of|on|from|dated)\s)?\d{1,4}\s?[./-]?\s?(?:\d{1,2}|\p{L}{3,9})\.?[./-]?\s?\d{2,4}/u;
const wordsBefore = ({ words }: Segment, end: number): Segment['words'] => {
  let letters = 0;
  return words.filter(({ text }) => {
    letters += text.length + 1;
    return letters <= end + 1;
  });
};

/** "EMERGENCY DEPARTMENT DISCHARGE SUMMARY": a title in capitals may begin with the department. */
const isEndOfTitle = ({ text }: Segment, match: PhraseMatch<TitledType>, length: number): boolean =>
  match.from <= MAX_WORDS_BEFORE && match.to === length && text === text.toUpperCase() && /\p{L}{4}/u.test(text);
const MAX_WORDS_BEFORE = 4;

function weightOf(
  segment: Segment,
  line: Line,
  match: PhraseMatch<TitledType>,
  lineHeight: number,
  length: number,
): number {
  const after = wordsAfter(segment, match, length);
  const isTitleLine =
    (match.from <= 1 || isEndOfTitle(segment, match, length)) &&
    after <= WORDS_AFTER &&
    line.y < TITLE_SHARE &&
    !CODE_OF_PLACE.test(segment.text) &&
    !line.segments.some((other) => other !== segment && AMOUNT_OF_MONEY.test(other.text)) &&
    !/[.;,]$/.test(segment.text);
  if (!isTitleLine) return MENTION_WEIGHT;
  const height = Math.max(...segment.words.map((word) => word.h));
  const large = height > 1.25 * lineHeight ? 1.5 : 0;
  const shouted = segment.text === segment.text.toUpperCase() ? 0.5 : 0;
  const phrase = segment.text
    .toLowerCase()
    .replace(/[^\p{L} ]/gu, '')
    .trim();
  const weak =
    WEAK_TITLES.has(phrase) ||
    (match.to - match.from === 1 && [...WEAK_TITLES].some((name) => phrase.startsWith(`${name} `)));
  return (weak ? TITLE_WEIGHT / 2 : TITLE_WEIGHT) + large + shouted - after * 0.3 - line.y;
}

/** The number of distinct signs of each type; a repeated word is one sign. */
function signsOf(layout: Layout): Map<TitledType, number> {
  const seen = new Map<TitledType, Set<string>>();
  for (const line of layout.lines) {
    const tokens = tokensOf(line.words);
    for (const match of findSigns(tokens)) {
      const signs = seen.get(match.role) ?? new Set<string>();
      signs.add(
        tokens
          .slice(match.from, match.to)
          .map((token) => token.text)
          .join(' '),
      );
      seen.set(match.role, signs);
    }
  }
  return new Map([...seen].map(([type, signs]) => [type, Math.min(MAX_SIGNS, signs.size * SIGN_WEIGHT)]));
}

function addEvidence(score: Map<TitledType, number>, evidence: TypeEvidence): void {
  for (const type of TITLED_TYPES) {
    const points = TYPE_RULES[type].score(evidence);
    if (points !== 0) score.set(type, (score.get(type) ?? 0) + points);
  }
}
