import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';

/** Doubtful lab results are asked about in the review, answered there, and the answer can be undone. */

let household: Household, owner: Client;
let patient: number, document: number;

const test = base.override('serveOptions', WITHOUT_INBOX);
const EVIDENCE = { page: 1, bbox: [0.1, 0.4, 0.8, 0.02], confidence: 0.5, second_reading: '7.3' };

test.beforeAll(({ household: records }) => {
  household = records;
  owner = household.as('owner');
});
test.beforeEach(() => {
  const { make, db } = household;
  patient = make.patient();
  make.use(patient);
  document = make.document({ status: 'needs_review' });
  setReasons([{ code: 'low_confidence_rows', params: { count: 1 } }]);
  db.prepare('UPDATE documents SET patient_undecided = 0 WHERE id = ?').run(document);
});

const setReasons = (reasons: object[]): unknown =>
  household.db.prepare('UPDATE documents SET review_reasons = ? WHERE id = ?').run(JSON.stringify(reasons), document);

function plantResult(doubt: string[] | null, ofPatient: number | null = patient): number {
  const insert = household.db.prepare(
    `INSERT INTO lab_results (document_id, patient_id, test_name_original, value, value_text, unit,
      reference_range_high, is_abnormal, test_date, doubt, evidence, read_key)
      VALUES (?, ?, 'HbA1c', 13, '13', '%', 5.7, 1, '2025-11-12', ?, ?, 'hba1c')`,
  );
  const stored = doubt === null ? null : JSON.stringify(doubt);
  return Number(insert.run(document, ofPatient, stored, JSON.stringify(EVIDENCE)).lastInsertRowid);
}
const review = async (client = owner) => (await client.get(`/api/review?patient_id=${patient}`)).body;
const asked = async (client = owner): Promise<number[]> =>
  (await review(client)).results.map(({ id }: { id: number }) => id);
const update = (id: number, body: object) => owner.call('PATCH', `/api/lab-results/${id}`, body);
async function state(id: number) {
  const detail = (await owner.get(`/api/documents/${document}`)).body;
  const row = detail.lab_results.find((one: { id: number }) => one.id === id);
  const { value, value_text, is_abnormal, doubt, edited_fields } = row;
  return {
    status: detail.status,
    reasons: detail.review_reasons.length,
    value,
    value_text,
    is_abnormal,
    doubt,
    edited_fields,
  };
}

describe('a doubtful result', () => {
  test('is asked about with its place, its second reading and its document', async () => {
    const id = plantResult(['readings_differ']);
    plantResult(null);
    plantResult([]);
    const { results, results_total, result_documents } = await review();
    expect(results).toMatchObject([{ id, value_text: '13', doubt: ['readings_differ'], evidence: EVIDENCE }]);
    expect([results_total, result_documents.map((row: { id: number }) => row.id)]).toEqual([1, [document]]);
  });

  test('is not asked about before it is decided whose it is', async () => {
    plantResult(['readings_differ'], null);
    expect(await asked()).toEqual([]);
  });

  test('is asked of owners alone', async () => {
    const id = plantResult(['readings_differ']);
    expect(await asked()).toEqual([id]);
    expect(await asked(household.as('viewer'))).toEqual([]);
    expect(await asked(household.as('reader'))).toEqual([]);
    expect((await household.as('other').get('/api/review')).body.results).toEqual([]);
  });

  test('is settled by another value, which also settles the reason of its document', async () => {
    const id = plantResult(['readings_differ']);
    await update(id, { value_text: '7.3', confirmed: true });
    expect(await asked()).toEqual([]);
    expect(await state(id)).toMatchObject({ status: 'done', reasons: 0, value: 7.3, doubt: [], is_abnormal: true });
  });

  test('is as before after undo, so that reading the document again may replace it', async () => {
    const id = plantResult(['readings_differ']);
    const before = await state(id);
    const { is_abnormal, value, value_text, doubt, edited_fields } = before;
    await update(id, { value: null, value_text: null, confirmed: true });
    expect(await state(id)).toMatchObject({ status: 'done', value: null, doubt: [] });
    await update(id, { value, value_text, is_abnormal, reopened: { doubt, edited_fields } });
    expect(await state(id)).toEqual(before);
    expect(await asked()).toEqual([id]);
  });

  test('leaves its document to review while other rows are doubtful', async () => {
    setReasons([{ code: 'low_confidence_rows', params: { count: 2 } }, { code: 'no_event_date' }]);
    const id = plantResult(['poor_print']);
    await update(id, { confirmed: true });
    const { review_reasons: reasons, status } = (await owner.get(`/api/documents/${document}`)).body;
    expect([status, reasons.map((reason: { code: string }) => reason.code).sort()]).toEqual([
      'needs_review',
      ['low_confidence_rows', 'no_event_date'],
    ]);
  });

  test('is settled by what the page lacks or garbles', async () => {
    const id = plantResult(['date_missing', 'name_long', 'poor_print']);
    await update(id, { test_date: '2025-11-13', test_name_original: 'HbA1c (IFCC)' });
    expect(await state(id)).toMatchObject({ status: 'needs_review', doubt: ['poor_print'] });
  });

  test('settles the reason of its document when it is removed, and asks again when it is restored', async () => {
    const id = plantResult(['readings_differ']);
    const { trash_id: trash } = (await owner.call('DELETE', `/api/lab-results/${id}`)).body;
    const document_ = async () => (await owner.get(`/api/documents/${document}`)).body;
    expect(await document_()).toMatchObject({ status: 'done', review_reasons: [] });
    expect((await owner.post(`/api/trash/${trash}/restore`)).status).toBe(200);
    expect(await state(id)).toMatchObject({ status: 'needs_review', reasons: 1, doubt: ['readings_differ'] });
    expect(await asked()).toEqual([id]);
  });

  test('takes the reason along to another document', async () => {
    const id = plantResult(['readings_differ']);
    const other = household.make.document({ status: 'done' });
    household.db.prepare('UPDATE documents SET patient_undecided = 0 WHERE id = ?').run(other);
    await update(id, { document_id: other });
    const statusOf = async (one: number) => (await owner.get(`/api/documents/${one}`)).body.status;
    expect([await statusOf(document), await statusOf(other)]).toEqual(['done', 'needs_review']);
  });

  test('is settled with its document that is marked as reviewed', async () => {
    const id = plantResult(['readings_differ', 'curve_differs']);
    await owner.post(`/api/documents/${document}/mark-reviewed`);
    expect(await state(id)).toMatchObject({ status: 'done', doubt: [], edited_fields: [] });
    expect(await asked()).toEqual([]);
  });

  test('stays open when the other questions about its document are answered beside it', async () => {
    setReasons([{ code: 'low_confidence_rows', params: { count: 1 } }, { code: 'no_event_date' }]);
    const id = plantResult(['readings_differ']);
    await owner.post(`/api/documents/${document}/mark-reviewed?rows=without_rows`);
    expect(await state(id)).toMatchObject({ status: 'needs_review', reasons: 1, doubt: ['readings_differ'] });
    await update(id, { confirmed: true });
    expect(await state(id)).toMatchObject({ status: 'done', reasons: 0, doubt: [] });
  });

  test('does not settle the reason of its document if only earlier results contradicted it', async () => {
    const id = plantResult(['curve_differs']);
    await update(id, { confirmed: true });
    expect(await state(id)).toMatchObject({ status: 'needs_review', reasons: 1, doubt: [] });
  });
});
