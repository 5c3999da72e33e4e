import { foldLetters } from '../fold.ts';
import type { PartyRole } from '../languages/party-labels.ts';
import { tokensOf } from '../languages/phrases.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { findDoctors } from './doctor-names.ts';
import { findPartyLabels, type PartyPair } from './parties.ts';

/** Labels whose value is another house: that of the doctor who ordered or receives the document. */
const OTHER_HOUSE = new Set<PartyRole>(['ordering', 'recipient', 'copy', 'referred_to', 'treating']);

/** Whether a segment holds the house of the doctor who ordered or receives the document. */
export const isOtherHouse = (pairs: readonly PartyPair[], { bbox: [x, y, w] }: Segment, page: number): boolean =>
  pairs.some(
    ({ role, how, page: at, place }) =>
      OTHER_HOUSE.has(role) &&
      how !== 'below' &&
      at === page &&
      Math.abs(place.bbox[1] - y) < 0.01 &&
      place.bbox[0] >= x - 0.001 &&
      place.bbox[0] <= x + w,
  );

/** "Auftraggeber" and, in the next column, a practice. */
export function isBesideLabelOfOther(before: Segment | undefined): boolean {
  const tokens = tokensOf(before?.words ?? []),
    [label] = findPartyLabels(tokens);
  return label?.from === 0 && label.to === tokens.length && OTHER_HOUSE.has(label.role);
}

/**
 * Whether a segment is in the recipient's address: "Herr / Frau / An" above it, or a doctor's name in it with a postal
 * code below.
 */
export function isAddressee(page: LayoutPage, line: Line, segment: Segment): boolean {
  const index = page.lines.indexOf(line);
  if (isUnderReturnAddress(page, index, segment) || isAboveGreeting(page, index, segment)) return true;
  // A name with "Mr" in the first lines of the page is the surgeon, not the recipient.
  const nearby = page.lines.slice(Math.max(0, index - 3), index);
  const over = (lines: readonly Line[]): Segment[] =>
    lines.flatMap((l) => l.segments.filter((x) => Math.abs(x.bbox[0] - segment.bbox[0]) < 0.02));
  if (over(nearby).some(({ text }) => DOCTOR_ADDRESSED.test(foldLetters(text)))) return true;
  const above = over(nearby.filter((l) => l.y > 0.1 || l.segments[0]?.words.length === 1));
  return above.some((x) =>
    /^(?:herrn?|frau|an|to|mr|mrs|ms|madame|monsieur|mme|egregi[oa]|gentil\w*|spett\w*|sig\.?(?:ra)?)\b/i.test(
      foldLetters(x.text),
    ),
  );
}

/** In a window envelope, the sender is printed in one small line above the recipient: "Praxis Keller · 8001 Zürich". */
function isUnderReturnAddress(page: LayoutPage, index: number, segment: Segment): boolean {
  const inColumn = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ segments }) =>
      segments.filter(({ bbox }) => Math.abs(bbox[0] - segment.bbox[0]) < 0.02).map(({ text }) => text),
    );
  const [above] = inColumn(page.lines.slice(Math.max(0, index - 2), index)).slice(-2);
  return (
    above !== undefined &&
    RETURN_ADDRESS.test(above) &&
    inColumn(page.lines.slice(index + 1, index + 4)).some((text) => POSTAL_TOWN.test(text))
  );
}
/** A doctor, the practice and its address, and below them "Dear Kim": the house of the reader. */
function isAboveGreeting(page: LayoutPage, index: number, { bbox }: Segment): boolean {
  const inColumn = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ segments }) =>
      segments.filter((one) => Math.abs(one.bbox[0] - bbox[0]) < 0.02).map(({ text }) => text),
    );
  return (
    index > LINES_OF_LETTERHEAD &&
    inColumn(page.lines.slice(index - 1, index)).some((text) => findDoctors(text).length > 0) &&
    inColumn(page.lines.slice(index + 1, index + LINES_TO_GREETING)).some((text) => GREETING.test(text))
  );
}
const LINES_OF_LETTERHEAD = 2;
const LINES_TO_GREETING = 6;
const GREETING = /^(?:dear|sehr geehrte|liebe|cher|chère|egregi|gentil|car[oa]) ?/iu;

const RETURN_ADDRESS = /^\p{L}.{4,60}[·•|,–-]\s(?:\p{L}-)?\d{4,5}\s\p{Lu}\p{L}+/u;
const POSTAL_TOWN = /^(?:\p{L}{1,2}-)?\d{4,5}\s\p{Lu}\p{L}+/u;

/** "Frau Dr. med. …", "An Dr. …": the first line of an address, wherever it is. */
const DOCTOR_ADDRESSED =
  /^(?:an )?(?:herrn?|frau|madame|monsieur|egregi[oa]|gent\.?) (?:pd |prof|dr\b|dott|le doct|la doct)/u;
