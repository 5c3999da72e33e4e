import { daysBetween } from '../../../../src-shared/medical/civil-date.ts';
import type { KnownPatient } from '../extraction.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line, Segment } from '../layout/lines.ts';
import { nameIn } from './patient-print.ts';
import type { DateMention } from './date-mention.ts';

/** An unlabeled date beside a name is a birth date if the paper has another date this much younger. */
const MIN_AGE_DAYS = 730;
/** Beside the birth date of the patient, that of a relative or guardian: "Partner: Marcel Muster, 21.06.1975". */
const MIN_AGE_OF_RELATIVE_DAYS = 10 * 365;
/** Other unlabeled dates this much older than the newest one are not the day of the paper. */
const MAX_AGE_DAYS = 3 * 365;
const STRENGTH = 0.6;
/** What follows a birth date: nothing, a sign, or the sex. A word would make it the date of something else. */
const AFTER_BIRTH =
  /^\s*(?:$|[,;()·•|–—-]|(?:m|f|w|männlich|weiblich|male|female|masculin|f[ée]minin|maschio|femmina)(?!\p{L}))/iu;
/** A sign at the end of the date itself. */
const ENDS_FIELD = /[,;)|]$/;
const PHONE = /^\W*\+?\d[\d ()/-]{6,}$/;
const MAX_LINES_ABOVE = 2;

/** A date whose order of day and month is resolved. */
type Resolved = Pick<DateMention, 'role' | 'strength' | 'inProse' | 'inColumn' | 'page' | 'place'> & { date: string };

/** What is known about the patient and the people of the household. */
interface Known {
  layout: Layout;
  people: readonly KnownPatient[];
}

/**
 * Gives unlabeled dates the role of a birth date if they are that of a known person, or are printed beside or under
 * a name and are years older than the paper: "HOFER Leopold, 12.09.1958", "Muster Ida (09/09/1995)".
 */
export function withBirthDates<D extends Resolved>(all: readonly D[], { layout, people }: Known): D[] {
  const isOpen = ({ role, strength }: D): boolean => role === null || (role === 'letter' && strength < 0.5);
  const birthdays = new Set(people.map(({ date_of_birth }) => date_of_birth));
  const hasBirth = all.some(({ role }) => role === 'birth');
  const others = all.filter(({ role }) => role !== 'due' && role !== 'validity' && role !== 'follow_up');
  const newest = others.reduce((last, { date }) => (date > last ? date : last), '');
  return all.map((date) => {
    if (!isOpen(date)) return date;
    const age = newest === '' ? 0 : daysBetween(date.date, newest);
    const isOld = age > (hasBirth ? MIN_AGE_OF_RELATIVE_DAYS : MIN_AGE_DAYS);
    const isBirth = birthdays.has(date.date) || (isOld && !date.inColumn && isBesideName(date, layout));
    return isBirth ? { ...date, role: 'birth', strength: STRENGTH } : date;
  });
}

/** Whether the words before a date in its line, or alone above it, are a name. */
function isBesideName({ page, place, inProse }: Resolved, layout: Layout): boolean {
  const lines = layout.pages.find((one) => one.page === page)?.lines ?? [];
  const index = lines.findIndex(({ y, h }) => place.bbox[1] >= y - h / 2 && place.bbox[1] < y + h / 2);
  const line = lines[index];
  const at = line?.segments.findIndex(
    ({ bbox }) => place.bbox[0] >= bbox[0] - 0.001 && place.bbox[0] < bbox[0] + bbox[2],
  );
  const segment = line?.segments[at ?? -1];
  if (!line || !segment || at === undefined) return false;
  const before = segment.words.filter(({ x }) => x < place.bbox[0] - 0.001);
  const after = segment.words.filter(({ x }) => x >= place.bbox[0] + place.bbox[2]);
  const own = segment.words[before.length]?.text ?? '';
  if (!ENDS_FIELD.test(own) && !AFTER_BIRTH.test(textOf(after)) && !PHONE.test(textOf(after))) return false;
  // In a sentence, only signs between fields tell a birth date: "Huang, Mei-Ling | 04/30/1969 | Date of service …".
  if (inProse && !/[|·•]$/u.test(textOf(before))) return false;
  if (before.length > 0) return isName(textOf(before));
  const beside = line.segments[at - 1];
  return (beside !== undefined && isName(beside.text)) || isUnderName(lines, index, segment);
}

const textOf = (words: Segment['words']): string => words.map(({ text }) => text).join(' ');

function isUnderName(lines: readonly Line[], index: number, segment: Segment): boolean {
  return lines
    .slice(Math.max(0, index - MAX_LINES_ABOVE), index)
    .some(({ segments }) =>
      segments.some(({ bbox, text }) => Math.abs(bbox[0] - segment.bbox[0]) < 0.02 && isName(text)),
    );
}

/** A person's name, also behind a label and before signs: "Patient: Muster, Ida -", "MUSTER Ida – F –". */
const isName = (text: string): boolean =>
  nameIn(
    text
      .replace(/^.*:\s*/u, '')
      .replace(/(?:[\s,;(·|–*-]+(?:m|f|w|h|d)?)+$/iu, '')
      .trim(),
  ) !== null;

/** The dates of the paper itself, without those that are years older than the newest. */
export function withoutOldDates<D extends { date: string }>(dates: readonly D[]): readonly D[] {
  const newest = dates.reduce((last, { date }) => (date > last ? date : last), '');
  return dates.filter(({ date }) => daysBetween(date, newest) <= MAX_AGE_DAYS);
}
