import type { ToolCall } from '../../../../src-shared/contract/chat-tools.ts';
import type { Synonyms } from '../../../reading/knowledge/synonyms.ts';
import type { Period } from '../question/dates.ts';
import { wordsOf } from '../question/question.ts';
import { hasAny, termsOf, type Term } from '../question/terms.ts';
import { vocabulary } from '../question/vocabulary.ts';
import type { PatientRecord } from '../record/patient-record.ts';
import { findPassages } from '../retrieval.ts';
import type { Finding } from '../tools/findings.ts';
import {
  findAppointments,
  findChanges,
  findCosts,
  findDiagnoses,
  findDocuments,
  findEpisodes,
  findStays,
  findVaccinations,
} from '../tools/history.ts';
import { findMedicines, findMedicinesAt } from '../tools/medicines.ts';
import { findResults } from '../tools/results.ts';

const MAX_PASSAGES = 6;

/** Calls a function on the record; what it finds is the same as without a model. */
export function callTool(record: PatientRecord, synonymsOf: Synonyms['of'], call: ToolCall): Finding {
  const { names, from, to, pick, shape: wanted, document_type: type } = call;
  const period: Period | null = from === null && to === null ? null : { from, to };
  const shape = wanted ?? 'list';
  const words = names.flatMap(wordsOf);
  const terms = termsOf(words, 'en', synonymsOf);
  const folded = words.map(({ folded: word }) => word);
  const isWanted = (text: string): boolean => terms.length === 0 || hasAny(text, terms);
  const keysIn = (index: PatientRecord['tests']): string[] | null =>
    names.length === 0 ? null : index().find(folded).keys;
  switch (call.tool) {
    case 'results':
      return findResults(record, { tests: keysIn(record.tests), period, pick: pick ?? 'series' });
    case 'medicines_now':
      return findMedicinesAt(record, period ?? { from: record.today, to: record.today }, keysIn(record.remedies));
    case 'medicines':
      return findMedicines(record, { keys: keysIn(record.remedies), period, shape });
    case 'diagnoses':
      return findDiagnoses(record, { keys: keysIn(record.illnesses), period, shape });
    case 'vaccinations':
      return findVaccinations(record, { ...vaccinesIn(folded), period, shape });
    case 'stays':
      return findStays(record, period, shape);
    case 'events':
      return findEpisodes(record, period);
    case 'appointments':
      return findAppointments(record, isWanted);
    case 'costs':
      return findCosts(record, period, ({ description, facility }) => isWanted(`${description}\n${facility ?? ''}`));
    case 'documents':
      return documentsOf(record, terms, { period, shape, types: type === null ? [] : [type] });
    case 'changes':
      return findChanges(record, from ?? record.today, to);
    case 'passages':
      return { kind: 'passages', ...findPassages(record, terms, { limit: MAX_PASSAGES, meant: record.meant }) };
  }
}

function vaccinesIn(words: readonly string[]): { diseases: string[] | null; names: string[] | null } {
  if (words.length === 0) return { diseases: null, names: null };
  const text = ` ${words.join(' ')} `;
  const diseases = vocabulary()
    .vaccines.filter((vaccine) => vaccine.words.some((word) => text.includes(` ${word} `)))
    .map(({ disease }) => disease);
  return diseases.length > 0 ? { diseases, names: null } : { diseases: null, names: [...words] };
}

const documentsOf = (
  record: PatientRecord,
  terms: readonly Term[],
  query: Omit<Parameters<typeof findDocuments>[1], 'among'>,
): Finding =>
  findDocuments(record, {
    ...query,
    among: ({ words, doctor, facility, specialty }) =>
      terms.length === 0 || hasAny([words, doctor, facility, specialty].filter(Boolean).join('\n'), terms),
  });
