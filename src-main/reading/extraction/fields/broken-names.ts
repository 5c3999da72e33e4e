import { tokensOf } from '../languages/phrases.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findDoctors } from './doctor-names.ts';
import { findPartyLabels } from './parties.ts';

/** One word that goes on with a name. */
const REST_OF_NAME = /^\p{Lu}\p{Ll}[\p{L}'’-]+(?:,? \p{Lu}{2,5})?$/u;
/** Parts of a name are at most this far apart, as a fraction of the page width. */
const MAX_GAP_IN_NAME = 0.08;

/**
 * The segments of a line, with names that handwriting or a narrow column has broken put together: "Vanessa" beside
 * "Oduya, DPM", "Dr Angharad" above "Bevan".
 */
export function withWholeNames({ segments }: Line, next: Line | undefined): Segment[] {
  return segments.map((segment, s): Segment => {
    const [x, , width] = segment.bbox;
    const beside = segments[s + 1];
    const wrapped = beside || !next ? null : nameBehindTitle(segment, segments[0], next.segments[0]);
    if (wrapped) return wrapped;
    const under = next?.segments.find(({ bbox }) => Math.abs(bbox[0] - x) < 0.02);
    if (beside && beside.bbox[0] - x - width < MAX_GAP_IN_NAME && isName(segment.text) && isPart(segment, beside))
      return joined(segment, beside);
    if (!under) return segment;
    if (TITLE_ALONE.test(segment.text) && WHOLE_NAME.test(under.text)) return joined(segment, under);
    return /^\P{Ll}*\p{L}{1,4}\.? \p{Lu}\p{Ll}+$/u.test(segment.text) && isPart(segment, under)
      ? joined(segment, under)
      : segment;
  });
}
/** Text that goes on in the next line behind a title: "Sex: F. Médecin: Dr" above "Oscar Brévent. Prélevé le". */
const TITLE_AT_END = /[:.,;(]\s?(?:(?:PD|Prof|Dr|Dott|Drs?|Dre|med|dent|univ)(?:\.|\.? ?ssa)?\s?)+$/u;
const NAME_AT_START =
  /^\p{Lu}\p{Ll}[\p{L}'’-]+(?: (?:(?:von|van|de|di|du|zu) )?\p{Lu}\p{Ll}[\p{L}'’-]+){0,2}(?=[.,;)]|$)/u;

/** The last segment of a line with the name that begins the next one; null if it does not end with a title. */
function nameBehindTitle(last: Segment, first: Segment | undefined, below: Segment | undefined): Segment | null {
  const name = below === undefined ? undefined : NAME_AT_START.exec(below.text)?.[0];
  const isWrapped = first !== undefined && below !== undefined && Math.abs(first.bbox[0] - below.bbox[0]) < 0.02;
  if (name === undefined || !isWrapped || !TITLE_AT_END.test(last.text)) return null;
  return joined(last, { ...below, text: name, words: below.words.slice(0, name.split(' ').length) });
}

/** "Frau Dr. med." above "Annegret Sommerlatte", as in addresses. */
const TITLE_ALONE =
  /^(?:(?:An )?(?:Herrn?|Frau|Madame|Monsieur|Egr\.|Gent\.\S*) )?(?:(?:PD|Prof|Dr|Dott|Drs?|Dre|med|dent|univ)(?:\.|\.? ?ssa)?\s?)+$/u;
const WHOLE_NAME = /^\p{Lu}\p{Ll}[\p{L}'’-]+(?: (?:(?:von|van|de|di|du|zu) )?\p{Lu}\p{Ll}[\p{L}'’-]+){1,2}$/u;
const isName = (text: string): boolean => /^\p{Lu}\p{Ll}[\p{L}'’-]+$/u.test(text);
const joined = (a: Segment, b: Segment): Segment => ({
  ...a,
  text: `${a.text} ${b.text}`,
  words: [...a.words, ...b.words],
});
/** Whether the second segment is one word that makes the first a doctor, or a doctor with a family name. */
function isPart(a: Segment, b: Segment): boolean {
  const [whole] = findDoctors(`${a.text} ${b.text}`);
  const [before] = findDoctors(a.text);
  return (
    REST_OF_NAME.test(b.text) &&
    findDoctors(b.text).length === 0 &&
    findPartyLabels(tokensOf(b.words)).length === 0 &&
    whole !== undefined &&
    whole.name.length > (before?.name.length ?? 0)
  );
}
