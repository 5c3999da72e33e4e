import { describe, expect, it } from 'vitest';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { doseReport, encapsulated, fluoroscopyDose, structuredReport } from '../fixtures/dicom/reports.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { labReport } from '../support/sample-documents.ts';

let person: Client;
const test = base.override('serveOptions', WITHOUT_INBOX);
test.beforeAll(async ({ served }) => {
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
});

const studyOf = async (id: number) => (await person.get(`/api/imaging/${id}`)).body;

describe('what a disc holds', () => {
  const inspect = async (bytes: Uint8Array, name: string) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    return person.post('/api/documents/inspect', form);
  };

  it('is shown before it is taken in, and nothing is stored', async () => {
    const disc = zip([
      { name: 'DICOMDIR', content: directory() },
      { name: 'I1', content: slice({ study: '6.1', number: 1 }) },
      { name: 'I2', content: slice({ study: '6.1', number: 2, frames: 3 }) },
      { name: 'J1', content: slice({ study: '6.2' }) },
      { name: 'SR', content: structuredReport({ study: '6.2' }) },
      { name: 'BROKEN', content: slice({ study: '6.3' }).subarray(0, 200) },
      { name: 'report.pdf', content: Buffer.from('%PDF-1.4') },
      { name: 'view.exe', content: Buffer.from('MZ') },
    ]);
    const { status, body } = await inspect(disc, 'CD.zip');
    expect(status).toBe(200);
    const { studies, ...counts } = body;
    expect(counts).toEqual({ study_count: 2, images: 5, reports: 2, pictures: 0, others: 2, unreadable: 1 });
    expect(studies).toMatchObject([
      {
        modality: 'CT',
        body_part: 'CHEST',
        study_date: '2024-02-29',
        patient_name: 'Elena Keller',
        images: 4,
        objects: 2,
      },
      { images: 1, objects: 2 },
    ]);
    expect((await inspect(slice({ study: '6.4' }), 'a.dcm')).body).toMatchObject({ study_count: 1, images: 1 });
    expect((await person.get('/api/imaging?patient_id=1')).body.total).toBe(0);
  });

  it('is refused for the reasons of an upload', async () => {
    expect((await inspect(Buffer.from('PK\u0003\u0004 no archive'), 'a.zip')).body.code).toBe('archive.damaged');
    expect((await inspect(Buffer.from('text'), 'a.txt')).body.code).toBe('upload.unsupported_type');
  });
});

describe('objects without pictures', () => {
  const documentsOf = async (body: { documents: { document_id: number }[] }) =>
    Promise.all(
      body.documents.map(async ({ document_id }) => (await person.get(`/api/documents/${document_id}`)).body),
    );

  it('become documents that are linked to that of their study, and are not stored again', async () => {
    const pdf = Buffer.from(await labReport({ seed: 78 }));
    const disc = zip([
      { name: 'I1', content: slice({ study: '7.1' }) },
      { name: 'SR', content: structuredReport({ study: '7.1' }) },
      { name: 'PDF', content: encapsulated(pdf, { study: '7.1', instance: '7.1.9.2', title: 'Befund Thorax' }) },
      {
        name: 'CDA',
        content: encapsulated(Buffer.from('<?xml version="1.0"?><ClinicalDocument/>'), {
          ...{ study: '7.1', instance: '7.1.9.3', mime: 'text/XML', title: 'Brief' },
        }),
      },
    ]);
    const { body } = await person.upload(disc, 'CD.zip');
    expect([body.message, body.extracted, body.dicom]).toEqual(['1 study, 1 new image, 2 reports.', 2, 4]);
    const { study_id, document_id } = body.studies[0];
    const papers = await documentsOf(body);
    expect(papers).toMatchObject([
      { original_filename: 'Imaging Measurement Report 2024-02-29.pdf', patient_id: 1, status: 'pending' },
      { original_filename: 'Befund Thorax 2024-02-29.pdf', mime_type: 'application/pdf', file_size: pdf.length },
    ]);
    const links = (await person.get(`/api/imaging/${study_id}/links`)).body.items;
    expect(links).toMatchObject([
      { id: document_id, link_id: null },
      { id: papers[0].id, link_type: 'report_for' },
      { id: papers[1].id, link_type: 'report_for' },
    ]);
    expect((await studyOf(study_id)).report_status).toBe('placeholder');
    const bundle = (await person.get(`/api/imaging/${study_id}/bundle-files`)).body.items;
    expect(bundle).toMatchObject([{ name: 'Brief 2024-02-29.xml', kind: 'other' }]);
    const again = await person.upload(disc, 'CD.zip');
    expect([again.body.documents, again.body.studies[0].duplicates]).toEqual([[], 4]);
  });

  it('that are uploaded alone have the same documents', async () => {
    const { body } = await person.upload(structuredReport({ study: '7.2', finding: 'Unauffällig' }), 'SR1');
    expect([body.message, body.extracted]).toEqual(['1 study, 0 new images, 1 report.', 1]);
    const broken = encapsulated(Buffer.from('no PDF at all'), { study: '7.2', instance: '7.2.9.2' });
    const odd = (await person.upload(broken, 'PDF1')).body;
    expect([odd.message, odd.documents]).toEqual(['1 study, 0 new images.', []]);
    const study = await studyOf(odd.studies[0].study_id);
    expect(study.objects.map(({ kind }: { kind: string }) => kind)).toEqual(['report', 'encapsulated_pdf']);
  });

  it('give the dose of their study, and of all studies by year', async () => {
    const before = (await person.get('/api/imaging/doses?patient_id=1')).body;
    expect(before).toEqual({ items: [], years: [] });
    const ct = (await person.upload(doseReport({ study: '7.3' }), 'RDSR')).body.studies[0].study_id;
    await person.upload(doseReport({ study: '7.3' }), 'copy');
    const both = zip([
      { name: 'A', content: fluoroscopyDose({ study: '7.4' }) },
      { name: 'B', content: fluoroscopyDose({ study: '7.4', instance: '7.4.9.2' }) },
    ]);
    await person.upload(both, 'two.zip');
    expect((await studyOf(ct)).dose).toEqual({
      ...{ ctdi_vol: 7.5, dlp: 402.5, dap: null, fluoroscopy_seconds: null, glandular_dose: null, activity: null },
    });
    const { items, years } = (await person.get('/api/imaging/doses?patient_id=1')).body;
    expect(items).toMatchObject([
      { fluoroscopy_seconds: 624, dap: expect.closeTo(24.6), dlp: null },
      { study_id: ct, study_date: '2024-02-29', ctdi_vol: 7.5, dlp: 402.5 },
    ]);
    expect(years).toMatchObject([{ year: 2024, studies: 2, dlp: 402.5, fluoroscopy_seconds: 624 }]);
  });

  it('are read and found like other documents', async () => {
    await person.post('/api/pipeline/start');
    await person.idle();
    const { items } = (await person.get('/api/documents?patient_id=1&q=Rundherd%20Oberlappen')).body;
    expect(items).toMatchObject([
      { patient_id: 1, status: 'done', doc_type: 'imaging_report', event_date: '2024-02-29' },
    ]);
  });
});
