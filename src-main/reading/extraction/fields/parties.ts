import { PARTY_LABELS, type PartyRole } from '../languages/party-labels.ts';
import { DATE_LABELS } from '../languages/date-labels.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { findPairs, type Pair } from '../layout/pairs.ts';
import type { Layout } from '../layout/layout.ts';
import type { Segment } from '../layout/lines.ts';

export type PartyPair = Pair<PartyRole>;

const findDateLabels = createPhraseFinder(DATE_LABELS);

/** "Date of birth" alone: only words of labels, nothing that could be a value. */
function isDateLabel({ words }: Segment): boolean {
  const tokens = tokensOf(words),
    [match] = findDateLabels(tokens);
  return (
    match !== undefined && match.from === 0 && match.to === tokens.length && tokens.some(({ text }) => text.length > 3)
  );
}

export const findPartyLabels = createPhraseFinder(PARTY_LABELS);

/** Labeled persons, organizations and numbers of a document. */
export function findParties(layout: Layout): PartyPair[] {
  return findPairs(layout, findPartyLabels, isDateLabel);
}

/** Whether a value is nothing but another label, as in an empty field of a form: "Patient:  Ext. ref.:  Ward:". */
export function isOnlyLabel({ words }: PartyPair): boolean {
  const tokens = tokensOf(words),
    [match] = findPartyLabels(tokens);
  return match !== undefined && match.from === 0 && match.to === tokens.length;
}
