import { loadWords } from '../../knowledge/words.ts';
import { editDistance, foldLetters } from '../fold.ts';

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;
const NAMES = loadWords('months', MONTHS);
const BY_NAME = new Map(MONTHS.flatMap((month, i) => NAMES[month].map((name) => [name, i + 1] as const)));

/**
 * Returns the month 1–12 of a printed name ("Oktober", "janv.", "Märs" as OCR reads it); null for other words. In names
 * of five or more letters, one wrong letter is tolerated.
 */
export function monthOf(name: string): number | null {
  const folded = foldLetters(name).replace(/[^a-z]/g, '');
  const exact = BY_NAME.get(folded);
  if (exact !== undefined) return exact;
  if (folded.length < 5) return null;
  for (const [known, month] of BY_NAME) if (known.length >= 5 && editDistance(known, folded, 1) <= 1) return month;
  return null;
}
