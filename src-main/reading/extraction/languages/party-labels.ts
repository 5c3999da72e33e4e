import { loadWords } from '../../knowledge/words.ts';

/** Roles of a labeled person, organization or number. */
const PARTY_ROLES = [
  'patient',
  'family_name',
  'given_name',
  'sex',
  'relative',
  'ordering',
  'author',
  'surgeon',
  'treating',
  'recipient',
  'copy',
  'referred_to',
  'assistant',
  'facility',
  'specialty',
  'insurer',
  'policy',
  'case',
] as const;
export type PartyRole = (typeof PARTY_ROLES)[number];

/** Labels that introduce a person, an organization or a number. */
export const PARTY_LABELS = loadWords('party-labels', PARTY_ROLES);
