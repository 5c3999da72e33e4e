import { describe, expect, it } from 'vitest';
import type { PatientQuestion } from '../../../src-shared/contract/review.ts';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { choicesOf, itemsOf, type Choice, type Item } from './choices.ts';

const elena = { id: 1, display_name: 'Elena Rossi', date_of_birth: '1979-05-09' };
const marco = { id: 2, display_name: 'Marco Rossi', date_of_birth: '2010-02-03' };
const document = (id: number, more: object = {}) =>
  ({ id, status: 'needs_review', review_reasons: [], ...more }) as unknown as DocumentListItem;
const question = (more: Partial<PatientQuestion> = {}): PatientQuestion => ({
  key: 'patient-7',
  name: 'Margaret Osei',
  date_of_birth: '1949-08-03',
  other_names: [],
  chosen: elena,
  candidates: [],
  may_answer: true,
  documents: [document(7), document(8)],
  ...more,
});
const asked = (more?: Partial<PatientQuestion>): Item => ({ kind: 'patient', key: 'x', question: question(more) });
const short = (choices: Choice[]): string[] =>
  choices.map((choice) => (choice.kind === 'assign' ? choice.name : choice.kind));

describe('the answers to whose documents these are', () => {
  it('add the person, confirm the chosen one, or decide each', () => {
    expect(short(choicesOf(asked(), [elena, marco]))).toEqual(['add', 'Elena Rossi', 'split']);
  });

  it('name everybody of whom there are pages, and add nobody', () => {
    const several = {
      name: 'Elena Rossi',
      other_names: ['Marco Rossi'],
      candidates: [marco],
      documents: [document(7)],
    };
    expect(short(choicesOf(asked(several), [elena, marco]))).toEqual(['Marco Rossi', 'Elena Rossi']);
  });

  it('begin with the person who is named there, whom nobody has to add', () => {
    const margaret = { id: 3, display_name: 'Margaret Osei', date_of_birth: '1949-08-03' };
    expect(short(choicesOf(asked({ candidates: [margaret] }), [elena, margaret]))).toEqual([
      'Margaret Osei',
      'Elena Rossi',
      'split',
    ]);
    const namesake = { ...margaret, date_of_birth: null };
    expect(short(choicesOf(asked({ candidates: [namesake] }), []))).toContain('add');
  });

  it('name everybody else for a single document', () => {
    expect(short(choicesOf(asked({ documents: [document(7)] }), [elena, marco]))).toEqual([
      'add',
      'Elena Rossi',
      'Marco Rossi',
    ]);
    expect(short(choicesOf(asked({ name: null, chosen: null, documents: [document(7)] }), [elena, marco]))).toEqual([
      'Elena Rossi',
      'Marco Rossi',
    ]);
  });

  it('are none for a user who may not answer', () => {
    expect(choicesOf(asked({ may_answer: false }), [elena])).toEqual([]);
  });
});

describe('the answers about a document', () => {
  const about = (code: string, params: object) =>
    choicesOf(
      { kind: 'document', key: 'x', document: document(1, { review_reasons: [{ code, params }] }), asksRows: false },
      [],
    );

  it('are the dates that it may have', () => {
    expect(about('conflicting_dates', { dates: '2026-10-05, 2026-10-12' })).toEqual([
      { kind: 'date', date: '2026-10-05' },
      { kind: 'date', date: '2026-10-12' },
      { kind: 'reviewed' },
    ]);
    expect(about('ambiguous_date_order', { date: '2026-03-04' })[1]).toEqual({ kind: 'date', date: '2026-04-03' });
    expect(short(about('low_confidence_rows', { count: 2 }))).toEqual(['reviewed']);
  });

  it('are the deleted document with the same content, or to read this one', () => {
    expect(about('in_trash', { trash_id: 4, label: 'report.pdf' })).toEqual([
      { kind: 'restore', trashId: 4, label: 'report.pdf' },
      { kind: 'read_new' },
    ]);
  });
});

it('lists the documents of a split question one by one', () => {
  const items = itemsOf(
    { questions: [question()], results: [], result_documents: [], documents: [document(9)] },
    new Set(['patient-7']),
  );
  expect(
    items.map((item) => (item.kind === 'patient' ? item.question.documents.map(({ id }) => id) : item.key)),
  ).toEqual([[7], [8], 'document-9']);
});

describe('doubtful results', () => {
  const result = { id: 5, document_id: 9, value: 13, value_text: '13', unit: '%', doubt: ['poor_print'] };
  const lists = (reasons: object[]) => ({
    questions: [],
    results: [{ ...result, reference_range_low: null, reference_range_high: null, unit_preferred: null } as never],
    result_documents: [document(9, { review_reasons: reasons })],
    documents: [document(9, { review_reasons: reasons })],
  });

  it('are asked about one by one instead of their document', () => {
    expect(itemsOf(lists([{ code: 'low_confidence_rows' }]), new Set()).map(({ key }) => key)).toEqual(['result-5']);
    expect(
      itemsOf(lists([{ code: 'low_confidence_rows' }, { code: 'no_event_date' }]), new Set()).map(({ key }) => key),
    ).toEqual(['result-5', 'document-9']);
  });

  it('are left out of the question about their document', () => {
    const [, item] = itemsOf(lists([{ code: 'low_confidence_rows' }, { code: 'no_event_date' }]), new Set());
    expect(item).toMatchObject({ asksRows: true, document: { review_reasons: [{ code: 'no_event_date' }] } });
  });

  it('are answered by a candidate, by another value, or as unreadable', () => {
    const [item] = itemsOf(lists([]), new Set());
    expect(short(choicesOf(item!, []))).toEqual(['value', 'enter', 'unreadable']);
  });
});
