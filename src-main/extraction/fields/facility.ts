import type { DocumentType } from '../../../src-shared/medical/document-type.ts';
import { fold, foldLetters } from '../fold.ts';
import { ADDRESS_PRINT, FACILITY_WORDS, INSURER_WORDS, STREET_PRINT } from '../languages/facility-words.ts';
import { confidenceOf, median, placeOf } from '../layout/geometry.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import type { Found } from '../extraction.ts';
import { findDoctors } from './doctor-names.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';
import { tokensOf } from '../languages/phrases.ts';

interface Candidate { value: string; score: number; found: Found<string> }

/** Separators of a letterhead's line; a hyphen counts only with spaces around it, or an OCR'd dot between spaces. */
const SEPARATOR = /\s*[·|•‧∙⋅*■▪]\s*|\s+[-–—:~«»°.]\s+|\s{2,}|,\s+(?=\d|\p{Lu}[\p{L}.]+\s?\d)/u;
const LETTERHEAD_SHARE = 0.24;
const FOOTER_SHARE = 0.9;
const TITLE_OR_FIELD = /^(?:patient|paziente|name|nom|datum|date|data|an|to|dear|sehr|betreff|re|tel)\b/i;

/** The house that issued the document: its letterhead, a label, else the footer. Address, telephone and web are cut off. */
export function readFacility(layout: Layout, pairs: readonly PartyPair[], type: DocumentType, isTitle: (text: string) => boolean): Found<string> | null {
  const first = layout.pages[0];
  if (!first) return null;
  const candidates = [...printedNames(first, type, isTitle), ...labelledNames(pairs)];
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  return best && best.score >= 2 ? { ...best.found, confidence: best.found.confidence * Math.min(1, 0.55 + best.score / 16) } : null;
}

function printedNames(page: LayoutPage, type: DocumentType, isTitle: (text: string) => boolean): Candidate[] {
  const size = median(page.lines.map((l) => l.h)) || 1;
  return page.lines.flatMap((line, index) => {
    const isHead = line.y < LETTERHEAD_SHARE, isFoot = line.y > FOOTER_SHARE;
    if (!isHead && !isFoot) return [];
    return line.segments.flatMap((segment, s) => joinNeighbours(line, s).split(SEPARATOR).slice(0, 3).flatMap((part, p): Candidate[] => {
      const value = cleanName(part);
      if (!value || isTitle(value) || TITLE_OR_FIELD.test(value) || isAddressee(page, line, segment)) return [];
      const words = nameStrength(value, type);
      if (words === 0 && !(isHead && index <= 1 && s === 0 && p === 0)) return [];
      const height = median(segment.words.map((w) => w.h)) / size;
      const score = words + (isHead ? 3 - 10 * line.y : 0.5) + (index === 0 ? 2 : index === 1 ? 1 : 0) + (p === 0 ? 0.5 : 0) + Math.min(2, Math.max(0, height - 1) * 2);
      return [{ value, score, found: { value, confidence: confidenceOf(segment.words), place: placeOf(line.page, segment.words) } }];
    }));
  });
}

/** OCR sometimes tears "St." off "Anne General Hospital": a very short first segment is read with the next one. */
function joinNeighbours(line: Line, s: number): string {
  const own = line.segments[s]?.text ?? '', next = line.segments[s + 1];
  return own.length <= 4 && next && next.bbox[0] - (line.segments[s]?.bbox[0] ?? 0) < 0.06 ? `${own} ${next.text}` : own;
}

/** The receiver's address: "Herr / Frau / An" above it, or a doctor's name in it while a postal code follows. */
function isAddressee(page: LayoutPage, line: Line, segment: Segment): boolean {
  const index = page.lines.indexOf(line);
  const above = page.lines.slice(Math.max(0, index - 3), index).flatMap((l) => l.segments.filter((x) => Math.abs(x.bbox[0] - segment.bbox[0]) < 0.02));
  return above.some((x) => /^(?:herrn?|frau|an|to|mr|mrs|ms|madame|monsieur|mme|egregi[oa]|gentil\w*|spett\w*|sig\.?(?:ra)?)\b/i.test(foldLetters(x.text)));
}

function labelledNames(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'facility' || !pair.colon) return [];
    const value = cleanName(pair.text.split(SEPARATOR)[0] ?? '');
    return value && nameStrength(value, 'other') > 0 ? [{ value, score: 5.5, found: { value, confidence: pair.confidence * 0.9, place: pair.place, label: pair.label } }] : [];
  });
}

/** How sure the words are that this names a house: 0 nothing, 5 a hospital or, for invoices and letters, an insurance. */
function nameStrength(value: string, type: DocumentType): number {
  const folded = ` ${fold(value)}`;
  const words = folded.trim().split(' ').length;
  if (words > 10 || /\d{3}/.test(value)) return 0;
  const has = (list: readonly string[]): boolean => list.some((w) => folded.includes(` ${w}`) || (w.length > 5 && folded.includes(w)));
  if (has(INSURER_WORDS) && type === 'other') return 5;
  if (has(FACILITY_WORDS)) return words === 1 ? 2.5 : 5;
  if (has(INSURER_WORDS)) return 3;
  return findDoctors(value).length > 0 ? 0.6 : 0;
}

/** A name without what follows it in a letterhead; empty when nothing of a name remains. */
function cleanName(part: string): string {
  let name = part.replace(/^[\s«»"'·.,:;|*-]+/, '').trim();
  const label = findPartyLabels(tokensOf([{ text: name.split(' ')[0] ?? '', x: 0, y: 0, w: 0, h: 0, confidence: 1 }]))[0];
  if (label && name.split(' ')[0]?.endsWith(':')) name = name.slice(name.indexOf(' ') + 1);
  for (const print of [ADDRESS_PRINT, STREET_PRINT]) {
    const at = print.exec(name);
    if (at) name = name.slice(0, at.index);
  }
  name = name.replace(/[\s,;:·|(-]+$/, '').trim();
  return name.replace(/\P{L}/gu, '').length >= 4 ? name : '';
}
