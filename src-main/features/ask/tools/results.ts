import type { Pick } from '../../../../src-shared/contract/chat-tools.ts';
import { isWithin, type Period } from '../question/dates.ts';
import type { ResultFact } from '../record/facts.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import type { Finding, TestResults } from './findings.ts';

export interface ResultsQuery {
  /** Keys of tests; null for all tests of the record. */
  tests: readonly string[] | null;
  period: Period | null;
  pick: Pick;
}

/** Results of tests: the last, the first, all of a period, extremes, or those out of range. */
export function findResults(record: PatientRecord, { tests, period, pick }: ResultsQuery): Finding {
  const facts = record.results().filter(({ testKey }) => tests === null || tests.includes(testKey));
  const groups = [...Map.groupBy(facts, ({ testKey }) => testKey)]
    .map(([key, group]) => ({ key, group, within: group.filter(({ date }) => isWithin(date, period)) }))
    // A test that the question names is mentioned also without a result in the period.
    .filter(({ within }) => tests !== null || within.length > 0)
    .map(({ key, group, within }) => resultsOf({ key, printedName: group.at(-1)!.printedName }, within, pick));
  const wanted = groups.filter((group) => pick !== 'outside' || tests !== null || group.facts.length > 0);
  return { kind: 'results', pick, period, tests: wanted };
}

type Named = { key: string; printedName: string };

function resultsOf(test: Named, all: readonly ResultFact[], pick: Pick): TestResults {
  const sure = all.filter(({ isDoubtful }) => !isDoubtful);
  const doubtful = all.filter(({ isDoubtful }) => isDoubtful);
  const last = sure.at(-1);
  const common = { ...test, total: all.length, lastInside: last?.outside === null ? last : null };
  switch (pick) {
    case 'last':
      return { ...common, facts: all.slice(-1), doubtful: [] };
    case 'first':
      return { ...common, facts: all.slice(0, 1), doubtful: [] };
    case 'highest':
    case 'lowest':
      return { ...common, facts: extremesOf(sure, pick), doubtful };
    case 'outside':
      return { ...common, facts: sure.filter(({ outside }) => outside !== null), doubtful };
    default:
      return { ...common, facts: [...all], doubtful: [] };
  }
}

/** Micro is printed in three ways. */
const unitKey = (unit: string | null): string => (unit ?? '').toLowerCase().replace(/^[µμ]/u, 'u');

/** The first of the highest or lowest results, for each unit: numbers of different units are not compared. */
function extremesOf(facts: readonly ResultFact[], pick: 'highest' | 'lowest'): ResultFact[] {
  const sign = pick === 'highest' ? 1 : -1;
  const numbers = facts.filter((fact): fact is ResultFact & { value: number } => fact.value !== null);
  return [...Map.groupBy(numbers, ({ unit }) => unitKey(unit)).values()].map((group) =>
    group.reduce((best, fact) => (sign * (fact.value - best.value) > 0 ? fact : best)),
  );
}
