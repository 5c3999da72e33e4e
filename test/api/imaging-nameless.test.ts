import { describe, expect, it } from 'vitest';
import { slice } from '../fixtures/dicom/disc.ts';
import { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';

let person: Client;
const test = base.override('serveOptions', WITHOUT_INBOX);
test.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
  await person.call('PATCH', '/api/patients/1', { sex: 'F' });
});

const documentOf = async (id: number) => {
  const { status, patient_undecided, patient_id, review_reasons } = (await person.get(`/api/documents/${id}`)).body;
  const reasons = (review_reasons ?? []) as { code: string }[];
  return { status, patient_undecided, patient_id, codes: reasons.map(({ code }) => code) };
};
const filed = async (options: Parameters<typeof slice>[0], patient: number | null = 1): Promise<number> =>
  (await person.upload(slice({ patient: '', ...options }), 'a.dcm', patient)).body.studies[0].document_id;
const asks = (code: string) => ({ status: 'needs_review', patient_undecided: true, patient_id: 1, codes: [code] });

describe('an image whose header has no name', () => {
  it('asks whose it is when its sex or birth date is another than that of the patient', async () => {
    expect(await documentOf(await filed({ study: '1.1', sex: 'M' }))).toEqual(asks('other_sex'));
    expect(await documentOf(await filed({ study: '1.2', birthDate: '19500101' }))).toEqual(asks('other_birth_date'));
  });

  it('is filed where nothing contradicts the patient', async () => {
    const settled = { status: 'done', patient_undecided: false, patient_id: 1, codes: [] };
    expect(await documentOf(await filed({ study: '1.3' }))).toEqual(settled);
    expect(await documentOf(await filed({ study: '1.4', sex: '', birthDate: '' }))).toEqual(settled);
    expect(await documentOf(await filed({ study: '1.5', sex: 'O', birthDate: '' }))).toEqual(settled);
  });

  it('still asks after another patient was added, until its own is corrected', async () => {
    const document = await filed({ study: '1.6', sex: 'M', birthDate: '' });
    await person.post('/api/patients', { display_name: 'Luca Rossi', date_of_birth: '1950-01-01', sex: 'M' });
    expect(await documentOf(document)).toEqual(asks('other_sex'));
    await person.call('PATCH', '/api/patients/1', { sex: 'M', date_of_birth: '1979-05-10' });
    await person.call('PATCH', '/api/patients/1', { date_of_birth: '1979-05-09' });
    expect(await documentOf(document)).toMatchObject({ status: 'done', patient_undecided: false, patient_id: 1 });
  });

  it('needs a person where no patient was chosen', async () => {
    const document = await documentOf(await filed({ study: '1.7' }, null));
    expect(document).toMatchObject({ status: 'needs_review', patient_id: null });
  });
});
