import { editDistance, foldLetters } from '../fold.ts';

/** Month names and their printed abbreviations in the four languages, folded. */
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'januar', 'janner', 'janvier', 'gennaio', 'jan', 'janv', 'genn', 'gen'],
  ['february', 'februar', 'feber', 'fevrier', 'febbraio', 'feb', 'febr', 'fevr', 'fev', 'febb'],
  ['march', 'marz', 'maerz', 'mars', 'marzo', 'mar', 'mrz'],
  ['april', 'avril', 'aprile', 'apr', 'avr'],
  ['may', 'mai', 'maggio', 'magg', 'mag'],
  ['june', 'juni', 'juin', 'giugno', 'jun', 'giu'],
  ['july', 'juli', 'juillet', 'luglio', 'jul', 'juil', 'lug', 'lugl'],
  ['august', 'aout', 'agosto', 'aug', 'ago'],
  ['september', 'septembre', 'settembre', 'sep', 'sept', 'sett', 'set'],
  ['october', 'oktober', 'octobre', 'ottobre', 'oct', 'okt', 'ott'],
  ['november', 'novembre', 'nov'],
  ['december', 'dezember', 'decembre', 'dicembre', 'dec', 'dez', 'dic'],
];
const BY_NAME = new Map(MONTHS.flatMap((names, i) => names.map((name) => [name, i + 1] as const)));

/**
 * Month 1–12 of a printed name ("Oktober", "janv.", "Märs" as OCR reads it); null for other words. One wrong letter
 * is forgiven in names of five and more.
 */
export function monthOf(name: string): number | null {
  const folded = foldLetters(name).replace(/[^a-z]/g, '');
  const exact = BY_NAME.get(folded);
  if (exact !== undefined) return exact;
  if (folded.length < 5) return null;
  for (const [known, month] of BY_NAME) if (known.length >= 5 && editDistance(known, folded, 1) <= 1) return month;
  return null;
}
