import { fullName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
import { editDistance, foldLetters, foldWords } from '../fold.ts';
import type { Found, KnownPatient, Place } from '../extraction.ts';
import { similarityOfNames } from './known-names.ts';
import type { ReadDate } from './dates.ts';
import { INSURED } from './patient-print.ts';

/** A name that may be the patient's. */
export interface Candidate {
  name: PersonName;
  score: number;
  place: Place;
  label?: string;
  ocr: number;
  /** The name of a household member, found as such. */
  isKnown?: boolean;
  /** The birth date beside the name. */
  born?: string;
}

/** Long words of two names that differ by so many letters may be one word that was misread, short ones by fewer. */
const MAX_SLIPS = 2;
/** A label that says by itself whose page it is has at least this score, and a name beside a birth date this one. */
const SURE_LABEL = 0.8;
const MIN_BESIDE_BIRTH = 0.6;

/** A name this far up on a page, as a fraction of its height, is its head. */
const MAX_HEAD = 0.12;

/**
 * Persons to whom other pages belong, or parts of the patient's own: names with the label of a patient, with another
 * birth date, or of a household member at the head of a page that does not name the patient. Who pays for the patient is
 * none of them.
 */
export function otherPatients(
  patient: Candidate,
  candidates: readonly Candidate[],
  dates: readonly ReadDate[],
  household: readonly KnownPatient[],
): Found<string>[] {
  const births = dates.filter(({ role }) => role === 'birth');
  const pagesOf = (name: PersonName): Set<number> =>
    new Set(candidates.filter((one) => !isSomebodyElse(one.name, name)).map(({ place }) => place.page));
  const own = pagesOf(patient.name);
  const ownBirths = new Set(births.flatMap(({ place, date }) => (own.has(place.page) ? [date] : [])));
  const payers = candidates.filter(({ label }) => label !== undefined && INSURED.test(foldLetters(label)));
  const isPayer = ({ name }: Candidate): boolean => payers.some((payer) => !isSomebodyElse(payer.name, name));
  const others = candidates.filter((one) => {
    const { place, label, score, ocr } = one;
    if (isNamesake(one, patient, candidates, household)) return true;
    if (isPayer(one)) return false;
    if (own.has(place.page)) return isBesidePatient(one, patient, household);
    if (one.isKnown && place.bbox[1] < MAX_HEAD) return true;
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

/** Another person on a page of the patient: in a patient's field of their own, or a household member's birth date. */
function isBesidePatient(one: Candidate, patient: Candidate, household: readonly KnownPatient[]): boolean {
  if (!isSomebodyElse(one.name, patient.name)) return false;
  const isLabelled = one.label !== undefined && OF_PATIENT.test(foldLetters(one.label));
  return (isLabelled && one.score * one.ocr >= SURE_LABEL) || isKnownByBirth(one, household);
}
const OF_PATIENT = /^(?:patient|pazient)/;

const isKnownByBirth = ({ name, born }: Candidate, household: readonly KnownPatient[]): boolean =>
  born !== undefined &&
  household.some(
    ({ display_name, date_of_birth }) => date_of_birth === born && similarityOfNames(fullName(name), display_name) > 0,
  );

/** The same name beside another birth date, as of father and son; in a scan, that of a household member. */
function isNamesake(
  one: Candidate,
  patient: Candidate,
  candidates: readonly Candidate[],
  household: readonly KnownPatient[],
): boolean {
  const isClear = one.born !== undefined && (one.ocr === 1 || isKnownByBirth(one, household));
  if (isSomebodyElse(one.name, patient.name) || !isClear) return false;
  const born = candidates.find((other) => other.born !== undefined && !isSomebodyElse(other.name, patient.name))?.born;
  return born !== undefined && born !== one.born;
}

/** Whether a name lacks a given name like that of the other: a family name changes, and relatives share it. */
function isSomebodyElse(a: PersonName, b: PersonName): boolean {
  const isLike = (word: string, words: readonly string[]): boolean =>
    words.some((other) => editDistance(word, other, MAX_SLIPS) <= Math.min(MAX_SLIPS, (word.length - 1) / 3));
  const has = (given: string, name: PersonName): boolean =>
    foldWords(given).some((word) => isLike(word, foldWords(fullName(name))));
  return !has(a.given, b) && !has(b.given, a);
}
