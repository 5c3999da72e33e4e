import { fullName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
import { editDistance, foldLetters, foldWords } from '../fold.ts';
import type { Found, Place } from '../extraction.ts';
import type { ReadDate } from './dates.ts';
import { INSURED } from './patient-print.ts';

/** A name that may be the patient's. */
export interface Candidate {
  name: PersonName;
  score: number;
  place: Place;
  label?: string;
  ocr: number;
}

/** Long words of two names that differ by so many letters may be one word that was misread, short ones by fewer. */
const MAX_SLIPS = 2;
/** A label that says by itself whose page it is has at least this score, and a name beside a birth date this one. */
const SURE_LABEL = 0.8;
const MIN_BESIDE_BIRTH = 0.6;

/**
 * Persons to whom other pages belong: pages that do not name the patient, but somebody else with the label of a patient
 * or with another birth date. Who pays for the patient is none of them.
 */
export function otherPatients(
  patient: Candidate,
  candidates: readonly Candidate[],
  dates: readonly ReadDate[],
): Found<string>[] {
  const births = dates.filter(({ role }) => role === 'birth');
  const pagesOf = (name: PersonName): Set<number> =>
    new Set(candidates.filter((one) => !isSomebodyElse(one.name, name)).map(({ place }) => place.page));
  const own = pagesOf(patient.name);
  const ownBirths = new Set(births.flatMap(({ place, date }) => (own.has(place.page) ? [date] : [])));
  const payers = candidates.filter(({ label }) => label !== undefined && INSURED.test(foldLetters(label)));
  const others = candidates.filter(({ name, place, label, score, ocr }) => {
    if (own.has(place.page) || payers.some((payer) => !isSomebodyElse(payer.name, name))) return false;
    const hasOtherBirth = births.some((birth) => birth.place.page === place.page && !ownBirths.has(birth.date));
    const least = hasOtherBirth && ownBirths.size > 0 ? MIN_BESIDE_BIRTH : SURE_LABEL;
    return score * ocr >= least && (label !== undefined || hasOtherBirth);
  });
  const weakestFirst = others.sort((a, b) => a.score * a.ocr - b.score * b.ocr);
  const ofPages = new Map(weakestFirst.map((one) => [one.place.page, one]));
  return [...new Map([...ofPages.values()].map((one) => [fullName(one.name), one])).values()].map(
    ({ name, score, ocr, place, label }) => ({
      value: fullName(name),
      confidence: score * ocr,
      place,
      ...(label !== undefined && { label }),
    }),
  );
}

/** Whether a name lacks a given name like that of the other: a family name changes, and relatives share it. */
function isSomebodyElse(a: PersonName, b: PersonName): boolean {
  const isLike = (word: string, words: readonly string[]): boolean =>
    words.some((other) => editDistance(word, other, MAX_SLIPS) <= Math.min(MAX_SLIPS, (word.length - 1) / 3));
  const has = (given: string, name: PersonName): boolean =>
    foldWords(given).some((word) => isLike(word, foldWords(fullName(name))));
  return !has(a.given, b) && !has(b.given, a);
}
