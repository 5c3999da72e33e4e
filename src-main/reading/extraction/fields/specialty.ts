import type { Found } from '../extraction.ts';
import { fold } from '../fold.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { PartyPair } from './parties.ts';
import { loadWords } from '../../knowledge/words.ts';

/** Groups of `specialties.tsv`. */
const SPECIALTIES = [
  'cardiology',
  'neurology',
  'dermatology',
  'pneumology',
  'radiology',
  'orthopaedics',
  'gastroenterology',
  'endocrinology',
  'ophthalmology',
  'ent',
  'gynaecology',
  'urology',
  'nephrology',
  'rheumatology',
  'oncology',
  'haematology',
  'psychiatry',
  'paediatrics',
  'surgery',
  'internal medicine',
  'general practice',
  'allergology',
  'angiology',
  'physical medicine',
  'infectious diseases',
  'dentistry',
  'nuclear medicine',
  'anaesthesiology',
  'emergency medicine',
] as const;
const findSpecialties = createPhraseFinder(loadWords('specialties', SPECIALTIES));

/** A specialty is printed in the letterhead, after a label, or under the signature, in a separate segment. */
const HEAD_SHARE = 0.3;

/** The medical specialty that a label, the letterhead or the doctor names, as it is printed; null without one. */
export function readSpecialty(layout: Layout, pairs: readonly PartyPair[]): Found<string> | null {
  const labelled = pairs.find(
    (pair) =>
      pair.role === 'specialty' && pair.text.split(' ').length <= 6 && findSpecialties(tokensOf(pair.words)).length > 0,
  );
  if (labelled)
    return {
      value: labelled.text.replace(/[,;.]+$/, ''),
      confidence: 0.95 * labelled.confidence,
      place: labelled.place,
      label: labelled.label,
    };
  const first = layout.pages[0];
  if (!first) return null;
  const candidates = first.lines.flatMap((line) =>
    line.segments.flatMap((segment) => {
      const tokens = tokensOf(segment.words);
      const match = findSpecialties(tokens)[0];
      if (!match) return [];
      const words = segment.words.slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1);
      const alone = segment.words.length - words.length;
      if (alone > 5 || fold(segment.text).split(' ').length > 8) return [];
      const score =
        (line.y < HEAD_SHARE ? 2 : 0) +
        (alone === 0 ? 2 : 1 / alone) +
        (/facharzt|fachärztin|specialist|spécialiste|consultant|specialista|klinik|department|abteilung|service|reparto/iu.test(
          segment.text,
        )
          ? 1
          : 0) -
        line.y;
      return [{ score, words, page: line.page }];
    }),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best || best.score < 1.2) return null;
  return {
    value: best.words
      .map((word) => word.text)
      .join(' ')
      .replace(/[,;.:]+$/, ''),
    confidence: confidenceOf(best.words) * Math.min(0.95, 0.55 + best.score / 8),
    place: placeOf(best.page, best.words),
  };
}
