import type { Suggestion, SUGGESTION_REASONS } from '../../contract/phone-backups/service.ts';

export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

/**
 * Words found in medical documents and their file names, in the languages of the OCR; matched at the start of a word,
 * folded.
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
const SENDERS = new RegExp(
  [
    String.raw`(^|[^\p{L}])(dr|dres|prof)\.?\s+\p{L}`,
    '(praxis|klinik|clinic|spital|hospital|labor|ospedale|hopital|apotheke|pharmac|radiolog|zahnarzt|physio)',
  ].join('|'),
  'iu',
);
/** Words of documents that are not medical. */
const UNLIKELY = new RegExp(
  [
    'rechnung_?strom|ticket|boarding|bordkarte|menu|speisekarte|fahrplan|bewerbung|lebenslauf|steuer|manual',
    'anleitung|agb|newsletter',
  ].join('|'),
  'i',
);

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const patternOf = (word: string): RegExp =>
  new RegExp(`(^|[^\\p{L}])${fold(word).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u');
let patterns: readonly RegExp[] | null = null;

/** Counts the different medical words in a text. */
export function countMedicalWords(text: string | null): number {
  if (text === null || text === '') return 0;
  const folded = fold(text).replaceAll(/[_\-./]/g, ' ');
  return (patterns ??= WORDS.map(patternOf)).filter((word) => word.test(folded)).length;
}

/** The facts known about a file before it is opened. */
export interface Clues {
  filename: string;
  mime: string;
  origin: Suggestion['origin'];
  sender: string | null;
  /** The text around it: the message, the note, its albums. */
  text: string | null;
  isScan: boolean;
  /** How much an image looks like a printed page, 0 to 1; null if it was not classified. */
  documentLikelihood: number | null;
}

/**
 * How likely a file is a medical document, and why. A rough estimate is enough, because the user confirms every
 * suggestion.
 */
export function looksMedical({ filename, mime, origin, sender, text, isScan, documentLikelihood }: Clues): {
  likelihood: number;
  reasons: SuggestionReason[];
} {
  const reasons: SuggestionReason[] = [];
  let score = 0;
  const addPoints = (points: number, reason: SuggestionReason): void => {
    score += points;
    reasons.push(reason);
  };
  const isPdf = mime === 'application/pdf';
  const wordsInName = countMedicalWords(filename);
  const wordsInText = countMedicalWords(text);
  if (isScan) addPoints(0.45, 'scan');
  if (isPdf) addPoints(0.25, 'pdf');
  if (documentLikelihood !== null && documentLikelihood >= 0.6) addPoints(0.35, 'picture_of_document');
  if (wordsInName > 0) addPoints(Math.min(0.5, 0.35 + 0.1 * (wordsInName - 1)), 'name');
  if (sender !== null && SENDERS.test(sender)) addPoints(0.35, 'sender');
  if (wordsInText > 0) addPoints(Math.min(0.35, 0.15 + 0.1 * wordsInText), 'text');
  if (origin === 'file' && isPdf && /health|doctolib|medical|klinik/i.test(filename)) addPoints(0.1, 'app');
  if (UNLIKELY.test(filename)) score -= 0.3;
  return { likelihood: Math.max(0, Math.min(1, Math.round(score * 100) / 100)), reasons };
}
