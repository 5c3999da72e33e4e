import { daysBetween } from '../../../../src-shared/medical/civil-date.ts';
import { foldLetters } from '../fold.ts';
import type { KnownPatient } from '../extraction.ts';
import type { Language } from '../../../../src-shared/medical/page.ts';
import type { DateRole } from '../languages/date-labels.ts';
import type { DateMention } from './date-mention.ts';

export type DayMonthOrder = 'dmy' | 'mdy';

/** How "10/07/2023" is read in this document. */
export interface DateOrder {
  order: DayMonthOrder;
  /** Whether dates are ambiguous and neither the page nor the patient's data resolves them. */
  ambiguous: boolean;
}

/** Wording and formats specific to the United States and to Britain that reveal the order in an English document. */
const MONTH_FIRST_PRINT = new RegExp(
  [
    String.raw`\bmm\s?\/\s?dd\b|\b[a-z]{2} \d{5}(?:-\d{4})?\b|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b|\bnpi\b|`,
    String.raw`\bm\.?d\.?\b|\$ ?\d|\bclia\b|\busd\b|\bmrn\b|\bphysician\b|\bssn\b|\bzip\b|\bhemoglobin\b|`,
    String.raw`\banemia\b|\b(?:hospitalized|immunization|center|pediatric|orthopedic)\b`,
  ].join(''),
  'g',
);
const DAY_FIRST_PRINT = new RegExp(
  [
    String.raw`\bdd\s?\/\s?mm\b|\bnhs\b|\b[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}\b|£|\bgbp\b|\bsurgery\b.{0,20}\broad\b|`,
    String.raw`\bgp\b|\bhaemoglobin\b|\banaemia\b|\bfrc[psr]\b|\bmbbs\b|\bgmc\b|\b(?:hospitalised|immunisation|`,
    String.raw`centre|paediatric|orthopaedic)\b|\bchf\b|\beur\b|€|`,
    // Units in which laboratories of the United States do not report
    String.raw`\b(?:[uµμ]mol|pmol)\/l\b|\bmmol\/mol\b|\bkpa\b`,
  ].join(''),
  'g',
);

/**
 * Decides the order of day and month for all dates printed with slashes or dashes. Evidence in the dates comes first (a
 * number over 12, the known birth date, a reading in the future, the same day printed unambiguously elsewhere), then
 * the language, and for English the conventions of the country.
 */
export function resolveDateOrder(
  mentions: readonly DateMention[],
  language: Language,
  text: string,
  known: readonly KnownPatient[],
  today: string,
): DateOrder {
  const open = mentions.filter((m) => m.open);
  const byLanguage: DayMonthOrder = language === 'en' ? (byCountry(text) ?? 'mdy') : 'dmy';
  if (open.length === 0) return { order: orderOfProven(mentions, text) ?? byLanguage, ambiguous: false };
  const proven = orderOfProven(mentions, text) ?? byBirth(open, known) ?? byTime(open, mentions, today);
  if (proven) return { order: proven, ambiguous: false };
  return { order: byLanguage, ambiguous: language === 'en' && byCountry(text) === null };
}

/** "25/12/2023" on the page: day first; "12/25/2023": month first. */
function orderOfProven(mentions: readonly DateMention[], text: string): DayMonthOrder | null {
  if (mentions.length === 0) return null;
  let dayFirst = 0,
    monthFirst = 0;
  for (const [, a, b] of text.matchAll(/(?<![\d./-])(\d{1,2})[/-](\d{1,2})[/-](?:19|20)\d\d(?!\d)/g)) {
    if (Number(a) > 12 && Number(b) <= 12) dayFirst++;
    if (Number(b) > 12 && Number(a) <= 12) monthFirst++;
  }
  if (dayFirst === monthFirst) return null;
  return dayFirst > monthFirst ? 'dmy' : 'mdy';
}

function byBirth(open: readonly DateMention[], known: readonly KnownPatient[]): DayMonthOrder | null {
  for (const mention of open) {
    if (known.some((k) => k.date_of_birth === mention.dmy)) return 'dmy';
    if (known.some((k) => k.date_of_birth === mention.mdy)) return 'mdy';
  }
  return null;
}

/** A sample is reported within days: "Sampled 01/07/2025, printed 02/07/2025" was in July. */
const OF_ONE_SAMPLE = new Set<DateRole>(['collected', 'received', 'reported', 'printed']);
const MAX_DAYS_TO_REPORT = 7,
  MONTH = 27;
/**
 * Excludes a reading that is in the future, contradicts an unambiguous date beside it, or puts related dates out of
 * order or months apart.
 */
function byTime(open: readonly DateMention[], all: readonly DateMention[], today: string): DayMonthOrder | null {
  const past = open.filter(
    (m) => m.role !== 'follow_up' && m.role !== 'due' && m.role !== 'validity' && m.role !== 'birth',
  );
  const future = { dmy: past.some((m) => (m.dmy ?? '') > today), mdy: past.some((m) => (m.mdy ?? '') > today) };
  if (future.dmy !== future.mdy) return future.dmy ? 'mdy' : 'dmy';
  const certain = new Set(all.filter((m) => !m.open).map((m) => m.dmy));
  const agrees = { dmy: past.some((m) => certain.has(m.dmy)), mdy: past.some((m) => certain.has(m.mdy)) };
  if (agrees.dmy !== agrees.mdy) return agrees.dmy ? 'dmy' : 'mdy';
  const sure = all.filter((m) => !m.open && m.role !== 'birth' && m.dmy).map((m) => m.dmy ?? '');
  const spread = (order: DayMonthOrder): number => {
    const days = [...past.map((m) => m[order] ?? ''), ...sure].sort();
    return days.length < 2 ? 0 : daysBetween(days[0] ?? '', days.at(-1) ?? '');
  };
  const wide = { dmy: spread('dmy'), mdy: spread('mdy') };
  const [near, far] = [Math.min(wide.dmy, wide.mdy), Math.max(wide.dmy, wide.mdy)];
  const areOfOneSample = past.every(({ role }) => role !== null && OF_ONE_SAMPLE.has(role));
  if ((near <= 21 && far >= 50) || (areOfOneSample && near <= MAX_DAYS_TO_REPORT && far >= MONTH))
    return wide.dmy < wide.mdy ? 'dmy' : 'mdy';
  return null;
}

function byCountry(text: string): DayMonthOrder | null {
  const plain = foldLetters(text);
  const monthFirst = new Set(plain.match(MONTH_FIRST_PRINT) ?? []).size;
  const dayFirst = new Set(plain.match(DAY_FIRST_PRINT) ?? []).size;
  if (monthFirst === dayFirst) return null;
  return monthFirst > dayFirst ? 'mdy' : 'dmy';
}
