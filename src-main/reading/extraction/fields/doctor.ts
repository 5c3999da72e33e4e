import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { editDistance, fold, foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import { TYPE_RULES } from '../types/type-rules.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { wordRange } from '../layout/words-in-text.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import { STREET_PRINT } from '../languages/facility-words.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { Found } from '../extraction.ts';
import { findDoctors } from './doctor-names.ts';
import { similarityOfNames } from './known-names.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';

/** Position of a doctor's name without a label that says what the doctor did. */
type Position = 'letterhead' | 'signature' | 'block' | 'prose' | 'salutation';
type Duty = Extract<
  PartyRole,
  'ordering' | 'author' | 'surgeon' | 'treating' | 'recipient' | 'copy' | 'referred_to' | 'assistant'
>;

interface Candidate {
  name: string;
  family: string;
  duty: Duty | Position;
  /** Folded words that stated the duty; empty if only the position is known. */ label: string;
  found: Found<string>;
  order: number;
}

/**
 * How strongly each duty or position suggests "the doctor of this document": for laboratories the doctor who ordered,
 * for letters the one who signs.
 */
const WEIGHTS: Record<'lab' | 'surgery' | 'letter', Record<Duty | Position, number>> = {
  lab: {
    ordering: 10,
    author: 5,
    treating: 6,
    surgeon: 4,
    recipient: 6.5,
    signature: 3,
    letterhead: 2.5,
    block: 5,
    prose: 1,
    salutation: 2,
    copy: 0.5,
    referred_to: 0.5,
    assistant: 0.2,
  },
  surgery: {
    surgeon: 10,
    author: 6.5,
    signature: 6,
    letterhead: 5,
    treating: 4,
    block: 5,
    ordering: 1.5,
    prose: 1,
    recipient: 0.3,
    salutation: 0.2,
    copy: 0.2,
    referred_to: 0.3,
    assistant: 0.5,
  },
  letter: {
    author: 9.5,
    signature: 9,
    letterhead: 7,
    treating: 6,
    surgeon: 6,
    block: 6,
    ordering: 2,
    prose: 1,
    recipient: 0.3,
    salutation: 0.2,
    copy: 0.2,
    referred_to: 0.3,
    assistant: 0.5,
  },
};
const DUTIES = new Set<PartyRole>([
  'ordering',
  'author',
  'surgeon',
  'treating',
  'recipient',
  'copy',
  'referred_to',
  'assistant',
]);
const FAMILY_DOCTOR = new RegExp(
  [
    String.raw`hausarzt|hausarztin|general practitioner|primary care|\bgp\b|family (?:doctor|physician)|pcp|`,
    String.raw`medecin (?:traitant|de famille)|medico (?:curante|di (?:base|famiglia|medicina))|mmg`,
  ].join(''),
);
const GREETING = /^(?:dear|sehr geehrte|liebe|geschatzte|cher|chere|egregi|gentil|car[oa]\b|madame|monsieur|stimat)/;
const CLOSING =
  /(?:yours|sincerely|regards|gruss|grusse|salutations|cordialement|cordiali saluti|distinti saluti|in fede)/;

/** Returns the doctor responsible for the document, with title as printed; null if none is named. */
export function readDoctor(
  layout: Layout,
  pairs: readonly PartyPair[],
  type: DocumentType,
  patient: string | null,
): Found<string> | null {
  const weights = WEIGHTS[TYPE_RULES[type].doctor];
  const candidates = [...titledDoctors(layout), ...misters(layout, patient), ...untitledDoctors(pairs)].map(
    (candidate) => ({ ...candidate, duty: refine(candidate, type) }),
  );
  const addressed = candidates.filter((c) => c.duty === 'salutation' || c.duty === 'recipient');
  const score = (c: Candidate): number => {
    const same = candidates.filter((o) => sameDoctor(o, c));
    const isAddressee =
      TYPE_RULES[type].doctor !== 'lab' &&
      c.duty !== 'signature' &&
      c.duty !== 'author' &&
      addressed.some((a) => sameDoctor(a, c));
    const complete = c.name.split(' ').length > 2 ? 0.5 : 0;
    return (
      (isAddressee ? 0.2 : 1) * Math.max(...same.map((s) => weights[s.duty])) +
      0.4 * Math.min(3, same.length - 1) +
      complete -
      c.order * 0.001
    );
  };
  const ranked = candidates.map((c) => ({ c, score: score(c) })).sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || best.score < 0.9) return null;
  const rival = ranked.find((r) => !sameDoctor(r.c, best.c));
  const lead = rival ? Math.min(1, 0.75 + (0.25 * (best.score - rival.score)) / best.score) : 1;
  const { found } = fullerName(best.c, candidates);
  return { ...found, confidence: found.confidence * Math.min(1, 0.6 + best.score / 20) * lead };
}

/** "Dr Élise Carrel" for "Drs É. Carrel": the same doctor with a given name instead of its initial. */
function fullerName(best: Candidate, candidates: readonly Candidate[]): Candidate {
  const initial = INITIAL.exec(best.name)?.[1];
  if (initial === undefined) return best;
  const fuller = candidates.find(
    (other) =>
      sameDoctor(other, best) &&
      !INITIAL.test(other.name) &&
      other.name.split(' ').length >= best.name.split(' ').length &&
      other.name.split(' ').some((word) => fold(word).startsWith(fold(initial)) && word.length > 2),
  );
  return fuller ?? best;
}
const INITIAL = /(?:^|\s)(\p{Lu})\.(?=\s)/u;

function sameDoctor(a: Candidate, b: Candidate): boolean {
  const x = fold(a.family),
    y = fold(b.family);
  return x === y || (x.length > 4 && editDistance(x, y, 1) <= 1);
}

function titledDoctors(layout: Layout): Candidate[] {
  const closing = closingOf(layout);
  return layout.lines.flatMap((line, i) =>
    line.segments.flatMap((segment, s) =>
      findDoctors(segment.text).map((doctor, n): Candidate => {
        const [first, end] = wordRange(segment.words, doctor.from, doctor.to);
        const words = segment.words.slice(first, end);
        const labelled = dutyBefore(segment, first) ?? (first <= 1 && n === 0 ? dutyAround(layout, line, i, s) : null);
        const duty =
          labelled?.duty ??
          (first === 0 && inAddress(layout, line, i, segment)
            ? 'recipient'
            : positionOf(layout, line, i, segment, words.length, closing));
        return {
          name: doctor.name,
          family: doctor.family,
          duty,
          label: labelled?.label ?? '',
          order: i,
          found: { value: doctor.name, confidence: 0.97 * confidenceOf(words), place: placeOf(line.page, words) },
        };
      }),
    ),
  );
}

/** Whether left or right edges agree: blocks are aligned on either side. */
const isAligned = (a: Segment, b: Segment): boolean =>
  Math.abs(a.bbox[0] - b.bbox[0]) < 0.02 || Math.abs(a.bbox[0] + a.bbox[2] - b.bbox[0] - b.bbox[2]) < 0.012;

interface Labelled {
  duty: Duty;
  label: string;
}

/** The label left of a name in its own segment: "Zuweiser: Dr. …", "electronically signed by Dr. …". */
function dutyBefore(segment: Segment, first: number): Labelled | null {
  const before = segment.words.slice(Math.max(0, first - 6), first);
  const tokens = tokensOf(before);
  const label = findPartyLabels(tokens).at(-1);
  if (!label || !DUTIES.has(label.role)) return null;
  const gap = before.length - (tokens[label.to - 1]?.word ?? 0) - 1;
  return gap > 1
    ? null
    : {
        duty: label.role as Duty,
        label: tokens
          .slice(label.from, label.to)
          .map((t) => t.text)
          .join(' '),
      };
}

/** A label alone in the segment to the left, directly above in the same column, or directly below a signature. */
function dutyAround(layout: Layout, line: Line, index: number, s: number): Labelled | null {
  const beside = line.segments[s - 1];
  const own = line.segments[s];
  const above = layout.lines[index - 1];
  const over =
    above && above.page === line.page && line.y - above.y < 3 * Math.max(line.h, above.h)
      ? above.segments.find((x) => own && isAligned(x, own))
      : undefined;
  const below = layout.lines[index + 1];
  const under =
    below && below.page === line.page && below.y - line.y < 3 * Math.max(line.h, below.h)
      ? below.segments.find((x) => own && !x.text.includes(':') && isAligned(x, own))
      : undefined;
  for (const segment of [beside, over, under]) {
    if (!segment || segment.words.length > 5 || findDoctors(segment.text).length > 0) continue;
    const tokens = tokensOf(segment.words);
    const label = findPartyLabels(tokens).find((m) => DUTIES.has(m.role));
    if (label && label.from === 0 && label.to >= tokens.length - (segment === under ? 0 : 1))
      return { duty: label.role as Duty, label: tokens.map((t) => t.text).join(' ') };
  }
  return null;
}

/**
 * A hospital addresses its letter to the family doctor, who did not write it. In an invoice, a prescription or a
 * certificate, the family doctor is the one who provided the service.
 */
function refine({ duty, label }: Candidate, type: DocumentType): Duty | Position {
  const actsHimself =
    type === 'invoice' || type === 'prescription' || type === 'medical_certificate' || type === 'vaccination';
  return duty === 'treating' && !actsHimself && FAMILY_DOCTOR.test(label) ? 'copy' : duty;
}

/** "8000 Zürich", "Truro TR1 2XH", "Tucson, AZ 85701". */
const TOWN = /^(?:[A-Z]{1,2}-)?\d{4,5}\s+\p{Lu}|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|,\s*[A-Z]{2}\s+\d{5}\b/u;

const MISTER = /^(?:Mr|Mrs|Ms|Miss)\.? (\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’-]+){1,2})(?=$|,| -)/u;

/**
 * British surgeons are called "Mr" and "Miss". Such a name counts if it is alone in the letterhead or under the letter
 * and is not the patient's.
 */
function misters(layout: Layout, patient: string | null): Candidate[] {
  const closing = closingOf(layout);
  return layout.lines.flatMap((line, i) =>
    line.segments.flatMap((segment, s): Candidate[] => {
      const [printed, name] = MISTER.exec(segment.text) ?? [];
      if (
        !printed ||
        !name ||
        (patient !== null && similarityOfNames(name, patient) > 0) ||
        findDoctors(segment.text).length > 0
      )
        return [];
      const words = segment.words.slice(0, printed.split(' ').length);
      const around = dutyAround(layout, line, i, s);
      const duty = around?.duty ?? positionOf(layout, line, i, segment, words.length, closing);
      if (!around && duty !== 'signature' && duty !== 'letterhead') return [];
      return [
        {
          name: printed,
          family: name.split(' ').at(-1) ?? '',
          duty,
          label: around?.label ?? '',
          order: i,
          found: { value: printed, confidence: 0.85 * confidenceOf(words), place: placeOf(line.page, words) },
        },
      ];
    }),
  );
}

/** Vertical position of the recipient in a window envelope, as fractions of the page height. */
const WINDOW = { from: 0.1, to: 0.42 };
const SALUTATION_ALONE = new RegExp(
  [
    String.raw`^(?:herrn?|frau|mr|mrs|ms|miss|madame|monsieur|mme|m|egr|egregio|gent|gentile|spett|an|to|attn|`,
    String.raw`à)\.?(?: (?:dr|dott|kollegin|kollege)\.?)?$`,
  ].join(''),
  'i',
);

/** Whether a name is above a street or a town with a postal code, outside the letterhead, and so is the addressee. */
function inAddress(layout: Layout, line: Line, index: number, segment: Segment): boolean {
  if (line.page !== 1 || line.y < WINDOW.from || line.y > WINDOW.to || segment.words.length > 7) return false;
  const near = (other: Line | undefined, step: number): Segment | undefined =>
    other && other.page === line.page && Math.abs(other.y - line.y) < 2.4 * step * line.h
      ? other.segments.find((s) => Math.abs(s.bbox[0] - segment.bbox[0]) < 0.02)
      : undefined;
  const under = [1, 2, 3].flatMap((step) => near(layout.lines[index + step], step) ?? []);
  const hasAddress = under.some(({ text }) => STREET_PRINT.test(text)) && under.some(({ text }) => TOWN.test(text));
  if (!hasAddress) return false;
  const over = near(layout.lines[index - 1], 1);
  return over === undefined || SALUTATION_ALONE.test(over.text) || /[·•|–-]/.test(over.text);
}

/** The line of the closing formula, or -1. */
function closingOf(layout: Layout): number {
  return layout.lines.findIndex((line) => CLOSING.test(foldLetters(line.text)) && line.words.length < 9);
}

function positionOf(
  layout: Layout,
  line: Line,
  index: number,
  segment: Segment,
  nameWords: number,
  closing: number,
): Position {
  if (GREETING.test(foldLetters(segment.text))) return 'salutation';
  if (segment.words.length > nameWords + 7) return 'prose';
  if (closing >= 0 && index > closing && index <= closing + 8) return 'signature';
  const page = layout.pages.find((p) => p.page === line.page);
  const share = page ? page.lines.indexOf(line) / Math.max(1, page.lines.length) : 0;
  if (page === layout.pages[0] && line.y < 0.14) return 'letterhead';
  return share > 0.72 ? 'signature' : 'block';
}

const SALUTED_NAME = new RegExp(
  [
    String.raw`^(?:Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?|Mme|M\.)?\s*(\p{Lu}[\p{L}.'’-]*`,
    String.raw`(?:\s(?:(?:von|van|de|di|du|da|del|della)\s)*\p{Lu}[\p{L}'’-]+){1,3})(?=$|[,;(/]|\s\()`,
  ].join(''),
  'u',
);

/** Converts "KOWALSKI" to "Kowalski" and leaves other spellings unchanged. */
const asName = (text: string): string =>
  text === text.toUpperCase()
    ? text.toLowerCase().replace(/(?<![\p{L}'’])\p{L}|(?<=['’])\p{L}/gu, (letter) => letter.toUpperCase())
    : text;

/** Labeled names without a title: "Ordering physician: Simon Reed". */
function untitledDoctors(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair, order): Candidate[] => {
    if (
      !DUTIES.has(pair.role) ||
      pair.role === 'recipient' ||
      pair.role === 'referred_to' ||
      findDoctors(pair.text).length > 0
    )
      return [];
    const inverted = /^(\p{Lu}[\p{L}'’-]+), (\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’-]*\.?)?)$/u.exec(pair.text);
    if (inverted?.[1] && inverted[2] && (pair.hasColon || pair.how === 'below')) {
      const [family, given] = [asName(inverted[1]), asName(inverted[2])];
      return [
        {
          name: `${given} ${family}`,
          family,
          duty: pair.role as Duty,
          label: foldLetters(pair.label),
          order: 1000 + order,
          found: {
            value: `${given} ${family}`,
            confidence: 0.8 * pair.confidence,
            place: pair.place,
            label: pair.label,
          },
        },
      ];
    }
    const name = SALUTED_NAME.exec(pair.text)?.[1];
    if (!name || (!pair.hasColon && pair.how !== 'below')) return [];
    const family = name.split(' ').at(-1) ?? '';
    return [
      {
        name,
        family,
        duty: pair.role as Duty,
        label: foldLetters(pair.label),
        order: 1000 + order,
        found: { value: name, confidence: 0.75 * pair.confidence, place: pair.place, label: pair.label },
      },
    ];
  });
}
