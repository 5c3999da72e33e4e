import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import { findMedicinesAt } from '../tools/medicines.ts';

interface Suggestions {
  medicines: string;
  outside: string;
  vaccinations: string;
  appointment: string;
  stay: string;
  changes(year: string): string;
  trend(test: string): string;
}

const WORDS: Record<CoreLanguage, Suggestions> = {
  en: {
    medicines: 'Which medicines now?',
    outside: 'Which results are out of range?',
    vaccinations: 'Which vaccinations are in the record?',
    appointment: 'When is the next appointment?',
    stay: 'When was the last stay in hospital?',
    changes: (year) => `What is new since ${year}?`,
    trend: (test) => `How has ${test} developed?`,
  },
  de: {
    medicines: 'Welche Medikamente zurzeit?',
    outside: 'Welche Werte sind auffällig?',
    vaccinations: 'Welche Impfungen stehen in den Unterlagen?',
    appointment: 'Wann ist der nächste Termin?',
    stay: 'Wann war der letzte Spitalaufenthalt?',
    changes: (year) => `Was ist neu seit ${year}?`,
    trend: (test) => `Wie hat sich ${test} entwickelt?`,
  },
};

const MAX_SUGGESTIONS = 4;
/** A trend needs some results. */
const MIN_RESULTS = 3;

/** Questions that the record can answer, the most useful first. */
export function suggestQuestions(record: PatientRecord, language: CoreLanguage): string[] {
  const words = WORDS[language];
  const results = record.results();
  const trend = [...Map.groupBy(results, ({ testKey }) => testKey).values()]
    .filter((group) => group.length >= MIN_RESULTS)
    .sort((a, b) => changesOf(b) - changesOf(a))[0]
    ?.at(-1);
  const isAhead = record.appointments().some(({ date, isDone }) => !isDone && (date ?? '') >= record.today);
  const since = String(Number(record.today.slice(0, 4)) - 1);
  const possible: [boolean, string][] = [
    [takesMedicines(record), words.medicines],
    [
      trend !== undefined,
      words.trend(trend ? (record.nameIn('lab_tests', trend.testKey, language) ?? trend.printedName) : ''),
    ],
    [isAhead, words.appointment],
    [results.some(({ outside }) => outside !== null), words.outside],
    [record.vaccinations().length > 0, words.vaccinations],
    [record.stays().length > 0, words.stay],
    [record.documents().some(({ date }) => date !== null && date >= `${since}-01-01`), words.changes(since)],
  ];
  return possible
    .filter(([isPossible]) => isPossible)
    .map(([, question]) => question)
    .slice(0, MAX_SUGGESTIONS);
}

function takesMedicines(record: PatientRecord): boolean {
  const finding = findMedicinesAt(record, { from: record.today, to: record.today }, null);
  return finding.kind === 'medicines_now' && finding.current.length > 0;
}

const changesOf = (facts: readonly { outside: unknown }[]): number =>
  facts.filter(({ outside }) => outside !== null).length;
