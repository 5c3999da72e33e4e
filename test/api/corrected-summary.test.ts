import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { labReport } from '../support/sample-documents.ts';

let person: Client, id: number;

test.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.setup();
  id = (await person.upload(await labReport(), 'report.pdf')).body.document_id;
  await person.idle();
});

const change = (body: object) => person.call('PATCH', `/api/documents/${id}`, body);
const summary = async (): Promise<string> => (await person.get(`/api/documents/${id}`)).body.summary_en;

describe('the summary of a document', () => {
  test('names the doctor, the facility and the date that a user corrected', async () => {
    expect(await summary()).toMatch(/Regula Aebischer.* of 2025-11-12\./);
    await change({ doctor_name: 'Dr. Peter Frisch', event_date: '2025-11-13' });
    const corrected = await summary();
    expect(corrected).toMatch(/Peter Frisch.* of 2025-11-13\./);
    expect(corrected).not.toMatch(/Aebischer/);
    await change({ doctor_name: null, facility_name: 'Labor Seeblick' });
    expect(await summary()).toMatch(/from Labor Seeblick of 2025-11-13\./);
  });

  test('is found by the corrected name', async () => {
    expect((await person.get('/api/documents?q=seeblick')).body.total).toBe(1);
  });

  test('names them also after the document was read again', async () => {
    expect((await person.post(`/api/documents/${id}/reprocess`)).status).toBe(202);
    await person.idle();
    expect(await summary()).toMatch(/from Labor Seeblick of 2025-11-13\./);
  });

  test('quotes the results as they were corrected, and none that was removed', async () => {
    const results = (await person.get(`/api/documents/${id}`)).body.lab_results;
    const of = (name: string) => results.find((row: { test_name_original: string }) => row.test_name_original === name);
    expect(await summary()).toMatch(/4 results, outside their range: Ferritin 21 µg\/L\./);
    await person.call('PATCH', `/api/lab-results/${of('Ferritin').id}`, { value_text: '211' });
    expect(await summary()).toMatch(/4 results, all within their ranges\./);
    await person.call('PATCH', `/api/lab-results/${of('CRP').id}`, { value_text: '> 90' });
    expect(await summary()).toMatch(/outside their range: CRP > 90 mg\/L\./);
    const { trash_id } = (await person.call('DELETE', `/api/lab-results/${of('CRP').id}`)).body;
    expect(await summary()).toMatch(/3 results, all within their ranges\./);
    await person.post(`/api/trash/${trash_id}/restore`);
    expect(await summary()).toMatch(/4 results, outside their range: CRP > 90 mg\/L\./);
    expect((await person.get('/api/documents?q=90')).body.total).toBe(1);
  });

  test('stays as a user wrote it', async () => {
    await change({ summary_en: 'My own words.' });
    await change({ doctor_name: 'Dr. Hans Muster' });
    expect(await summary()).toBe('My own words.');
  });
});
