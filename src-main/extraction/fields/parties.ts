import { PARTY_LABELS, type PartyRole } from '../languages/party-labels.ts';
import { createPhraseFinder } from '../languages/phrases.ts';
import { findPairs, type Pair } from '../layout/pairs.ts';
import type { Layout } from '../layout/layout.ts';

export type PartyPair = Pair<PartyRole>;

export const findPartyLabels = createPhraseFinder(PARTY_LABELS);

/** Labelled persons, organisations and numbers of a document. */
export function findParties(layout: Layout): PartyPair[] {
  return findPairs(layout, findPartyLabels);
}
