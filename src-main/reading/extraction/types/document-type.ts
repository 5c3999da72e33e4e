import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import type { Found } from '../extraction.ts';
import { foldLetters } from '../fold.ts';
import { createPhraseFinder, tokensOf, type PhraseMatch } from '../languages/phrases.ts';
import { placeOf } from '../layout/geometry.ts';
import { hasLabHeadings } from '../labs/lab-columns.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { TYPE_RULES, type TypeEvidence } from './type-rules.ts';
import { isFromInsurer, isSettlement } from './sender.ts';
import { isReferral } from './sentences.ts';
import { OTHER_TITLES, TITLED_TYPES, TYPE_SIGNS, TYPE_TITLES, type TitledType } from './type-titles.ts';

const findTitles = createPhraseFinder(TYPE_TITLES);
const findSigns = createPhraseFinder(TYPE_SIGNS);
const findOtherTitles = createPhraseFinder({ other: OTHER_TITLES });

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

interface Title {
  type: TitledType;
  weight: number;
  line: Line;
  segment: Segment;
}

/** Determines the type of a document by its title, otherwise by its words and rows; `other` without evidence. */
export function readDocumentType(layout: Layout, evidence: TypeEvidence): Found<DocumentType> {
  const other = otherTitle(layout);
  // "Aufklärungsbogen Koloskopie" is a form about an examination.
  const titles = titlesOf(layout).filter(({ segment }) => segment !== other?.segment);
  const score = signsOf(layout);
  for (const title of titles) score.set(title.type, (score.get(title.type) ?? 0) + title.weight);
  addEvidence(score, evidence);
  const ranked = [...score].sort(([, a], [, b]) => b - a);
  const [best, second] = ranked;
  if (other && !titles.some(({ weight }) => weight > TITLE_WEIGHT / 2 + 1))
    return {
      value: 'other',
      confidence: 0.85,
      place: placeOf(other.line.page, other.segment.words),
      label: other.segment.text,
    };
  if (other && isReferral(layout)) return { value: 'other', confidence: 0.8, place: null, label: other.segment.text };
  if ((isReferral(layout) || isFromInsurer(layout)) && !titles.some(({ weight }) => weight > TITLE_WEIGHT / 2 + 1))
    return { value: 'other', confidence: 0.75, place: null };
  const settled = titles.find(({ type, segment }) => type === 'invoice' && isSettlement(layout, segment.text));
  if (settled && best?.[0] === 'invoice') {
    const { line, segment } = settled;
    return { value: 'other', confidence: 0.7, place: placeOf(line.page, segment.words), label: segment.text };
  }
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
  const greeting = first.lines.find(({ text }) => GREETING.test(foldLetters(text)));
  const isPassage = (line: Line, { text }: Segment, { role }: PhraseMatch<TitledType>): boolean =>
    greeting !== undefined && line.y > greeting.y && (text.endsWith(':') || PASSAGES_OF_LETTERS.has(role));
  const columnHeadings = new Set(first.lines.filter(hasLabHeadings));
  const found = first.lines.flatMap((line) =>
    line.segments.flatMap((segment): Title[] => {
      const tokens = tokensOf(withJoinedLetters(segment.words));
      // "negative (expected: negative)": what is in brackets is not a title.
      const isInBrackets = ({ from }: PhraseMatch<TitledType>): boolean =>
        segment.words[tokens[from]?.word ?? 0]?.text.startsWith('(') === true;
      const matches = findTitles(tokens).filter(
        (match) =>
          // "Atteso", the heading of a column, is nearly "Attesto".
          (match.role === 'lab_test' || !columnHeadings.has(line)) &&
          !isInBrackets(match) &&
          !isDeniedTitle(segment, match) &&
          !isAddress(segment, match) &&
          !isHouse(segment, match, tokens),
      );
      return matches.map((match) => ({
        type: match.role,
        weight: isPassage(line, segment, match)
          ? MENTION_WEIGHT
          : weightOf(segment, line, match, first.lineHeight, tokens.length),
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

/** Below its greeting, a letter names results and medicines in headings of its own passages. */
const PASSAGES_OF_LETTERS = new Set<TitledType>(['lab_test', 'prescription', 'vaccination']);
const GREETING =
  /^(?:dear |sehr geehrte|liebe[rs]? |geschatzte|cher(?:e|s)? |egregi[oa]|gentil(?:e|issim[oa]) |car[oa] )/u;

/** "Mr Winston Moore" is a person, "MR" an examination. */
const isAddress = ({ words }: Segment, { from }: PhraseMatch<TitledType>): boolean =>
  from === 0 && words[0]?.text.replace('.', '') === 'Mr';

/** "Assiniboine Neurology Clinic" is a house, "Neurology clinic" and "PAEDIATRIC ASTHMA CLINIC" are titles. */
const isHouse = (
  { text, words }: Segment,
  { from, to, role }: PhraseMatch<TitledType>,
  tokens: readonly { text: string; word: number }[],
): boolean =>
  role === 'specialist_report' &&
  from > 0 &&
  to === tokens.length &&
  HOUSE_LAST.test(tokens[to - 1]?.text ?? '') &&
  text !== text.toUpperCase() &&
  words.every((word) => /^(?:\p{Lu}|of$|de$|di$|du$|des$|and$|&$)/u.test(word.text));
const HOUSE_LAST = /^(?:clinic|clinique|clinica|klinik|ambulanz|ambulatorio)$/u;

/** "THIS IS NOT A BILL", "Ceci n’est pas une facture". */
const isDeniedTitle = ({ words, text }: Segment, { from }: PhraseMatch<TitledType>): boolean =>
  DENIAL_AFTER.test(text) ||
  DENIAL.test(
    tokensOf(words)
      .slice(0, from)
      .map(({ text }) => text)
      .join(' '),
  );
/** "Certificat pour l’école non nécessaire." */
const DENIAL_AFTER =
  /(?<!\p{L})(?:non n[ée]cessaire|pas n[ée]cessaire|non necessari[oa]|not (?:needed|required|necessary)|nicht (?:nötig|notwendig|erforderlich))(?!\p{L})/iu;
const DENIAL = /(?:^| )(?:not|no|keine?n?|pas|non)(?: (?:a|an|une?|de|è|e))?$/u;

/** "E C B U" is one word, and "Är z tli che s Att e st" a title in spaced letters. */
const withJoinedLetters = (words: Segment['words']): Segment['words'] => {
  const [first] = words;
  if (first === undefined || words.length <= 2) return words;
  const joined = words.map(({ text }) => text).join('');
  if (words.every(({ text }) => /^\p{Lu}$/u.test(text))) return [{ ...first, text: joined }];
  if (words.length < MIN_SPACED_PARTS || joined.length > MAX_SPACED_LETTERS * words.length) return words;
  const title = SPACED_TITLES.get(foldLetters(joined).replace(/[^a-z]/g, ''));
  return title === undefined ? words : title.split(' ').map((text) => ({ ...first, text }));
};
const MIN_SPACED_PARTS = 4;
/** Of a title in spaced letters, OCR joins a few at a time. */
const MAX_SPACED_LETTERS = 4;
const SPACED_TITLES = new Map(
  Object.values(TYPE_TITLES)
    .flat()
    .map((title) => [foldLetters(title).replace(/[^a-z]/g, ''), title]),
);

/** A line in the upper part of the page that contains only the name of another kind of document. */
function otherTitle(layout: Layout): { line: Line; segment: Segment } | null {
  for (const line of layout.pages[0]?.lines ?? []) {
    if (line.y >= TITLE_SHARE) break;
    for (const segment of line.segments) {
      const tokens = tokensOf(segment.words),
        [match] = findOtherTitles(tokens);
      const isAlone =
        match !== undefined &&
        (tokens.length - match.to <= 2 ||
          /^(?:an|to|for|fur|a|pour|per|al|alla|au|aux)$/.test(tokens[match.to]?.text ?? ''));
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

/**
 * The department may be before a title: "EMERGENCY DEPARTMENT DISCHARGE SUMMARY", "Theatre 2 – OPERATION NOTE",
 * "Emergency Department Discharge Instructions".
 */
const isEndOfTitle = ({ text, words }: Segment, match: PhraseMatch<TitledType>, length: number): boolean =>
  match.from <= MAX_WORDS_BEFORE &&
  match.to === length &&
  /\p{L}{4}/u.test(text) &&
  (text === text.toUpperCase() ||
    /\s[–—-]\s[\p{Lu}\s]{6,}$/u.test(text) ||
    (match.to - match.from > 1 &&
      !NAMED_AFTER_METHODS.has(match.role) &&
      words.every((word) => /^(?:\p{Lu}|of$|de$|di$|und$|and$|et$|&$)/u.test(word.text))));
const MAX_WORDS_BEFORE = 5;
/** "Riverside Diagnostic Imaging" is a house. */
const NAMED_AFTER_METHODS = new Set<TitledType>(['imaging_report', 'lab_test']);

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
    !line.segments.some((other) => other !== segment && (AMOUNT_OF_MONEY.test(other.text) || isResult(other))) &&
    !/[.;,]$/.test(segment.text) &&
    !IS_LABEL_OF_DATE.test(segment.text) &&
    !IS_SENTENCE.test(segment.text);
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

/** "Bericht vom   27.11.2025" */
const IS_LABEL_OF_DATE = /\s(?:vom|du|del|of|dated)$/iu;

/** What an examination showed is printed beside it: "IRM du 30.05.2023   absence de lésion active." */
const isResult = ({ text, words }: Segment): boolean =>
  words.length >= MIN_WORDS_OF_RESULT &&
  (/^\p{Ll}/u.test(text) || words.filter((word) => /^\p{Ll}{2}/u.test(word.text)).length >= MIN_SMALL_WORDS);
const MIN_WORDS_OF_RESULT = 4;
const MIN_SMALL_WORDS = 3;
/** "ward. Chest X-ray: pneumonia excluded": the end of a sentence before it, and a small word behind a sign. */
const IS_SENTENCE = /^\p{Ll}{2,}[.,;]\s|[.:]\s\p{Ll}{4,}\s\p{Ll}{4,}/u;

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
