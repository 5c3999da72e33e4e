import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { verifyVault } from '../../src-main/platform/vault/verify.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { ctHeader, withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { test as base } from '../support/fixtures.ts';
import { labReport } from '../support/sample-documents.ts';
import type { Served } from '../support/serve.ts';

let served: Served, person: Client;
const test = base.override('serveOptions', { env: { VAULT_PIPELINE_POLL_INTERVAL: '0.2' } });
test.beforeAll(async ({ served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
});

const studyOf = async (id: number) => (await person.get(`/api/imaging/${id}`)).body;
const framesOf = async (id: number, series = 0): Promise<string[]> => {
  const { series_id } = (await studyOf(id)).series[series];
  return (await person.get(`/api/imaging/${id}/series/${series_id}/frames`)).body.frames;
};
const bytesOf = (path: string): Buffer => readFileSync(join(served.vault, path));

describe('a DICOM file', () => {
  it('becomes a study with a document that waits for its report', async () => {
    const bytes = slice({ study: '1.1' });
    const { status, body } = await person.upload(bytes, 'IM000001');
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ status: 'extracted', extracted: 0, dicom: 1, other: 0, documents: [], skipped: [] }),
    ]);
    expect(body.studies).toEqual([
      expect.objectContaining({ status: 'new', objects: 1, images: 1, duplicates: 0, conflicts: 0 }),
    ]);
    expect(body.message).toBe('1 study, 1 new image.');
    const study = await studyOf(body.studies[0].study_id);
    expect(study).toMatchObject({
      patient_id: 1,
      modality: 'CT',
      body_part: 'CHEST',
      study_description: 'Thorax nativ',
      accession_number: 'A-77',
      study_instance_uid: '1.1',
      study_date: '2024-02-29',
      doctor_name: 'Dr. Eva Huber',
      facility_name: 'Klinik am See',
      report_status: 'placeholder',
      report_filename: 'CT CHEST 2024-02-29 (report pending)',
      folder_path: 'patients/elena-keller/2024/20240229_klinik-am-see_ct-chest',
      series: [{ series_number: 2, num_images: 1, series_description: 'Lunge 1.0' }],
    });
    expect(study.series[0].folder_path).toBe(`${study.folder_path}/series-002`);
    expect(bytesOf(`${study.series[0].folder_path}/00001.dcm`)).toEqual(bytes);
    const document = (await person.get(`/api/documents/${study.document_id}`)).body;
    expect(document).toMatchObject({ status: 'done', file_path: '', doc_type: 'imaging_report', ocr_engine: 'dicom' });
  });

  it('without preamble is recognized by its content', async () => {
    const { body } = await person.upload(slice({ study: '1.2', writing: { hasPreamble: false } }), 'IMG1');
    expect(body.studies).toMatchObject([{ status: 'new', images: 1 }]);
  });

  it('of another person makes its document ask whose it is', async () => {
    const { body } = await person.upload(
      slice({ study: '1.3', patient: 'Rossi^Luca', birthDate: '19500101' }),
      'a.dcm',
    );
    const document = (await person.get(`/api/documents/${body.studies[0].document_id}`)).body;
    expect([document.status, document.patient_undecided, document.extracted_patient_name]).toEqual([
      'needs_review',
      true,
      'Luca Rossi',
    ]);
    expect(document.review_reasons).toEqual([expect.objectContaining({ code: 'other_patient' })]);
  });

  it('of another sex asks too, whoever its name says', async () => {
    await person.call('PATCH', '/api/patients/1', { sex: 'F' });
    const { body } = await person.upload(slice({ study: '1.31', sex: 'M' }), 'a.dcm');
    const document = (await person.get(`/api/documents/${body.studies[0].document_id}`)).body;
    expect([document.status, document.patient_undecided]).toEqual(['needs_review', true]);
    expect(document.review_reasons).toMatchObject([
      { code: 'other_sex', params: { found: 'M', expected: 'Elena Keller' } },
    ]);
  });

  it('without a chosen patient is given to the one whom it certainly names', async () => {
    const { body } = await person.upload(slice({ study: '1.4' }), 'a.dcm', null);
    expect(await studyOf(body.studies[0].study_id)).toMatchObject({
      patient_id: 1,
      folder_path: expect.stringMatching(/^patients\/elena-keller\/2024\//),
    });
    const other = await person.upload(slice({ study: '1.5', patient: 'Rossi^Luca' }), 'a.dcm', null);
    expect(await studyOf(other.body.studies[0].study_id)).toMatchObject({
      patient_id: null,
      folder_path: expect.stringMatching(/^unclassified\/user-1\/2024\//),
    });
  });

  it('still asks whose it is after a patient was corrected, and is filed once its person is added', async () => {
    const wrong = await person.upload(slice({ study: '1.6', patient: 'Meier^Ursina', birthDate: '19620304' }), 'a.dcm');
    const open = await person.upload(
      slice({ study: '1.7', patient: 'Meier^Ursina', birthDate: '19620304' }),
      'a.dcm',
      null,
    );
    const of = async (answer: typeof wrong) =>
      (await person.get(`/api/documents/${answer.body.studies[0].document_id}`)).body;
    await person.call('PATCH', '/api/patients/1', { display_name: 'Elena M. Keller' });
    await person.call('PATCH', '/api/patients/1', { display_name: 'Elena Keller' });
    expect(await of(wrong)).toMatchObject({ status: 'needs_review', patient_undecided: true, patient_id: 1 });
    expect(await of(open)).toMatchObject({ status: 'needs_review', patient_id: null });
    const added = await person.post('/api/patients', {
      display_name: 'Ursina Meier',
      date_of_birth: '1962-03-04',
      sex: 'F',
    });
    expect(await of(open)).toMatchObject({ status: 'done', patient_id: added.body.id });
    const study = await studyOf(open.body.studies[0].study_id);
    expect(study).toMatchObject({
      patient_id: added.body.id,
      folder_path: expect.stringMatching(/^patients\/ursina-meier\/2024\//),
    });
    expect(existsSync(join(served.vault, study.series[0].folder_path, '00001.dcm'))).toBe(true);
  });

  it('tells nothing of a study that its uploader may not see any longer', async () => {
    const bytes = slice({ study: '1.8' });
    const before = (await person.upload(bytes, 'a.dcm', null)).body.studies[0];
    expect(before.status).toBe('new');
    const db = openDatabase(join(served.vault, 'vault.db'));
    db.prepare('DELETE FROM patient_access WHERE patient_id = 1').run();
    const after = (await person.upload(bytes, 'a.dcm', null)).body.studies[0];
    db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (1, 1, 'owner')").run();
    db.close();
    expect(after).toMatchObject({ status: 'new', duplicates: 0 });
    expect(after.study_id).not.toBe(before.study_id);
  });

  it('that is damaged, or only a directory, is refused', async () => {
    const damaged = await person.upload(Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), Buffer.alloc(9)]), 'a');
    expect([damaged.status, damaged.body.code]).toEqual([400, 'upload.damaged']);
    const alone = await person.upload(directory(), 'DICOMDIR');
    expect([alone.status, alone.body.code]).toEqual([415, 'upload.dicom_directory']);
  });
});

describe('objects of one study', () => {
  it('are stored once, and beside each other if their bytes differ', async () => {
    const first = slice({ study: '2.1', number: 1 });
    const { body } = await person.upload(first, 'a.dcm');
    const id = body.studies[0].study_id;
    expect((await person.upload(first, 'renamed.dcm')).body.studies).toEqual([
      expect.objectContaining({ study_id: id, status: 'known', objects: 0, duplicates: 1 }),
    ]);
    const other = await person.upload(slice({ study: '2.1', number: 1, pixel: 9 }), 'a.dcm');
    expect(other.body).toMatchObject({ studies: [{ study_id: id, status: 'extended', objects: 1, conflicts: 1 }] });
    expect(other.body.message).toContain('1 object differs from another one of the same UID; both are kept.');
    expect(await framesOf(id)).toHaveLength(2);
    expect((await studyOf(id)).num_images).toBe(2);
  });

  it('are ordered by position, then by number, and frames of one object follow each other', async () => {
    const files = [
      slice({ study: '2.2', number: 1, position: 30 }),
      slice({ study: '2.2', number: 2, position: 10 }),
      slice({ study: '2.2', number: 4, position: 20 }),
      slice({ study: '2.2', number: 3, position: 20, frames: 2 }),
      slice({ study: '2.2', number: 9, position: null }),
    ].map((content, index) => ({ name: `${index}`, content }));
    const { body } = await person.upload(zip(files), 'disc.zip');
    expect(await framesOf(body.studies[0].study_id)).toEqual([
      '00002.dcm',
      '00004.dcm#1',
      '00004.dcm#2',
      '00003.dcm',
      '00001.dcm',
      '00005.dcm',
    ]);
  });

  it('have a folder of their own, also beside a study of the same day and place', async () => {
    const folders: string[] = [];
    for (const study of ['2.3', '2.4'])
      folders.push(
        (await studyOf((await person.upload(slice({ study }), 'a.dcm')).body.studies[0].study_id)).folder_path,
      );
    expect(new Set(folders).size).toBe(2);
  });
});

describe('a frame', () => {
  it('is drawn with the window that is asked for, enlarged and inverted, or returned as it was filed', async () => {
    const bytes = slice({ study: '5.1', frames: 2 });
    const { study_id } = (await person.upload(bytes, 'a.dcm')).body.studies[0];
    const { series_id } = (await studyOf(study_id)).series[0];
    const frame = async (index: number, query = '') => {
      const path = `/api/imaging/${study_id}/series/${series_id}/frame/${index}${query}`;
      const response = await fetch(served.url + path, { headers: { cookie: person.cookie } });
      return { response, data: Buffer.from(await response.arrayBuffer()) };
    };
    const pixel = async (query: string) => {
      const { data } = await frame(1, query);
      const { data: raw, info } = await sharp(data).raw().toBuffer({ resolveWithObject: true });
      return [info.format, info.width, info.height, raw[0]];
    };
    // Each of the 3 × 2 pixels is 0x0707.
    expect(await pixel('?wc=1799&ww=1')).toEqual(['raw', 3, 2, 255]);
    expect(await pixel('?wc=5000&ww=100')).toEqual(['raw', 3, 2, 0]);
    expect(await pixel('?wc=5000&ww=100&invert=true&upscale=3')).toEqual(['raw', 9, 6, 255]);
    const first = await frame(0);
    expect(first.response.headers.get('content-type')).toBe('image/png');
    const raw = await frame(0, '?format=dicom');
    expect([raw.response.headers.get('content-type'), raw.data]).toEqual(['application/dicom', bytes]);
    expect((await frame(2)).response.status).toBe(404);
    expect((await frame(0, '?upscale=9')).response.status).toBe(422);
    expect((await frame(0, '?ww=0')).response.status).toBe(422);
    const path = `/api/imaging/${study_id}/series/${series_id}/frame/0`;
    expect((await person.get(`${path}/window`)).body).toEqual({ window_center: 40, window_width: 400 });
    const { items, count, is_truncated } = (await person.get(`${path}/metadata`)).body;
    expect([items.length, is_truncated]).toEqual([count, false]);
    expect(items).toContainEqual({
      tag: '(0010,0010)',
      keyword: 'PatientName',
      vr: 'PN',
      name: 'Patient Name',
      value: 'Keller^Elena',
      level: 0,
    });
    expect(items.at(-1)).toMatchObject({ keyword: 'PixelData', value: '24 bytes' });
  });

  it('that has no decoder, or is damaged, is refused with the reason', async () => {
    const mpeg = slice({ study: '5.2', writing: { syntax: '1.2.840.10008.1.2.4.100' } });
    const cut = slice({ study: '5.3' }).subarray(0, -4);
    const withoutPixels = writeDicom(withAttributes(ctHeader(), attribute(0x0020_000d, 'UI', '5.4')));
    const answers: unknown[] = [];
    for (const bytes of [mpeg, cut, withoutPixels]) {
      const { study_id } = (await person.upload(bytes, 'a.dcm')).body.studies[0];
      const { series_id } = (await studyOf(study_id)).series[0];
      const { status, body } = await person.get(`/api/imaging/${study_id}/series/${series_id}/frame/0`);
      answers.push([status, body.code]);
    }
    expect(answers).toEqual([
      [415, 'imaging.frame_unsupported'],
      [415, 'imaging.frame_damaged'],
      // Listed as what it is, without frames.
      [404, 'imaging.frame_not_found'],
    ]);
  });
});

it('lists no more frames of a series than a list holds', async () => {
  const film = (number: number): Buffer => slice({ study: '1.30', number, position: number, frames: 300_000 });
  await person.upload(film(1), 'a.dcm');
  const { study_id } = (await person.upload(film(2), 'b.dcm')).body.studies[0];
  const { num_images, series } = await studyOf(study_id);
  const frames = await framesOf(study_id);
  expect([num_images, frames.length, frames.at(-1)]).toEqual([500_000, 500_000, '00002.dcm#200000']);
  const address = `/api/imaging/${study_id}/series/${series[0].series_id}/frame/`;
  expect((await person.get(`${address}499999/window`)).status).toBe(200);
  expect((await person.get(`${address}500000/window`)).status).toBe(404);
});

describe('an imaging disc', () => {
  const upload = async () => {
    const report = Buffer.from(await labReport({ seed: 77 }));
    return person.upload(
      zip([
        { name: 'DICOMDIR', content: directory() },
        { name: 'DICOM/S1/I1', content: slice({ study: '3.1', number: 1 }) },
        { name: 'DICOM/S1/I2', content: slice({ study: '3.1', number: 2, position: 20 }) },
        { name: 'DICOM/S2/I1', content: slice({ study: '3.2', number: 1 }) },
        { name: 'VIEWER/run.exe', content: Buffer.from('MZ program') },
        { name: 'VIEWER/A/readme.txt', content: Buffer.from('read me') },
        { name: 'B/readme.txt', content: Buffer.from('read me too') },
        { name: 'report.pdf', content: report },
      ]),
      'CD.zip',
    );
  };

  it('is filed by study, with its other files beside them and its PDFs as documents', async () => {
    const { status, body } = await upload();
    expect([status, body.dicom, body.extracted, body.other, body.skipped]).toEqual([201, 3, 1, 0, []]);
    expect(body.studies).toMatchObject([
      { status: 'new', objects: 2, images: 2 },
      { status: 'new', objects: 1, images: 1 },
    ]);
    expect(body.message).toBe('2 studies, 3 new images. 1 of 1 files were stored.');
    for (const { study_id } of body.studies) {
      const { items } = (await person.get(`/api/imaging/${study_id}/bundle-files`)).body;
      expect(items.map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`)).toEqual([
        'A/readme.txt other',
        'B/readme.txt other',
        'DICOMDIR dicom',
        'VIEWER/run.exe other',
      ]);
    }
    const path = `/api/imaging/${body.studies[0].study_id}/bundle-file/VIEWER/run.exe`;
    expect((await person.get(path)).headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('adds nothing when it is uploaded again', async () => {
    const { body } = await upload();
    expect(body).toMatchObject({
      extracted: 0,
      dicom: 3,
      studies: [
        { status: 'known', duplicates: 2 },
        { status: 'known', duplicates: 1 },
      ],
      documents: [{ status: 'duplicate' }],
    });
    expect((await person.get('/api/imaging?patient_id=1&q=thorax')).body.items.length).toBeGreaterThan(1);
  });
});

describe('the inbox', () => {
  it('files DICOM objects, and moves copies to the trash', async () => {
    const folder = join(served.vault, 'inbox/elena-keller/disc');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'I1'), slice({ study: '4.1', number: 1 }));
    const found = async () =>
      ((await person.get('/api/imaging?patient_id=1&limit=500')).body.items as Record<string, unknown>[]).find(
        (study) => study['study_instance_uid'] === '4.1',
      );
    await expect.poll(found).toMatchObject({ num_images: 1, report_status: 'placeholder' });
    expect(existsSync(join(folder, 'I1'))).toBe(false);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'copy'), slice({ study: '4.1', number: 1 }));
    const labels = async () =>
      ((await person.get('/api/trash')).body.items as { label: string }[]).map(({ label }) => label);
    await expect.poll(labels).toContain('copy');
    expect(await found()).toMatchObject({ num_images: 1 });
  });
});

it('leaves nothing that a check reports, and nothing behind', async () => {
  const db = openDatabase(join(served.vault, 'vault.db'));
  const { faults, leftovers } = await verifyVault(db, served.vault);
  db.close();
  expect([faults, leftovers]).toEqual([[], []]);
});

it('takes folders and ZIPs from the command line', async () => {
  await person.post('/api/pipeline/start');
  await person.idle();
  await served.stop();
  const folder = mkdtempSync(join(tmpdir(), 'hearth-disc-'));
  mkdirSync(join(folder, 'DICOM/S1'), { recursive: true });
  writeFileSync(join(folder, 'DICOM/S1/I1'), slice({ study: '6.1', number: 1 }));
  writeFileSync(join(folder, 'DICOM/S1/I2'), slice({ study: '6.1', number: 2 }));
  writeFileSync(join(folder, 'DICOM/.hidden'), 'of the system');
  writeFileSync(join(folder, 'disc.zip'), zip([{ name: 'I3', content: slice({ study: '6.1', number: 3 }) }]));
  mkdirSync(join(folder, 'CD/VIEWER'), { recursive: true });
  writeFileSync(join(folder, 'CD/DICOMDIR'), directory());
  writeFileSync(join(folder, 'CD/IM1'), slice({ study: '6.2' }));
  writeFileSync(join(folder, 'CD/VIEWER/run.exe'), 'MZ program');
  const { code, said } = await hearth(['import', folder, '--patient', 'elena-keller', '--vault', served.vault]);
  rmSync(folder, { recursive: true });
  const name = basename(folder);
  expect([code, said.split('\n').filter((line) => line.startsWith(name))]).toEqual([
    0,
    [
      `${name}: 4 new.`,
      `${name}/CD holds 1 study, 1 image.`,
      `${name}/CD: 1 study, 1 new image.`,
      `${name}/DICOM/S1/I1: 1 study, 1 new image.`,
      `${name}/DICOM/S1/I2: 1 study, 1 new image.`,
      `${name}/disc.zip holds 1 study, 1 image.`,
      `${name}/disc.zip: 1 study, 1 new image.`,
      `${name}: 4 stored.`,
    ],
  ]);
  const db = openDatabase(join(served.vault, 'vault.db'));
  const filed = db.prepare("SELECT num_images FROM imaging_studies WHERE study_instance_uid = '6.1'").pluck().all();
  const kept = db
    .prepare(
      `SELECT b.name FROM imaging_bundle_files AS b JOIN imaging_studies AS s ON s.id = b.study_id
        WHERE s.study_instance_uid = '6.2' ORDER BY b.name`,
    )
    .pluck()
    .all();
  db.close();
  expect([filed, kept]).toEqual([[3], ['DICOMDIR', 'VIEWER/run.exe']]);
});
