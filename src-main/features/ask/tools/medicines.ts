import type { Shape } from '../../../../src-shared/contract/chat-tools.ts';
import { civilFromDay, dayNumber } from '../../../../src-shared/medical/civil-date.ts';
import { isWithin, type Period } from '../question/dates.ts';
import type { MedicineFact } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Finding } from './findings.ts';

/** A medicine without an end counts as taken for this long after a paper named it; then nobody knows. */
const DAYS_WITHOUT_END = 730;

/** Days of each unit, by the beginning of its name in four languages. */
const UNITS: readonly [RegExp, number][] = [
  [/^(?:day|tag|jour|giorn)/u, 1],
  [/^(?:week|woche|semaine|settiman)/u, 7],
  [/^(?:month|monat|mois|mes)/u, 30.5],
  [/^(?:year|jahr|an|ann)/u, 365.25],
];
const DURATION = /(\d{1,3})\s?(\p{L}+)/u;

/** The last day on which a medicine is taken as printed; null if its duration is not limited. */
export function lastDayOf({ date, duration }: Pick<MedicineFact, 'date' | 'duration'>): string | null {
  const [, count, unit = ''] = DURATION.exec((duration ?? '').toLowerCase()) ?? [];
  const days = UNITS.find(([name]) => name.test(unit))?.[1];
  if (date === null || count === undefined || days === undefined) return null;
  return civilFromDay(dayNumber(date) + Math.round(Number(count) * days));
}

/**
 * Medicines that a person takes in a period: the last paper before its end that names each of them. `older` are those
 * without an end that no paper has named for long.
 */
export function findMedicinesAt(record: PatientRecord, at: Period, keys: readonly string[] | null): Finding {
  const from = at.from ?? at.to ?? record.today,
    to = at.to ?? record.today;
  const named = record
    .medicines()
    .filter(({ entryKey, date }) => (keys === null || keys.includes(entryKey)) && date !== null && date <= to);
  const current: MedicineFact[] = [],
    older: MedicineFact[] = [];
  for (const group of Map.groupBy(named, ({ entryKey }) => entryKey).values()) {
    const last = group.findLast((fact) => (lastDayOf(fact) ?? to) >= from);
    if (!last || group.at(-1)!.date! > last.date!) continue;
    const isLimited = lastDayOf(last) !== null;
    if (isLimited || dayNumber(from) - dayNumber(last.date!) <= DAYS_WITHOUT_END) current.push(last);
    else older.push(last);
  }
  return { kind: 'medicines_now', at: { from, to }, current, older };
}

export interface MedicinesQuery {
  keys: readonly string[] | null;
  period: Period | null;
  shape: Shape;
}

/** Every paper that names the medicines, oldest first. */
export function findMedicines(record: PatientRecord, { keys, period, shape }: MedicinesQuery): Finding {
  const facts = record
    .medicines()
    .filter(({ entryKey, date }) => (keys === null || keys.includes(entryKey)) && isWithin(date, period));
  return { kind: 'medicines', shape, period, facts: pickOf(facts, shape) };
}

/** The first or last of a list that is ordered by date; everything otherwise. */
export function pickOf<Fact>(facts: readonly Fact[], shape: Shape): Fact[] {
  if (shape === 'first') return facts.slice(0, 1);
  return shape === 'last' ? facts.slice(-1) : [...facts];
}
