import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { verifyVault } from '../../src-main/platform/vault/verify.ts';
import type { MadeStudy } from '../support/household-studies.ts';

let house: Household;
let owner: Client;
const test = base.override('serveOptions', WITHOUT_INBOX);
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

const studyOf = async (id: number) => (await owner.get(`/api/imaging/${id}`)).body;
const form = (bytes: Uint8Array | string, name = 'report.pdf'): FormData => {
  const data = new FormData();
  data.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  return data;
};
const attach = (study: number, body: unknown, query = '') => owner.post(`/api/imaging/${study}/report${query}`, body);
const hasFile = (path: string): boolean => existsSync(join(house.vault, path));

describe('the list of imaging studies', () => {
  it('filters by every parameter, and sorts in both directions with empty values last', async () => {
    const patient = house.make.patient();
    house.make.use(patient);
    const doctor = house.make.name('doctors');
    house.db.prepare("UPDATE doctors SET canonical_display = 'Dr. Zoë Künzli' WHERE id = ?").run(doctor);
    const ct = house.make.study({ body_part: 'CHEST', study_date: '2024-05-01', doctor_id: doctor }).study;
    const mr = house.make.study({ modality: 'MR', body_part: 'KNEE', study_date: '2025-05-01' }).study;
    const none = house.make.study({ modality: 'US', body_part: null, study_date: null }).study;
    house.make.use(house.patient);
    const ids = async (query: string): Promise<number[]> =>
      (await owner.get(`/api/imaging?patient_id=${patient}${query}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([mr, ct, none]);
    expect(await ids('&sort=study_date&order=asc')).toEqual([ct, mr, none]);
    expect(await ids('&sort=body_part&order=asc')).toEqual([ct, mr, none]);
    expect(await ids('&sort=modality&order=desc')).toEqual([none, mr, ct]);
    expect(await ids('&sort=date_added&order=desc&limit=1')).toEqual([mr]);
    expect(await ids('&modality=mr')).toEqual([mr]);
    expect(await ids('&report_status=attached')).toEqual([]);
    expect(await ids('&date_from=2025-01-01')).toEqual([mr]);
    expect(await ids('&date_to=2024-12-31')).toEqual([ct]);
    expect(await ids('&q=kuenzli zoe')).toEqual([ct]);
    expect(await ids('&q=knee nothing')).toEqual([]);
    const { body } = await owner.get(`/api/imaging?patient_id=${patient}&limit=1&offset=1`);
    expect([body.total, body.limit, body.offset, body.items[0].id]).toEqual([3, 1, 1, ct]);
    expect(body.items[0]).toMatchObject({ doctor_name: 'Dr. Zoë Künzli', report_file_path: '', num_images: 3 });
    expect((await owner.get('/api/imaging?limit=501')).status).toBe(422);
  });

  it('leaves out patients whom the caller may not see', async () => {
    const { study } = house.make.study();
    const seen = (await house.as('other').get('/api/imaging?limit=500')).body.items as { id: number }[];
    expect(seen.map(({ id }) => id)).not.toContain(study);
  });
});

describe('a study', () => {
  it('lists frames by position, those of one object apart, and objects without pictures', async () => {
    const { study, series } = house.make.study();
    const { body } = await owner.get(`/api/imaging/${study}/series/${series}/frames`);
    expect(body).toEqual({
      frames: ['00002.dcm#1', '00002.dcm#2', '00001.dcm'],
      count: 3,
      positions: [null, null, 20],
    });
    const detail = await studyOf(study);
    expect(detail.series).toMatchObject([{ series_id: series, study_id: study, series_description: 'axial' }]);
    expect(detail.objects).toMatchObject([{ series_id: series, name: '00003.dcm', kind: 'report' }]);
    const other = house.make.study();
    const { status, body: error } = await owner.get(`/api/imaging/${other.study}/series/${series}/frames`);
    expect([status, error.code]).toEqual([404, 'imaging.series_not_found']);
  });

  it('serves its own bundle files only, and programs as downloads', async () => {
    const [one, two] = [house.make.study(), house.make.study()];
    const { items } = (await owner.get(`/api/imaging/${one.study}/bundle-files`)).body;
    expect(items.map(({ name, kind }: { name: string; kind: string }) => [name, kind])).toEqual([
      ['DICOMDIR', 'dicom'],
      ['PREVIEW/view.exe', 'other'],
    ]);
    for (const name of ['PREVIEW/view.exe', 'PREVIEW%2Fview.exe']) {
      const { status, headers } = await owner.get(`/api/imaging/${one.study}/bundle-file/${name}`);
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        200,
        'application/octet-stream',
        expect.stringMatching(/^attachment; filename="view.exe"/),
      ]);
    }
    const secret = `..%2F..%2F..%2F${encodeURIComponent(`${two.bundle}/DICOMDIR`)}`;
    for (const name of [secret, `..%2Fexam-9/DICOMDIR`, 'view.exe', '%2e%2e%2fvault.db', 'PREVIEW%2F..%2FDICOMDIR'])
      expect([name, (await owner.get(`/api/imaging/${one.study}/bundle-file/${name}`)).status]).toEqual([name, 404]);
  });

  it('records corrections at its document, and says what changed', async () => {
    const { study, document } = house.make.study();
    const patch = (body: unknown) => owner.call('PATCH', `/api/imaging/${study}/metadata`, body);
    expect((await patch({ modality: 'MR', body_part: 'CHEST', accession_number: null })).body).toEqual({
      status: 'updated',
      id: study,
      fields: ['modality', 'accession_number'],
    });
    expect((await patch({ modality: 'MR' })).body).toEqual({ status: 'noop', id: study, fields: [] });
    expect(await studyOf(study)).toMatchObject({ modality: 'MR', accession_number: null });
    expect(
      house.db
        .prepare('SELECT field, old_value, new_value FROM extraction_corrections WHERE document_id = ? ORDER BY id')
        .all(document),
    ).toMatchObject([
      { field: 'imaging.modality', old_value: 'CT', new_value: 'MR' },
      { field: 'imaging.accession_number', new_value: null },
    ]);
    for (const field of ['doctor', 'facility', 'event_date', 'patient_id', 'report_status'])
      expect([field, (await patch({ [field]: 'x' })).status]).toEqual([field, 422]);
  });

  it('lists its document first, without a link, and others with one', async () => {
    const { study, document } = house.make.study();
    const other = house.make.document();
    const made = await owner.post(`/api/imaging/${study}/links`, { target_document_id: other });
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), status: 'linked' }]);
    const links = async () => (await owner.get(`/api/imaging/${study}/links`)).body.items;
    expect(await links()).toMatchObject([
      { link_id: null, link_type: 'report', id: document },
      { link_id: made.body.id, link_type: 'imaging_for', id: other },
    ]);
    const gone = await owner.call('DELETE', `/api/imaging/${study}/links/${made.body.id}`);
    expect([gone.body, (await links()).length]).toEqual([{ status: 'deleted' }, 1]);
  });

  it('follows its document to another date and patient, with its files', async () => {
    const made = house.make.study();
    const target = house.make.patient();
    await owner.call('PATCH', `/api/documents/${made.document}`, { event_date: '2025-06-09' });
    expect(await studyOf(made.study)).toMatchObject({ study_date: '2025-06-09', folder_path: made.folder });
    expect((await owner.post(`/api/documents/${made.document}/move`, { patient_id: target })).status).toBe(200);
    const study = await studyOf(made.study);
    const slug = house.db.prepare('SELECT slug FROM patients WHERE id = ?').pluck().get(target);
    expect([study.patient_id, study.folder_path]).toEqual([
      target,
      made.folder.replace(/^patients\/[^/]+/, `patients/${String(slug)}`),
    ]);
    expect(hasFile(`${study.series[0].folder_path}/00001.dcm`)).toBe(true);
    expect((await owner.get(`/api/imaging/${made.study}/bundle-file/DICOMDIR`)).status).toBe(200);
    expect(hasFile(made.folder)).toBe(false);
  });
});

describe('a document that waits for a report', () => {
  it('has no file, and nothing reports one as missing', async () => {
    const { document, folder } = house.make.study();
    for (const tail of ['/file', '/thumbnail', '/pages/1/image'])
      expect([tail, (await owner.get(`/api/documents/${document}${tail}`)).body.code]).toEqual([
        tail,
        'document.no_file',
      ]);
    const read = await owner.post(`/api/documents/${document}/reprocess`, { mode: 'both' });
    expect([read.status, read.body.code]).toEqual([404, 'document.no_file']);
    const later = await owner.post('/api/documents/schedule-batch', { document_ids: [document] });
    expect(later.body.code).toBe('document.no_file');
    expect((await owner.get(`/api/documents/${document}/find-candidates`)).body.candidates).toEqual([]);
    const renamed = await owner.post(`/api/documents/${document}/rename`, { filename: 'CT of the chest' });
    expect([renamed.status, renamed.body.original_filename, renamed.body.file_path]).toEqual([
      200,
      'CT of the chest',
      '',
    ]);
    const about = (await verifyVault(house.db, house.vault)).faults.filter(
      (fault) => fault.path === '' || fault.path.startsWith(folder) || fault.kind === 'doubled',
    );
    expect(about).toEqual([]);
  });

  it('is where a check reports lost and changed files of its study', async () => {
    const { document, folder, bundle } = house.make.study();
    rmSync(join(house.vault, folder, 'series-001/00001.dcm'));
    rmSync(join(house.vault, bundle, 'DICOMDIR'));
    const found = (await verifyVault(house.db, house.vault)).faults.filter(
      (fault) => 'document_id' in fault && fault.document_id === document,
    );
    expect(found).toEqual([
      { kind: 'missing', path: `${folder}/series-001/00001.dcm`, document_id: document },
      { kind: 'missing', path: `${bundle}/DICOMDIR`, document_id: document },
    ]);
  });

  it('goes to the trash with its study and all files, and comes back with them', async () => {
    const made = house.make.study();
    const removed = await owner.call('DELETE', `/api/documents/${made.document}`);
    expect([removed.status, (await owner.get(`/api/imaging/${made.study}`)).status]).toEqual([200, 404]);
    expect([hasFile(made.folder), hasFile(made.bundle)]).toEqual([false, false]);
    expect((await owner.post(`/api/trash/${removed.body.trash_id}/restore`)).status).toBe(200);
    expect((await studyOf(made.study)).folder_path).toBe(made.folder);
    for (const path of [`${made.folder}/series-001/00002.dcm`, `${made.bundle}/PREVIEW/view.exe`])
      expect([path, hasFile(path)]).toEqual([path, true]);
  });

  it('comes back into a folder of its own if another took its place', async () => {
    const made = house.make.study();
    const removed = await owner.call('DELETE', `/api/documents/${made.document}`);
    mkdirSync(join(house.vault, made.folder), { recursive: true });
    await owner.post(`/api/trash/${removed.body.trash_id}/restore`);
    const { folder_path, series } = await studyOf(made.study);
    expect([folder_path, series[0].folder_path]).toEqual([`${made.folder}-2`, `${made.folder}-2/series-001`]);
    expect(hasFile(`${made.folder}-2/series-001/00001.dcm`)).toBe(true);
  });

  it('keeps a bundle that another study shares', async () => {
    const [one, two] = [house.make.study(), house.make.study()];
    house.db.prepare('UPDATE imaging_studies SET bundle_path = ? WHERE id = ?').run(one.bundle, two.study);
    await owner.call('DELETE', `/api/documents/${one.document}`);
    expect([hasFile(one.folder), hasFile(`${one.bundle}/DICOMDIR`)]).toEqual([false, true]);
  });
});

describe('the report of a study', () => {
  const attached = async (): Promise<MadeStudy & { report: number }> => {
    const made = house.make.study();
    const report = house.make.document();
    expect((await attach(made.study, { document_id: report })).status).toBe(200);
    return { ...made, report };
  };

  it('replaces the document that waited for it, and takes over its links, tags, notes and events', async () => {
    const made = house.make.study();
    const [report, other, event] = [house.make.document(), house.make.document(), house.make.event()];
    await owner.post(`/api/imaging/${made.study}/links`, { target_document_id: other });
    await owner.call('PATCH', `/api/documents/${made.document}`, { tags: ['knee'], user_notes: 'ask Dr. Frei' });
    await owner.post(`/api/events/${event}/link`, { document_id: made.document });
    const { body } = await attach(made.study, {}, `?document_id=${report}`);
    expect(body).toMatchObject({ status: 'attached', study_id: made.study, document_id: report, duplicate: false });
    expect((await owner.get(`/api/documents/${made.document}`)).status).toBe(404);
    expect(await studyOf(made.study)).toMatchObject({ report_status: 'attached', document_id: report });
    const document = (await owner.get(`/api/documents/${report}`)).body;
    expect(document).toMatchObject({ tags: 'knee', user_notes: 'ask Dr. Frei', event_id: event });
    expect(document.imaging_studies).toMatchObject([{ id: made.study }]);
    expect((await owner.get(`/api/imaging/${made.study}/links`)).body.items).toMatchObject([
      { id: report, link_id: null },
      { id: other, link_type: 'imaging_for' },
    ]);
  });

  it('is uploaded as a PDF, and attached before it is read', async () => {
    const made = house.make.study();
    const { status, body } = await attach(made.study, form(house.make.pdf(), 'scan without extension'));
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'queued', study_id: made.study })]);
    expect(await studyOf(made.study)).toMatchObject({
      report_status: 'attached',
      document_id: body.document_id,
      report_filename: 'scan without extension.pdf',
    });
    const path = (await owner.get(`/api/documents/${body.document_id}`)).body.file_path;
    expect(readFileSync(join(house.vault, path)).subarray(0, 5).toString()).toBe('%PDF-');
    const again = house.make.study();
    const bytes = readFileSync(join(house.vault, path));
    expect((await attach(again.study, form(bytes))).body).toMatchObject({
      status: 'attached',
      document_id: body.document_id,
      duplicate: true,
    });
  });

  it('is refused by content, not by name, and for another patient', async () => {
    const made = house.make.study();
    const fake = await attach(made.study, form('not a pdf', 'report.pdf'));
    expect([fake.status, fake.body.code]).toEqual([415, 'imaging.report_not_pdf']);
    const text = house.make.document();
    writeFileSync(join(house.vault, house.make.pathOf(text)), 'a text that is called .pdf');
    expect((await attach(made.study, { document_id: text })).body.code).toBe('imaging.report_not_pdf');
    const lost = house.make.document({ file: false });
    expect((await attach(made.study, { document_id: lost })).body.code).toBe('document.file_missing');
    const waiting = house.make.study().document;
    expect((await attach(made.study, { document_id: waiting })).body.code).toBe('document.no_file');
    const stranger = house.make.document({ patient: house.make.patient() });
    const other = await attach(made.study, { document_id: stranger });
    expect([other.status, other.body.code]).toEqual([409, 'imaging.report_of_other_patient']);
    expect((await attach(made.study, {})).body.code).toBe('imaging.report_not_named');
    expect((await attach(made.study, { document_id: 999_999 })).body.code).toBe('document.not_found');
    expect(await studyOf(made.study)).toMatchObject({ report_status: 'placeholder', document_id: made.document });
  });

  it('can be detached, and stays a document', async () => {
    const { study, report } = await attached();
    const { body } = await owner.call('DELETE', `/api/imaging/${study}/report`);
    expect(body).toMatchObject({ status: 'detached', study_id: study, previous_document_id: report });
    expect((await owner.get(`/api/documents/${report}`)).status).toBe(200);
    expect(await studyOf(study)).toMatchObject({
      report_status: 'placeholder',
      document_id: body.placeholder_document_id,
    });
    expect((await owner.call('DELETE', `/api/imaging/${study}/report`)).body.status).toBe('noop');
  });

  it('does not take its study to the trash, and is its report again when it is restored', async () => {
    const { study, report, folder } = await attached();
    const removed = await owner.call('DELETE', `/api/documents/${report}`);
    expect(await studyOf(study)).toMatchObject({ report_status: 'placeholder', study_date: '2025-06-01' });
    expect(hasFile(`${folder}/series-001/00001.dcm`)).toBe(true);
    await owner.post(`/api/trash/${removed.body.trash_id}/restore`);
    expect(await studyOf(study)).toMatchObject({ report_status: 'attached', document_id: report });
  });

  it('leaves its study also when it is deleted with its event', async () => {
    const { study, report } = await attached();
    const event = house.make.event();
    await owner.post(`/api/events/${event}/link`, { document_id: report });
    await owner.call('DELETE', `/api/events/${event}?delete_documents=true`);
    expect((await owner.get(`/api/documents/${report}`)).status).toBe(404);
    expect(await studyOf(study)).toMatchObject({ report_status: 'placeholder' });
  });
});
