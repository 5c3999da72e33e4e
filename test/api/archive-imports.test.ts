/** @module-tag long */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ArchiveImport, ImportItem } from '../../src-shared/contract/archive-imports.ts';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { filesBelow, hashOf } from '../support/files.ts';
import { test as base } from '../support/fixtures.ts';
import { paperlessExport } from '../support/paperless-export.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-imports-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let served: Served, person: Client;
const test = base.override('serveOptions', { env: { VAULT_PIPELINE_WATCH: 'false' } });
test.beforeAll(async ({ served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  // What is imported is compared before it is read.
  await person.post('/api/pipeline/stop');
});

const letterOf = async (text: string): Promise<Buffer> => Buffer.from(await letter([[{ text, y: 60 }]]));
function write(folder: string, files: Readonly<Record<string, Uint8Array | string>>): string {
  const root = join(place, folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}
const get = async (id: number): Promise<ArchiveImport> => (await person.get(`/api/imports/${id}`)).body;
async function settle(id: number, status: string): Promise<ArchiveImport> {
  await expect.poll(async () => (await get(id)).status, { timeout: 30_000 }).toBe(status);
  return get(id);
}
async function previewOf(path: string): Promise<ArchiveImport> {
  const { status, body } = await person.post('/api/imports', { path, patient_id: 1 });
  expect([status, body.status]).toEqual([201, 'scanning']);
  return settle(body.id, 'ready');
}
async function run(id: number): Promise<ArchiveImport> {
  expect((await person.post(`/api/imports/${id}/run`)).status).toBe(202);
  return settle(id, 'done');
}
const itemsOf = async (id: number): Promise<ImportItem[]> => (await person.get(`/api/imports/${id}/items`)).body.items;
const found = (counts: ArchiveImport['counts']) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
const documentCount = async (): Promise<number> => (await person.get('/api/documents')).body.total;
/** Names, content and times of a folder. */
const stateOf = (root: string) => filesBelow(root).map((path) => [path, hashOf(path), statSync(path).mtimeMs]);

describe('plain folders', () => {
  it('are looked through before anything is stored, then stored with their folders as tags, and undone', async () => {
    const present = await letterOf('here already');
    await person.upload(present, 'present.pdf');
    const before = await documentCount();
    const root = write('folders', {
      'Labor/2021/crp.pdf': await letterOf('crp'),
      'Labor/known.pdf': present,
      'broken.pdf': '%PDF-1.7 nothing',
      'notes.xyz': 'unknown',
      '.hidden/secret.pdf': await letterOf('hidden'),
      'CD/DICOMDIR': directory(),
      'CD/IM1': slice({ study: '8.1' }),
    });
    const source = stateOf(root);
    const preview = await previewOf(root);
    expect([preview.kind, found(preview.counts)]).toEqual(['folder', { waiting: 2, known: 1, refused: 2 }]);
    expect((await itemsOf(preview.id)).map(({ name, status, code }) => [name, status, code])).toEqual([
      ['CD', 'waiting', null],
      ['Labor/2021/crp.pdf', 'waiting', null],
      ['Labor/known.pdf', 'known', null],
      ['broken.pdf', 'refused', 'upload.damaged'],
      ['notes.xyz', 'refused', 'upload.unsupported_type'],
    ]);
    expect(await documentCount()).toBe(before);
    const done = await run(preview.id);
    expect(found(done.counts)).toEqual({ stored: 2, known: 1, refused: 2 });
    const stored = (await itemsOf(preview.id)).find(({ name }) => name === 'Labor/2021/crp.pdf');
    const { body } = await person.get(`/api/documents/${stored?.document_id}`);
    expect([body.tags, body.notes, body.original_filename]).toEqual(['Labor', 'folders/Labor/2021/crp.pdf', 'crp.pdf']);
    expect((await person.get('/api/imaging')).body.total).toBe(1);
    const report = (await person.get(`/api/imports/${preview.id}/report`)).body as unknown as string;
    expect(report.split('\r\n')[4]).toMatch(/^broken\.pdf,file,refused,.*damaged/i);
    expect((await person.post(`/api/imports/${preview.id}/undo`)).status).toBe(202);
    await settle(preview.id, 'undone');
    expect([await documentCount(), (await person.get('/api/imaging')).body.total]).toEqual([before, 0]);
    expect(stateOf(root)).toEqual(source);
    // What was undone is in the trash, so that it is not imported again unasked.
    const again = await previewOf(root);
    expect(found(again.counts)).toMatchObject({ known: 1, in_trash: 1 });
  });

  it('leave documents that were moved to another record when they are undone', async () => {
    const { id } = await previewOf(
      write('moved', { 'a.pdf': await letterOf('stays'), 'b.pdf': await letterOf('goes') }),
    );
    await run(id);
    const [moved, kept] = (await itemsOf(id)).map(({ document_id: document }) => document);
    const born = { display_name: 'Rosa Conti', date_of_birth: '1950-02-02', sex: 'F' };
    const other = (await person.post('/api/patients', born)).body.id;
    expect((await person.post(`/api/documents/${moved}/move`, { patient_id: other })).status).toBe(200);
    await person.post(`/api/imports/${id}/undo`);
    await settle(id, 'undone');
    const statusOf = async (document: unknown) => (await person.get(`/api/documents/${document}`)).status;
    expect([await statusOf(moved), await statusOf(kept)]).toEqual([200, 404]);
  });

  it('leave out the vault if it is below them', async () => {
    const root = join(place, 'around');
    const core = await serve({ vault: join(root, 'vault'), env: { VAULT_PIPELINE_WATCH: 'false' } });
    const owner = new Client(core.url);
    await owner.setup();
    await owner.post('/api/pipeline/stop');
    await owner.upload(await letterOf('in the vault'), 'inside.pdf');
    write('around', { 'outside.pdf': await letterOf('beside the vault') });
    symlinkSync(join(root, 'vault', 'patients'), join(place, 'link'));
    const begin = async (path: string) => (await owner.post('/api/imports', { path, patient_id: 1 })).body;
    expect((await begin(join(place, 'link'))).code).toBe('import.source_inside');
    const { id } = await begin(root);
    await expect.poll(async () => (await owner.get(`/api/imports/${id}`)).body.status).toBe('ready');
    const { items } = (await owner.get(`/api/imports/${id}/items`)).body as { items: ImportItem[] };
    expect(items.map(({ name }) => name)).toEqual(['outside.pdf']);
    await core.stop();
  });

  it('are refused with a reason', async () => {
    const refusalOf = async (path: string) => (await person.post('/api/imports', { path, patient_id: 1 })).body.code;
    expect(await refusalOf('relative')).toBe('import.path_invalid');
    expect(await refusalOf(join(place, 'nowhere'))).toBe('import.source_missing');
    expect(await refusalOf(join(served.vault, 'patients'))).toBe('import.source_inside');
    mkdirSync(join(place, 'empty'));
    const { body } = await person.post('/api/imports', { path: join(place, 'empty'), patient_id: 1 });
    expect((await settle(body.id, 'failed')).error_code).toBe('import.nothing_found');
  });
});

describe('an export of paperless-ngx', () => {
  for (const isSplit of [false, true])
    it(`keeps titles, tags, correspondents, types, dates and notes (${isSplit ? 'split manifest' : 'ZIP'})`, async () => {
      const files = await paperlessExport(isSplit);
      const path = isSplit ? write('paperless', files) : join(place, 'export.zip');
      if (!isSplit)
        writeFileSync(
          path,
          zip(Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) }))),
        );
      const preview = await previewOf(path);
      expect([preview.kind, found(preview.counts)]).toEqual(['paperless', { waiting: 3, refused: 2 }]);
      const done = await run(preview.id);
      expect(found(done.counts)).toEqual({ stored: 3, refused: 2 });
      const items = (await itemsOf(preview.id)).toSorted((a, b) => a.name.localeCompare(b.name));
      expect(items.map(({ name, code }) => [name, code])).toEqual([
        ['a/original.pdf', null],
        ['changed.pdf', 'import.file_changed'],
        ['gone.pdf', 'import.file_missing'],
        ['letter.docx-archive.pdf', null],
        ['scan.pdf-archive.pdf', null],
      ]);
      const document = async (index: number) => (await person.get(`/api/documents/${items[index]?.document_id}`)).body;
      expect(await document(0)).toMatchObject({
        title: 'Blood test',
        tags: 'Blood  urgent,Family',
        doctor_name: 'Dr. Anna Frisch',
        doc_type: 'lab_test',
        event_date: '2023-05-04',
        user_notes: '2023-06-01: ask again\nCase: A-1',
        notes: 'paperless-ngx · ASN 42',
        original_filename: 'scan_0001.pdf',
      });
      expect(await document(3)).toMatchObject({ tags: 'Garantie', original_filename: 'letter.pdf' });
    });

  it('is refused if its manifest is damaged', async () => {
    const root = write('paperless-damaged', { 'manifest.json': '[{"model": "documents.tag", "pk": 1, ' });
    const { body } = await person.post('/api/imports', { path: root, patient_id: 1 });
    expect((await settle(body.id, 'failed')).error_code).toBe('import.manifest_invalid');
  });
});

/** An export of the Health app. */
async function healthExport(): Promise<Buffer> {
  const record = (type: string, unit: string, value: string, day: string, time = '08:00:00') =>
    `<Record type="HKQuantityTypeIdentifier${type}" sourceName="Ann&#8217;s Watch" unit="${unit}" ` +
    `startDate="${day} ${time} +0200" endDate="${day} ${time} +0200" value="${value}"/>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 12 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData locale CDATA #REQUIRED>
]>
<HealthData locale="de_DE">
 <ExportDate value="2024-05-01 09:00:00 +0200"/>
 <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
 ${record('BodyMass', 'lb', '150', '2024-03-01')}
 ${record('BodyMass', 'kg', '67.5', '2024-03-02')}
 ${record('OxygenSaturation', '%', '0.97', '2024-03-02')}
 ${[60, 62, 64, 66, 68].map((rate, n) => record('HeartRate', 'count/min', `${rate}`, '2024-03-03', `0${n}:00:00`)).join('\n ')}
 <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff"
  startDate="2024-03-04 08:00:00 +0200" endDate="2024-03-04 08:00:00 +0200">
  ${record('BloodPressureSystolic', 'mmHg', '121', '2024-03-04')}
 </Correlation>
 ${record('BloodPressureSystolic', 'mmHg', '121', '2024-03-04')}
 ${record('StepCount', 'count', '8000', '2024-03-04')}
 <Workout workoutActivityType="HKWorkoutActivityTypeWalking" duration="10" durationUnit="min" sourceName="Watch"
  startDate="2024-03-04 10:00:00 +0200" endDate="2024-03-04 10:10:00 +0200"/>
 <ClinicalRecord type="Observation" identifier="o1" sourceName="City Clinic" sourceURL="https://example.org/o1"
  fhirVersion="4.0.1" receivedDate="2024-03-05 10:00:00 +0200" resourceFilePath="/clinical-records/Observation-1.json"/>
</HealthData>`;
  const observation = {
    resourceType: 'Observation',
    code: { coding: [{ system: 'http://loinc.org', code: '1988-5', display: 'CRP' }] },
    effectiveDateTime: '2024-02-10T09:00:00+01:00',
    valueQuantity: { value: 3.2, unit: 'mg/L' },
  };
  const paper = {
    resourceType: 'DocumentReference',
    description: 'Discharge letter',
    date: '2024-02-11T00:00:00Z',
    content: [
      { attachment: { contentType: 'application/pdf', data: (await letterOf('discharge')).toString('base64') } },
    ],
  };
  const files = {
    'Exportieren.xml': xml,
    'export_cda.xml': '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>',
    'clinical-records/Observation-1.json': JSON.stringify(observation),
    'clinical-records/DocumentReference-1.json': JSON.stringify(paper),
    'clinical-records/AllergyIntolerance-1.json': JSON.stringify({ resourceType: 'AllergyIntolerance' }),
    'clinical-records/broken.json': '{',
    'electrocardiograms/ecg_2024-03-01.csv': 'Name,Ann',
  };
  return zip(
    Object.entries(files).map(([name, content]) => ({
      name: `apple_health_export/${name}`,
      content: Buffer.from(content),
    })),
  );
}

describe('an export of Apple Health', () => {
  it('gives measurements to the trends, papers to the documents, and says what is left out', async () => {
    const path = join(place, 'Export.zip');
    writeFileSync(path, await healthExport());
    const bytes = readFileSync(path);
    const preview = await previewOf(path);
    expect([preview.kind, preview.values]).toEqual(['apple_health', 5]);
    const done = await run(preview.id);
    expect(found(done.counts)).toEqual({ stored: 6, refused: 1, left_out: 4 });
    const results = (await person.get('/api/lab-results?patient_id=1')).body.items as Record<string, unknown>[];
    const shown = results
      .map(({ test_name_original, value, unit, test_date, panel_name }) => [
        ...[test_name_original, value, unit, test_date, panel_name],
      ])
      .toSorted((a, b) => String([a[3], a[0]]).localeCompare(String([b[3], b[0]])));
    const watch = 'Ann’s Watch (Apple Health)';
    expect(shown).toEqual([
      ['CRP', 3.2, 'mg/L', '2024-02-10', 'City Clinic (Apple Health)'],
      ['Body mass', 68.038856, 'kg', '2024-03-01', watch],
      ['Body mass', 67.5, 'kg', '2024-03-02', watch],
      ['Oxygen saturation', 97, '%', '2024-03-02', watch],
      // Five values of a day are what a device records: their mean is kept.
      ['Heart rate', 64, 'count/min', '2024-03-03', watch],
      ['Blood pressure systolic', 121, 'mmHg', '2024-03-04', watch],
    ]);
    const paper = (await itemsOf(preview.id)).find(({ name }) => name.includes('DocumentReference'));
    expect((await person.get(`/api/documents/${paper?.document_id}`)).body).toMatchObject({
      ...{ original_filename: 'Discharge letter.pdf', event_date: '2024-02-11' },
    });
    expect(
      (await itemsOf(preview.id)).flatMap(({ name, status, count }) => (status === 'left_out' ? [[name, count]] : [])),
    ).toEqual([
      ['apple_health_export/clinical-records/AllergyIntolerance-1.json', 1],
      ['step_count', 1],
      ['Workout', 1],
      ['electrocardiograms', 1],
    ]);
    // Once more: everything is there.
    const again = await run((await previewOf(path)).id);
    expect((await person.get('/api/lab-results?patient_id=1')).body.total).toBe(6);
    await person.post(`/api/imports/${again.id}/undo`);
    await settle(again.id, 'undone');
    expect((await person.get('/api/lab-results?patient_id=1')).body.total).toBe(6);
    await person.post(`/api/imports/${preview.id}/undo`);
    await settle(preview.id, 'undone');
    expect((await person.get('/api/lab-results?patient_id=1')).body.total).toBe(0);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
});

describe('an import', () => {
  it('does not exist for an administrator who may not change the record', async () => {
    const { id } = await previewOf(write('mine', { 'a.pdf': await letterOf('mine') }));
    await person.post('/api/settings/users', {
      ...{ username: 'bob', password: 'correct horse battery', display_name: 'Bob', role: 'admin' },
    });
    const bob = new Client(served.url);
    await bob.post('/api/auth/login', { username: 'bob', password: 'correct horse battery' });
    expect((await bob.get('/api/imports')).body.items).toEqual([]);
    for (const path of ['', '/items', '/report']) expect((await bob.get(`/api/imports/${id}${path}`)).status).toBe(404);
    expect((await bob.post(`/api/imports/${id}/run`)).body.code).toBe('import.not_found');
  });

  it('goes on after a kill, and stores each file once', { timeout: 90_000 }, async () => {
    const vault = join(place, 'killed');
    const env = { VAULT_PIPELINE_WATCH: 'false' };
    const names = Array.from({ length: 40 }, (_, n) => `file-${String(n).padStart(2, '0')}.pdf`);
    const files = await Promise.all(names.map(async (name) => [name, await letterOf(name)] as const));
    const root = write('many', Object.fromEntries(files));
    let core = await serve({ vault, env });
    const client = new Client(core.url);
    const start = async (): Promise<Client> => Object.assign(new Client(core.url), { cookie: client.cookie });
    await client.setup();
    await client.post('/api/pipeline/stop');
    const { id } = (await client.post('/api/imports', { path: root, patient_id: 1 })).body;
    const state = async (of: Client): Promise<ArchiveImport> => (await of.get(`/api/imports/${id}`)).body;
    // Killed while it looks through the folder, and twice while it stores.
    await expect.poll(async () => (await state(client)).counts.waiting, { interval: 5 }).toBeGreaterThan(3);
    await core.stop('SIGKILL');
    for (const least of [3, 20]) {
      core = await serve({ vault, env });
      const now = await start();
      await expect.poll(async () => (await state(now)).status, { timeout: 30_000 }).toMatch(/ready|running|done/);
      if ((await state(now)).status === 'ready') await now.post(`/api/imports/${id}/run`);
      await expect
        .poll(async () => (await state(now)).counts.stored, { interval: 5, timeout: 30_000 })
        .toBeGreaterThan(least);
      await core.stop('SIGKILL');
    }
    core = await serve({ vault, env });
    const last = await start();
    await expect.poll(async () => (await state(last)).status, { timeout: 30_000 }).toBe('done');
    expect(found((await state(last)).counts)).toEqual({ stored: 40 });
    expect((await last.get('/api/documents')).body.total).toBe(40);
    await core.stop();
  });

  it('can be made on the command line, with a preview and a report', async () => {
    const vault = join(place, 'by-command');
    const core = await serve({ vault, env: { VAULT_PIPELINE_WATCH: 'false' } });
    await new Client(core.url).setup();
    await core.stop();
    const root = write('papers', {
      'one.pdf': await letterOf('one'),
      'sub/two.pdf': await letterOf('two'),
      'x;=1+1.pdf': 'x',
    });
    const report = join(place, 'report.csv');
    const line = ['import', root, '--patient', 'elena-keller', '--vault', vault];
    const preview = await hearth([...line, '--preview']);
    expect([preview.code, preview.said]).toEqual([0, 'papers: 2 new, 1 not readable.\n']);
    const done = await hearth([...line, '--report', report]);
    expect([done.code, done.said.trim().split('\n')]).toEqual([
      1,
      [
        'papers: 2 new, 1 not readable.',
        'papers/one.pdf: Stored. Reading starts next.',
        'papers/sub/two.pdf: Stored. Reading starts next.',
        'papers: 2 stored, 1 not readable.',
      ],
    ]);
    const lines = readFileSync(report, 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(4);
    // A spreadsheet that separates cells with semicolons must not find a formula.
    expect(lines.join()).toContain("x;'=1+1.pdf");
  });
});

it('leaves nothing in the folder for temporary files', () => {
  expect(filesBelow(join(served.vault, 'tmp'))).toEqual([]);
});
