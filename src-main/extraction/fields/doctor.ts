import type { DocumentType } from '../../../src-shared/medical/document-type.ts';
import { editDistance, fold, foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { wordRange } from '../layout/words-in-text.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { Found } from '../extraction.ts';
import { findDoctors } from './doctor-names.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';

/** Where a doctor's name stands, when no label says what he does here. */
type Position = 'letterhead' | 'signature' | 'block' | 'prose' | 'salutation';
type Duty = Extract<PartyRole, 'ordering' | 'author' | 'surgeon' | 'treating' | 'recipient' | 'copy' | 'referred_to' | 'assistant'>;

interface Candidate { name: string; family: string; duty: Duty | Position; found: Found<string>; order: number }

/** How much each duty or position speaks for "the doctor of this document". Laboratory: who ordered; letters: who signs. */
const WEIGHTS: Record<'lab' | 'surgery' | 'letter', Record<Duty | Position, number>> = {
  lab: { ordering: 10, author: 5, treating: 6, surgeon: 4, recipient: 4, signature: 3, letterhead: 2.5, block: 5, prose: 1, salutation: 2, copy: 0.5, referred_to: 0.5, assistant: 0.2 },
  surgery: { surgeon: 10, author: 6.5, signature: 6, letterhead: 5, treating: 4, block: 5, ordering: 1.5, prose: 1, recipient: 0.3, salutation: 0.2, copy: 0.2, referred_to: 0.3, assistant: 0.5 },
  letter: { author: 9, signature: 9, letterhead: 7, treating: 6, surgeon: 6, block: 6, ordering: 2, prose: 1, recipient: 0.3, salutation: 0.2, copy: 0.2, referred_to: 0.3, assistant: 0.5 },
};
const DUTIES = new Set<PartyRole>(['ordering', 'author', 'surgeon', 'treating', 'recipient', 'copy', 'referred_to', 'assistant']);
const FAMILY_DOCTOR = /hausarzt|hausarztin|general practitioner|primary care|family (?:doctor|physician)|pcp|medecin (?:traitant|de famille)|medico (?:curante|di (?:base|famiglia|medicina))|mmg/;
const GREETING = /^(?:dear|sehr geehrte|liebe|geschatzte|cher|chere|egregi|gentil|car[oa]\b|madame|monsieur|stimat)/;
const CLOSING = /(?:yours|sincerely|regards|gruss|grusse|salutations|cordialement|cordiali saluti|distinti saluti|in fede)/;

/** The doctor who answers for the document, with title as printed; null when none is named. */
export function readDoctor(layout: Layout, pairs: readonly PartyPair[], type: DocumentType): Found<string> | null {
  const weights = WEIGHTS[type === 'lab_test' ? 'lab' : type === 'surgical_report' ? 'surgery' : 'letter'];
  const candidates = [...titledDoctors(layout), ...untitledDoctors(pairs)];
  const addressed = candidates.filter((c) => c.duty === 'salutation' || c.duty === 'recipient');
  const score = (c: Candidate): number => {
    const same = candidates.filter((o) => sameDoctor(o, c));
    const isAddressee = type !== 'lab_test' && c.duty !== 'signature' && c.duty !== 'author' && addressed.some((a) => sameDoctor(a, c));
    const complete = c.name.split(' ').length > 2 ? 0.5 : 0;
    return (isAddressee ? 0.2 : 1) * Math.max(...same.map((s) => weights[s.duty])) + 0.4 * Math.min(3, same.length - 1) + complete - c.order * 0.001;
  };
  const ranked = candidates.map((c) => ({ c, score: score(c) })).sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || best.score < 0.9) return null;
  const rival = ranked.find((r) => !sameDoctor(r.c, best.c));
  const lead = rival ? Math.min(1, 0.75 + 0.25 * (best.score - rival.score) / best.score) : 1;
  return { ...best.c.found, confidence: best.c.found.confidence * Math.min(1, 0.6 + best.score / 20) * lead };
}

function sameDoctor(a: Candidate, b: Candidate): boolean {
  const x = fold(a.family), y = fold(b.family);
  return x === y || (x.length > 4 && editDistance(x, y, 1) <= 1);
}

function titledDoctors(layout: Layout): Candidate[] {
  const closing = layout.lines.findIndex((line) => CLOSING.test(foldLetters(line.text)) && line.words.length < 9);
  return layout.lines.flatMap((line, i) => line.segments.flatMap((segment, s) => findDoctors(segment.text).map((doctor, n): Candidate => {
    const [first, end] = wordRange(segment.words, doctor.from, doctor.to);
    const words = segment.words.slice(first, end);
    const duty = dutyBefore(segment, first) ?? (first <= 1 && n === 0 ? dutyAround(layout, line, i, s) : null) ?? positionOf(layout, line, i, segment, words.length, closing);
    return { name: doctor.name, family: doctor.family, duty, order: i, found: { value: doctor.name, confidence: 0.97 * confidenceOf(words), place: placeOf(line.page, words) } };
  })));
}

/** The label left of a name in its own segment: "Zuweiser: Dr. …", "electronically signed by Dr. …". */
function dutyBefore(segment: Segment, first: number): Duty | null {
  const before = segment.words.slice(Math.max(0, first - 6), first);
  const tokens = tokensOf(before);
  const label = findPartyLabels(tokens).at(-1);
  if (!label || !DUTIES.has(label.role)) return null;
  const gap = before.length - (tokens[label.to - 1]?.word ?? 0) - 1;
  return gap > 1 ? null : refine(label.role as Duty, tokens.slice(label.from, label.to).map((t) => t.text).join(' '));
}

/** A label alone in the segment to the left, or right above in the same column. */
function dutyAround(layout: Layout, line: Line, index: number, s: number): Duty | null {
  const beside = line.segments[s - 1];
  const own = line.segments[s];
  const above = layout.lines[index - 1];
  const over = above && above.page === line.page && line.y - above.y < 3 * Math.max(line.h, above.h) ? above.segments.find((x) => own && Math.abs(x.bbox[0] - own.bbox[0]) < 0.02) : undefined;
  for (const segment of [beside, over]) {
    if (!segment || segment.words.length > 5 || findDoctors(segment.text).length > 0) continue;
    const tokens = tokensOf(segment.words);
    const label = findPartyLabels(tokens).find((m) => DUTIES.has(m.role));
    if (label && label.from === 0 && label.to >= tokens.length - 1) return refine(label.role as Duty, tokens.map((t) => t.text).join(' '));
  }
  return null;
}

/** The family doctor of a hospital's letter gets it; he did not write it. */
function refine(duty: Duty, label: string): Duty {
  return duty === 'treating' && FAMILY_DOCTOR.test(label) ? 'copy' : duty;
}

function positionOf(layout: Layout, line: Line, index: number, segment: Segment, nameWords: number, closing: number): Position {
  if (GREETING.test(foldLetters(segment.text))) return 'salutation';
  if (segment.words.length > nameWords + 7) return 'prose';
  if (closing >= 0 && index > closing && index <= closing + 8) return 'signature';
  const page = layout.pages.find((p) => p.page === line.page);
  const share = page ? page.lines.indexOf(line) / Math.max(1, page.lines.length) : 0;
  if (page === layout.pages[0] && line.y < 0.14) return 'letterhead';
  return share > 0.72 ? 'signature' : 'block';
}

/** Labelled names without a title: "Ordering physician: Simon Reed". */
function untitledDoctors(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair, order): Candidate[] => {
    if (!DUTIES.has(pair.role) || pair.role === 'recipient' || pair.role === 'referred_to' || findDoctors(pair.text).length > 0) return [];
    const name = /^(?:Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?|Mme|M\.)?\s*(\p{Lu}[\p{L}.'’-]*(?:\s(?:(?:von|van|de|di|du|da|del|della)\s)*\p{Lu}[\p{L}'’-]+){1,3})(?=$|[,;(/]|\s\()/u.exec(pair.text)?.[1];
    if (!name || (!pair.colon && pair.how !== 'below')) return [];
    const family = name.split(' ').at(-1) ?? '';
    return [{ name, family, duty: refine(pair.role as Duty, foldLetters(pair.label)), order: 1000 + order, found: { value: name, confidence: 0.75 * pair.confidence, place: pair.place, label: pair.label } }];
  });
}
