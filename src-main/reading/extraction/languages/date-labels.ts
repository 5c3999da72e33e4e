import { loadWords } from '../../knowledge/words.ts';

/** Roles of a printed date. `letter` is the plain date of the document; `stay` is an unspecified period. */
const DATE_ROLES = [
  'birth',
  'collected',
  'received',
  'reported',
  'printed',
  'visit',
  'examination',
  'admission',
  'discharge',
  'stay',
  'operation',
  'letter',
  'invoice',
  'treatment',
  'prescription',
  'vaccination',
  'certificate',
  'incapacity',
  'due',
  'validity',
  'follow_up',
  'accident',
  'referral',
  'until',
] as const;
export type DateRole = (typeof DATE_ROLES)[number];

/** Labels that give a date its role. */
export const DATE_LABELS = loadWords('date-labels', DATE_ROLES);

/** Verbs behind a date that give it its role: "am 3. Mai 2024 untersucht". */
export const DATE_VERBS = loadWords('date-verbs', ['visit', 'operation', 'admission', 'discharge']);
