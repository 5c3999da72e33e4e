import type { SUGGESTION_REASONS } from '../../contract/phone-backups/service.ts';

export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

/**
 * Words found on medical papers and in their names, in the reader's languages; matched at the start of a word, folded.
 */
const WORDS = [
  'befund',
  'arzt',
  'aerzt',
  'praxis',
  'klinik',
  'spital',
  'hospital',
  'labor',
  'rezept',
  'diagnos',
  'ueberweis',
  'uberweis',
  'impf',
  'krank',
  'patient',
  'therap',
  'roentgen',
  'rontgen',
  'mrt',
  'mri',
  'ultraschall',
  'blut',
  'medik',
  'austritt',
  'entlassung',
  'operation',
  'zahnarzt',
  'physio',
  'apothek',
  'versichert',
  'krankenkass',
  'doctor',
  'clinic',
  'medical',
  'prescription',
  'lab result',
  'blood',
  'x-ray',
  'xray',
  'vaccin',
  'discharge',
  'referral',
  'pharmac',
  'radiolog',
  'health',
  'ordonnance',
  'medecin',
  'hopital',
  'analyse',
  'vaccination',
  'radiograph',
  'ricetta',
  'medico',
  'ospedale',
  'referto',
  'esame',
  'vaccin',
  'ambulator',
  'dottor',
];
const SENDERS =
  /(^|[^\p{L}])(dr|dres|prof)\.?\s+\p{L}|(praxis|klinik|clinic|spital|hospital|labor|ospedale|hopital|apotheke|pharmac|radiolog|zahnarzt|physio)/iu;
/** Words of documents that are not medical. */
const UNLIKELY =
  /rechnung_?strom|ticket|boarding|bordkarte|menu|speisekarte|fahrplan|bewerbung|lebenslauf|steuer|manual|anleitung|agb|newsletter/i;

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const FOLDED = WORDS.map(
  (word) => new RegExp(`(^|[^\\p{L}])${fold(word).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u'),
);

/** Counts the different medical words of a text. */
export function medicalWords(text: string | null): number {
  if (text === null || text === '') return 0;
  const folded = fold(text).replaceAll(/[_\-./]/g, ' ');
  return FOLDED.filter((word) => word.test(folded)).length;
}

/** The facts known about a file before it is opened. */
export interface Clues {
  filename: string;
  mime: string;
  origin: 'file' | 'message' | 'whatsapp' | 'note' | 'photo';
  sender: string | null;
  /** The text around it: the message, the note, its albums. */
  text: string | null;
  isScan: boolean;
  /** Share of the picture that looks like printed paper, 0 to 1; null if it was not analyzed. */
  paper: number | null;
}

/**
 * How likely a file is a medical document, and why. Cheap on purpose: a person confirms every one. Below 0.3 it is not worth showing.
 */
export function looksMedical({ filename, mime, origin, sender, text, isScan, paper }: Clues): {
  likelihood: number;
  reasons: SuggestionReason[];
} {
  const reasons: SuggestionReason[] = [];
  let score = 0;
  const add = (points: number, reason: SuggestionReason): void => {
    score += points;
    reasons.push(reason);
  };
  const isPdf = mime === 'application/pdf';
  const inName = medicalWords(filename);
  const inText = medicalWords(text);
  if (isScan) add(0.45, 'scan');
  if (isPdf) add(0.25, 'pdf');
  if (paper !== null && paper >= 0.6) add(0.35, 'picture_of_document');
  if (inName > 0) add(Math.min(0.5, 0.35 + 0.1 * (inName - 1)), 'name');
  if (sender !== null && SENDERS.test(sender)) add(0.35, 'sender');
  if (inText > 0) add(Math.min(0.35, 0.15 + 0.1 * inText), 'text');
  if (origin === 'file' && isPdf && /health|doctolib|medical|klinik/i.test(filename)) add(0.1, 'app');
  if (UNLIKELY.test(filename)) score -= 0.3;
  return { likelihood: Math.max(0, Math.min(1, Math.round(score * 100) / 100)), reasons };
}
