import { expect } from 'vitest';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { letter } from '../support/sample-documents.ts';

/** What a user has settled about doubtful results of a document that was really read stays settled. */

let person: Client, id: number;

const line = (y: number, ...[name, value, unit = '', range = '']: string[]) => [
  { text: name ?? '', y },
  { text: value ?? '', x: 260, y },
  { text: unit, x: 340, y },
  { text: range, x: 430, y },
];

test.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.setup();
  const report = await letter([
    [
      { text: 'Synlabor Mittelland AG', y: 60, size: 14 },
      { text: 'Laborbefund', y: 120, size: 18 },
      { text: 'Patient: Elena Keller', y: 160 },
      { text: 'Probenentnahme: 12.11.2025', y: 192 },
      ...line(250, 'Test', 'Resultat', 'Einheit', 'Referenzbereich'),
      ...line(272, 'Kalium', '41', 'mmol/L', '3.5 - 5.0'),
      ...line(292, 'Natrium', '140', 'mmol/L', '136 - 145'),
      ...line(312, 'Cholesterin', '5.1'),
    ],
  ]);
  id = (await person.upload(report, 'report.pdf')).body.document_id;
  await person.idle();
});

const document = async () => (await person.get(`/api/documents/${id}`)).body;
const doubtful = async (): Promise<[number, string][]> =>
  (await document()).lab_results
    .filter(({ doubt }: { doubt: string[] }) => doubt.length > 0)
    .map((row: { id: number; test_name_original: string }) => [row.id, row.test_name_original]);
const readAgain = async (): Promise<void> => {
  await person.post(`/api/documents/${id}/reprocess`);
  await person.idle();
};
const counts = async (): Promise<unknown[]> =>
  (await document()).review_reasons.map(({ params }: { params?: { count: number } }) => params?.count);

test('settled results do not ask again after their document was read again', async () => {
  const rows = await doubtful();
  expect(rows.map(([, name]) => name)).toEqual(['Kalium', 'Cholesterin']);
  expect(await counts()).toEqual([2]);
  expect((await document()).summary_en).toMatch(/3 results \(2 uncertain\), the others within their ranges\./);
  await person.call('PATCH', `/api/lab-results/${rows[0]?.[0]}`, { value_text: '4.1' });
  expect((await document()).summary_en).toMatch(/3 results \(1 uncertain\)/);
  await readAgain();
  expect([await counts(), (await doubtful()).map(([, name]) => name)]).toEqual([[1], ['Cholesterin']]);
  const [[last] = []] = await doubtful();
  await person.call('DELETE', `/api/lab-results/${last}`);
  expect(await document()).toMatchObject({ status: 'done', review_reasons: [] });
  await readAgain();
  expect(await document()).toMatchObject({ status: 'done', review_reasons: [] });
});
