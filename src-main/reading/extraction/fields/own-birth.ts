import { fullName } from '../../../../src-shared/medical/person-name.ts';
import { foldLetters } from '../fold.ts';
import type { Place } from '../extraction.ts';
import type { ReadDate } from './dates.ts';
import { similarityOfNames } from './known-names.ts';
import type { PartyPair } from './parties.ts';
import { AFTER_NAME, INSURED, nameIn, withCapitalI } from './patient-print.ts';

/** Names in one line differ by less than this in height, as a fraction of the page. */
const SAME_LINE = 0.008;
/** A birth date farther below a name is not that of who pays. */
const SAME_FIELDS = 0.05;

/**
 * The birth dates that may be the patient's. Where a page names both the patient and somebody else who pays or is
 * insured, a date belongs to the name that is last above it, or the nearest one of a line.
 */
export function ownBirths(pairs: readonly PartyPair[], dates: readonly ReadDate[]): ReadDate[] {
  const births = dates.filter(({ role }) => role === 'birth');
  const named = pairs.flatMap((pair) => {
    const isPayer = pair.role === 'relative' || INSURED.test(foldLetters(pair.label));
    const name = pair.role === 'patient' || isPayer ? nameIn(withCapitalI(pair.text.replace(AFTER_NAME, ''))) : null;
    return name ? [{ name: fullName(name), isPayer, place: pair.place }] : [];
  });
  const patients = named.filter(({ isPayer }) => !isPayer);
  const payers = named.filter(
    ({ isPayer, name }) => isPayer && !patients.some((one) => similarityOfNames(one.name, name) > 0),
  );
  if (patients.length === 0) return births;
  if (payers.length === 0) return birthsOfColumn(births, patients);
  return births.filter(({ place }) => {
    const owner = [...patients, ...payers]
      .filter((one) => one.place.page === place.page && topOf(one.place) <= topOf(place) + SAME_LINE)
      .sort((a, b) => compareNearness(a.place, b.place, place))[0];
    return owner?.isPayer !== true || topOf(place) - topOf(owner.place) > SAME_FIELDS;
  });
}

/** Of two birth dates beside each other below the patient's name, the one in its column, whatever is above the other. */
function birthsOfColumn(births: ReadDate[], patients: readonly { place: Place }[]): ReadDate[] {
  const areBeside = (a: ReadDate, b: ReadDate): boolean =>
    a.place.page === b.place.page && a.date !== b.date && Math.abs(topOf(a.place) - topOf(b.place)) < SAME_LINE;
  return births.filter((birth) => {
    const beside = births.filter((other) => areBeside(birth, other));
    const owner = patients.find(({ place }) => {
      const below = topOf(birth.place) - topOf(place);
      return place.page === birth.place.page && below > SAME_LINE && below < SAME_FIELDS;
    });
    return !owner || beside.every((other) => distance(owner.place, birth.place) < distance(owner.place, other.place));
  });
}

const topOf = ({ bbox }: Place): number => bbox[1];
const distance = (a: Place, b: Place): number => Math.abs(a.bbox[0] - b.bbox[0]);

/** The lower one of two names first; of two in one line the one that is nearer to the date. */
const compareNearness = (a: Place, b: Place, date: Place): number =>
  Math.abs(topOf(a) - topOf(b)) < SAME_LINE ? distance(a, date) - distance(b, date) : topOf(b) - topOf(a);
