import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import { TYPE_RULES } from '../types/type-rules.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { wordRange } from '../layout/words-in-text.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { Found } from '../extraction.ts';
import { inAddress, isPracticeBelowHouse } from './addressees.ts';
import { withWholeNames } from './broken-names.ts';
import { findDoctors } from './doctor-names.ts';
import { DUTIES, WEIGHTS, type Duty, type Position } from './doctor-weights.ts';
import { fullerName, sameDoctor, withFamilyName } from './doctor-spellings.ts';
import { similarityOfNames } from './known-names.ts';
import { nameStrength } from './facility-names.ts';
import { leadsHouse } from './heads-of-house.ts';
import { isOffice } from './offices.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';
import { therapistIn } from './therapists.ts';

interface Candidate {
  name: string;
  family: string;
  duty: Duty | Position;
  /** Folded words that stated the duty; empty if only the position is known. */ label: string;
  found: Found<string>;
  order: number;
  /** Whether the office beside or below the name is that of who leads the house. */
  isHead?: boolean;
}

const DUTY_ROLES: ReadonlySet<PartyRole> = new Set(DUTIES);
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
  const candidates = [
    ...titledDoctors(layout),
    ...misters(layout, patient),
    ...therapists(layout),
    ...untitledDoctors(pairs),
  ].map((candidate) => ({ ...candidate, duty: refine(candidate, type) }));
  const addressed = candidates.filter((c) => c.duty === 'salutation' || c.duty === 'recipient');
  const score = (c: Candidate): number => {
    const same = candidates.filter((o) => sameDoctor(o, c));
    const isAddressee =
      TYPE_RULES[type].doctor !== 'lab' &&
      c.duty !== 'signature' &&
      c.duty !== 'author' &&
      addressed.some((a) => sameDoctor(a, c));
    // Of those who sign, the head of the house signs what others wrote.
    const isHead =
      same.some((s) => s.isHead === true) && !same.some((s) => s.duty === 'author' && !CLOSING.test(s.label));
    const signsToo = (o: Candidate): boolean =>
      (o.duty === 'signature' || o.duty === 'author') && o.isHead !== true && !same.includes(o);
    const led = TYPE_RULES[type].doctor === 'letter' && isHead && candidates.some(signsToo) ? HEAD_OF_SIGNERS : 1;
    const complete = c.name.split(' ').length > 2 ? 0.5 : 0;
    return (
      led * (isAddressee ? 0.2 : 1) * Math.max(...same.map((s) => weights[s.duty])) +
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
  const { found } = fullerName(withFamilyName(best.c, candidates), candidates);
  return { ...found, confidence: found.confidence * Math.min(1, 0.6 + best.score / 20) * lead };
}

const HEAD_OF_SIGNERS = 0.7;

function titledDoctors(layout: Layout): Candidate[] {
  const closing = closingOf(layout);
  return layout.lines.flatMap((line, i) =>
    withWholeNames(line, layout.lines[i + 1]).flatMap((segment, s) =>
      findDoctors(segment.text).flatMap((doctor, n): Candidate[] => {
        // "The son (Dr. Uwe Lorenz, born 1971) was informed."
        if (BORN.test(segment.text.slice(doctor.to))) return [];
        const [first, end] = wordRange(segment.words, doctor.from, doctor.to);
        const words = segment.words.slice(first, end);
        const labelled =
          dutyAfter(segment, end) ??
          dutyBefore(segment, first) ??
          (first <= 1 && n === 0 ? dutyAround(layout, line, i, s) : null);
        const isAddressed =
          (first === 0 && inAddress(layout, line, i, segment)) ||
          (first === 1 && isSaluted(segment, end)) ||
          isPracticeBelowHouse(layout, line, segment);
        const position = isAddressed ? 'recipient' : positionOf(layout, line, i, segment, words.length, closing);
        // What is printed under a signature is the office of who signs; only heads of houses sign what others write.
        const isOffice = labelled?.duty === 'treating' && position === 'signature' && !IS_HEAD.test(labelled.label);
        const duty = isOffice ? position : (labelled?.duty ?? position);
        return [
          {
            name: doctor.name,
            family: doctor.family,
            duty,
            label: labelled?.label ?? '',
            order: i,
            isHead: leadsHouse(layout, i, segment, { first, end }),
            found: { value: doctor.name, confidence: 0.97 * confidenceOf(words), place: placeOf(line.page, words) },
          },
        ];
      }),
    ),
  );
}

/** Whose day of birth follows is the patient or a relative. */
const BORN = /^,? ?(?:geb(?:oren)?\b|born\b|née?\s|nat[oa]\s)/iu;

const IS_HEAD = /chef|chief|primar|direkt|direct|dirett|leiter|hausarzt|traitant|curante|famil|base|gp/;

/** "Frau Dr. med. Ilse Kornblum" alone in a line is whom the letter is for. */
const isSaluted = ({ words }: Segment, end: number): boolean =>
  end === words.length && /^(?:Herrn?|Frau|Madame|Monsieur|Egr\.?|Gent\.?\S*)$/u.test(words[0]?.text ?? '');

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
  if (!label || !DUTY_ROLES.has(label.role)) return null;
  // "i. A. Dr. med. …" signs; the letter is not "à" before a recipient.
  if (label.role === 'recipient' && /^\p{Lu}\.$/u.test(before[tokens[label.from]?.word ?? 0]?.text ?? '')) return null;
  // "Office visit: 6/11/2025 with Ann Lee, MD"; the next appointment is with somebody else.
  const said = before.map(({ text }) => text).join(' ');
  if (label.role === 'referred_to' && VISIT_WITH.test(said) && !PLANNED.test(said))
    return { duty: 'author', label: 'with' };
  // "Specialty Registrar to Dr …": whom the writer works for.
  if (label.role === 'recipient' && OFFICE_UNDER.test(said)) return { duty: 'copy', label: 'to' };
  const gap = before.length - (tokens[label.to - 1]?.word ?? 0) - 1;
  return gap > 1
    ? null
    : {
        duty: dutyOf(label.role as Duty, tokens[label.from]?.text),
        label: tokens
          .slice(label.from, label.to)
          .map((t) => t.text)
          .join(' '),
      };
}

const VISIT_WITH = /(?<!\p{L})(?:visit|seen|consultation|appointment today)(?!\p{L}).* with$/iu;
const PLANNED = /next|follow|return|schedul|upcoming|planned/iu;
const OFFICE_UNDER = /(?<!\p{L})(?:registrar|fellow|resident|secretary|assistant|SHO|FY\d|ST\d) (?:to|for)$/iu;

/** "Consultant: Dr …" names who is in charge; below a signature, the word says who signs. */
const dutyOf = (role: Duty, label: string | undefined): Duty =>
  role === 'author' && /^consultants?$/.test(label ?? '') ? 'treating' : role;

/** What a doctor did in brackets after the name: "Consultant: Dr Sinéad Mulqueen (requesting)". */
function dutyAfter({ words }: Segment, end: number): Labelled | null {
  const after = words[end]?.text ?? '';
  const last = words.at(-1)?.text ?? '';
  if (end < words.length && WROTE.test(last)) return { duty: 'author', label: foldLetters(last) };
  return /^\((?:requesting|requestor|referrer|referring|einsender|zuweiser|prescripteur|richiedente)/iu.test(after)
    ? { duty: 'ordering', label: foldLetters(after) }
    : null;
}

/** "Dr. med. Lea Muster, Assistenzärztin (Verfasserin)". */
const WROTE = /^\((?:verfasser|author|auteur|rédact|autore|autrice|estensore)\p{L}*\)$/iu;

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
    const label = findPartyLabels(tokens).find((m) => DUTY_ROLES.has(m.role));
    if (segment === under && label?.role === 'recipient') continue;
    // "A. Besençon" is a signature, not "à" before a recipient.
    const isWord = label?.role === 'recipient' && (tokens[label.from]?.text.length ?? 0) < 3;
    if (label && label.from === 0 && label.to >= tokens.length - (segment === under || isWord ? 0 : 1))
      return {
        duty: segment === under ? (label.role as Duty) : dutyOf(label.role as Duty, tokens[0]?.text),
        label: tokens.map((t) => t.text).join(' '),
      };
  }
  return null;
}

/** A family doctor to whom a hospital addresses its letter receives a copy. */
function refine({ duty, label }: Candidate, type: DocumentType): Duty | Position {
  // "Consultation with Dr Brannigan": what a bill names took place.
  if (type === 'invoice' && duty === 'referred_to') return 'treating';
  const isAddressee = TYPE_RULES[type].familyDoctor === 'addressee';
  return duty === 'treating' && isAddressee && FAMILY_DOCTOR.test(label) ? 'copy' : duty;
}

const MISTER =
  /^(?:Mr|Mrs|Ms|Miss)\.? (\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’-]+){1,2})(?=$|,| -| (?:FR|MR|FF|FA)C\p{L}+)/u;

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

/** Therapists sign their reports and bills without a title: "Ciara Nolan MISCP, Chartered Physiotherapist". */
function therapists(layout: Layout): Candidate[] {
  const closing = closingOf(layout);
  return layout.lines.flatMap((line, i) =>
    line.segments.flatMap((segment): Candidate[] => {
      const name = therapistIn(segment.text);
      if (name === null) return [];
      const words = segment.words.slice(0, name.split(' ').length);
      const duty = positionOf(layout, line, i, segment, words.length, closing);
      if (duty !== 'signature' && duty !== 'letterhead') return [];
      const found = { value: name, confidence: 0.85 * confidenceOf(words), place: placeOf(line.page, words) };
      return [{ name, family: name.split(' ').at(-1) ?? '', duty, label: '', order: i, found }];
    }),
  );
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

const SURGEONS = new Set<PartyRole>(['surgeon', 'author', 'treating']);

/** Converts "KOWALSKI" to "Kowalski" and leaves other spellings unchanged. */
const asName = (text: string): string =>
  text === text.toUpperCase()
    ? text.toLowerCase().replace(/(?<![\p{L}'’])\p{L}|(?<=['’])\p{L}/gu, (letter) => letter.toUpperCase())
    : text;

/** Labeled names without a title: "Ordering physician: Simon Reed". */
function untitledDoctors(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair, order): Candidate[] => {
    if (
      !DUTY_ROLES.has(pair.role) ||
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
    if (!name || isOffice(name) || nameStrength(name, 'other') > 0 || (!pair.hasColon && pair.how !== 'below'))
      return [];
    const family = name.split(' ').at(-1) ?? '';
    // British surgeons are called "Mr" and "Miss".
    const title = SURGEONS.has(pair.role) ? /^(?:Mr|Mrs|Miss|Ms)\.?(?=\s)/u.exec(pair.text)?.[0] : undefined;
    const printed = title === undefined ? name : `${title} ${name}`;
    return [
      {
        name: printed,
        family,
        duty: pair.role as Duty,
        label: foldLetters(pair.label),
        order: 1000 + order,
        found: {
          value: printed,
          confidence: 0.75 * pair.confidence,
          place: pair.place,
          label: pair.label,
        },
      },
    ];
  });
}
