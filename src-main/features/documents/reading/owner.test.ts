import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPipeline, type TestPipeline } from '../../../../test/support/pipeline.ts';
import { printedPage } from '../../../../test/fixtures/printed-page.ts';
import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';

let t: TestPipeline;
let ann: UserCaller, elena: number, marco: number;

const REPORT = (...patient: string[]): string[] => [
  'Synlabor Mittelland AG',
  'Laborbefund',
  ...patient,
  'Probenentnahme: 12.11.2025',
  'Ferritin    23   µg/L   30 - 300',
];

beforeEach(async () => {
  t = openTestPipeline();
  const account = insert('users', {
    username: 'ann',
    username_key: 'ann',
    display_name: 'Ann',
    role: 'editor',
    created_at: 'x',
  });
  ann = { kind: 'user', userId: account, username: 'ann', displayName: 'Ann', role: 'editor' } as UserCaller;
  elena = 1;
  t.db.prepare("UPDATE patients SET date_of_birth = '1979-05-09' WHERE id = 1").run();
  marco = addPatient('Marco Keller', '2010-02-03', ann.userId);
  grant(ann.userId, elena);
  await t.start();
});
afterEach(async () => {
  const stopped = t.pipeline.stop();
  t.clock.advance(5000);
  await stopped;
  t.close();
});

function insert(table: string, values: Record<string, unknown>): number {
  const columns = Object.keys(values);
  return Number(
    t.db
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(values)).lastInsertRowid,
  );
}
const grant = (user_id: number, patient_id: number) => insert('patient_access', { user_id, patient_id, role: 'owner' });
function addPatient(display_name: string, date_of_birth: string, owner: number | null): number {
  const slug = display_name.toLowerCase().replaceAll(' ', '-');
  const id = insert('patients', { slug, display_name, date_of_birth, created_at: 'x' });
  if (owner !== null) grant(owner, id);
  return id;
}

let files = 0;
/** Uploads a report with these lines about its patient, and reads it. */
const upload = (patient: number | null, ...lines: string[]): Promise<number> =>
  uploadPages(patient, [printedPage(REPORT(...lines), 1)]);

async function uploadPages(patient: number | null, pages: PageText[]): Promise<number> {
  files += 1;
  const name = `report-${files}.pdf`;
  t.engine.answer = () => ({ ok: true, value: { pages, ocr_engine: 'builtin' } });
  const query = patient === null ? {} : { patient_id: patient };
  const receive = async () => ({
    ...(await t.vault.receive(Readable.from([Buffer.from(`%PDF-1.7 ${name}`)]), { limit: 1000 })),
    filename: name,
  });
  const result = await t.documents.upload(query, receive, ann);
  await t.pipeline.idle();
  return 'document_id' in result ? result.document_id : 0;
}

function row(id: number) {
  const { patient_id, patient_undecided, status, review_reasons } = t.db
    .prepare('SELECT patient_id, patient_undecided, status, review_reasons FROM documents WHERE id = ?')
    .get(id) as { patient_id: number | null; patient_undecided: number; status: string; review_reasons: string };
  const results = t.db.prepare('SELECT patient_id FROM lab_results WHERE document_id = ?').pluck().all(id);
  const reasons = (JSON.parse(review_reasons) as { code: string }[]).map(({ code }) => code);
  return { patient_id, undecided: patient_undecided === 1, status, reasons, results };
}
const folder = (id: number): string => t.row(id).file_path.split('/').slice(0, 2).join('/');

describe('the person chosen at upload', () => {
  it('owns a document that names them', async () => {
    const id = await upload(elena, 'Patient: KELLER Elena, geb. 09.05.1979');
    expect(row(id)).toEqual({ patient_id: elena, undecided: false, status: 'done', reasons: [], results: [elena] });
  });

  it('is a hint: a document that names somebody else waits, and its results are nobody’s', async () => {
    for (const line of ['Patient: Marco Keller, geb. 03.02.2010', 'Patient: Margaret Osei, geb. 03.08.1949'])
      expect(row(await upload(elena, line))).toEqual({
        patient_id: elena,
        undecided: true,
        status: 'needs_review',
        reasons: ['other_patient'],
        results: [null],
      });
  });

  it('is a hint: a document with another birth date, or without a name, waits', async () => {
    expect(row(await upload(elena, 'Patient: Elena Keller, geb. 01.01.1990'))).toMatchObject({
      undecided: true,
      reasons: ['other_birth_date'],
      results: [null],
    });
    expect(row(await upload(elena))).toMatchObject({ undecided: true, reasons: ['unnamed_patient'], results: [null] });
  });

  it('owns a document without a name if there is nobody else, with a reason that says so', async () => {
    t.db.prepare('DELETE FROM patients WHERE id = ?').run(marco);
    expect(row(await upload(elena))).toEqual({
      patient_id: elena,
      undecided: false,
      status: 'needs_review',
      reasons: ['patient_assumed'],
      results: [elena],
    });
  });

  it('does not own the pages of somebody else', async () => {
    const pages = ['Elena Keller', 'Marco Keller'].map((name, index) =>
      printedPage(REPORT(`Patient: ${name}`), index + 1),
    );
    const id = await uploadPages(elena, pages);
    expect(row(id)).toMatchObject({ undecided: true, reasons: ['several_patients'], results: [null, null] });
    t.documents.decisions.assign([id], elena, ann);
    expect(row(id)).toMatchObject({ undecided: false, status: 'done', results: [elena, elena] });
  });

  it('is never told of a person to whom they may not write', async () => {
    addPatient('Luca Rossi', '1990-02-03', null);
    const id = await upload(elena, 'Patient: Luca Rossi, geb. 03.02.1990');
    const stored = t.db
      .prepare('SELECT raw_extraction FROM document_extractions WHERE document_id = ?')
      .pluck()
      .get(id);
    expect(JSON.parse(String(stored)).patient.match).toBeNull();
  });

  it('stays once a user has confirmed them, even if the document is read again', async () => {
    const id = await upload(elena, 'Patient: Margaret Osei');
    t.documents.edits.markReviewed(id);
    expect(row(id)).toEqual({ patient_id: elena, undecided: false, status: 'done', reasons: [], results: [elena] });
    t.documents.reading.reprocess(id, { mode: 'both' });
    await t.pipeline.idle();
    expect(row(id)).toMatchObject({ undecided: false, reasons: [], results: [elena] });
  });
});

it('a person who was assumed and confirmed stays, also when there are others later', async () => {
  t.db.prepare('DELETE FROM patients WHERE id = ?').run(marco);
  const id = await upload(elena);
  t.documents.edits.markReviewed(id);
  addPatient('Luca Rossi', '1990-02-03', ann.userId);
  t.documents.reading.reprocess(id, { mode: 'both' });
  await t.pipeline.idle();
  expect(row(id)).toMatchObject({ undecided: false, status: 'done', results: [elena] });
});

it('whose the pages of another file are is asked again', async () => {
  const id = await upload(elena, 'Patient: Margaret Osei');
  t.documents.decisions.assign([id], elena, ann);
  const replace = (bytes: string) =>
    t.documents.files.replaceFile(
      id,
      async () => ({
        ...(await t.vault.receive(Readable.from([Buffer.from(bytes)]), { limit: 1000 })),
        filename: 'new.pdf',
      }),
      ann,
    );
  const readAgain = async (): Promise<void> => {
    t.documents.reading.reprocess(id, { mode: 'both' });
    await t.pipeline.idle();
  };
  await replace(`%PDF-1.7 report-${files}.pdf`);
  await readAgain();
  expect(row(id)).toMatchObject({ undecided: false, results: [elena] });
  await replace('%PDF-1.7 of somebody else');
  await readAgain();
  expect(row(id)).toMatchObject({ undecided: true, reasons: ['other_patient'], results: [null] });
});

describe('a decision', () => {
  it('files the documents under the patient, with their results and files', async () => {
    const id = await upload(elena, 'Patient: Marco Keller, geb. 03.02.2010');
    t.documents.decisions.assign([id], marco, ann);
    expect(row(id)).toEqual({ patient_id: marco, undecided: false, status: 'done', reasons: [], results: [marco] });
    expect(folder(id)).toBe('patients/marco-keller');
  });

  it('may confirm the chosen patient, and is undone by asking again', async () => {
    const id = await upload(elena, 'Patient: Marco Keller, geb. 03.02.2010');
    const before = row(id);
    t.documents.decisions.assign([id], elena, ann);
    expect(row(id)).toMatchObject({ patient_id: elena, undecided: false, results: [elena] });
    t.documents.decisions.reopen([id], elena, ann);
    expect(row(id)).toEqual(before);
    t.documents.decisions.assign([id], marco, ann);
    t.documents.decisions.reopen([id], elena, ann);
    expect(row(id)).toEqual(before);
    expect(folder(id)).toBe('patients/elena-keller');
  });

  it('needs the right to change the document and the patient', async () => {
    const id = await upload(elena, 'Patient: Margaret Osei');
    const luca = addPatient('Luca Rossi', '1990-02-03', null);
    expect(() => t.documents.decisions.assign([id], luca, ann)).toThrow(
      expect.objectContaining({ code: 'auth.forbidden' }),
    );
    expect(row(id)).toMatchObject({ patient_id: elena, undecided: true });
  });
});

describe('what depends on the person', () => {
  const doubts = (id: number) =>
    t.db.prepare('SELECT doubt FROM lab_results WHERE document_id = ? ORDER BY id').pluck().all(id);
  /** A report with this ferritin, of a day of its own. */
  const report = (day: number, value: string, ...lines: string[]): Promise<number> =>
    uploadPages(elena, [
      printedPage([
        'Synlabor Mittelland AG',
        'Laborbefund',
        ...lines,
        `Probenentnahme: ${day}.11.2025`,
        'Test    Resultat    Einheit    Referenzbereich',
        `Ferritin    ${value}    µg/L    30 - 300`,
      ]),
    ]);
  const sure = (doubt: unknown): boolean => doubt === null || doubt === '[]';

  it('is compared once it is decided whose document it is, and again after it was moved', async () => {
    for (const day of [10, 11, 12]) await report(day, `5${day - 10}`, 'Patient: Elena Keller');
    const id = await report(13, '280');
    expect(doubts(id).every(sure)).toBe(true);
    t.documents.decisions.assign([id], elena, ann);
    expect(doubts(id)).toEqual(['["curve_differs"]']);
    t.documents.decisions.assign([id], marco, ann);
    expect(doubts(id).every(sure)).toBe(true);
    t.documents.decisions.assign([id], elena, ann);
    expect(doubts(id)).toEqual(['["curve_differs"]']);
  });

  it('has names of their circle, also after a decision was undone', async () => {
    const ben = insert('users', {
      username: 'ben',
      username_key: 'ben',
      display_name: 'Ben',
      role: 'editor',
      created_at: 'x',
    });
    insert('patient_access', { user_id: ben, patient_id: elena, role: 'owner' });
    const [, id = 0] = [
      await upload(elena, 'Patient: Elena Keller', 'Zuweiser: Dr. med. Regula Aebischer'),
      await upload(elena, 'Patient: Marco Keller, geb. 03.02.2010', 'Zuweiser: Dr. med. Regula Aebischer'),
    ];
    const doctor = () => t.db.prepare('SELECT doctor_id FROM documents WHERE id = ?').pluck().get(id);
    const ofElena = doctor();
    t.documents.decisions.assign([id], marco, ann);
    const ofMarco = doctor();
    expect([typeof ofElena, ofMarco === ofElena]).toEqual(['number', false]);
    t.documents.decisions.reopen([id], elena, ann);
    expect(doctor()).toBe(ofElena);
  });
});

describe('a new person', () => {
  it('gets the waiting documents that certainly name them, unless another person was chosen', async () => {
    const line = 'Patient: Margaret Osei, geb. 03.08.1949';
    const [free, chosen] = [await upload(null, line), await upload(elena, line)];
    expect(row(free)).toMatchObject({ patient_id: null, undecided: true, reasons: ['no_patient'] });
    const margaret = addPatient('Margaret Osei', '1949-08-03', ann.userId);
    expect(t.documents.decisions.rematch()).toEqual([free]);
    expect(row(free)).toEqual({
      patient_id: margaret,
      undecided: false,
      status: 'done',
      reasons: [],
      results: [margaret],
    });
    expect(folder(free)).toBe('patients/margaret-osei');
    expect(row(chosen)).toMatchObject({ patient_id: elena, undecided: true });
  });

  it('gets none of the documents of a user who may not write to them', async () => {
    const id = await upload(null, 'Patient: Margaret Osei');
    addPatient('Margaret Osei', '1949-08-03', null);
    expect(t.documents.decisions.rematch()).toEqual([]);
    expect(row(id)).toMatchObject({ patient_id: null, undecided: true });
  });
});

describe('a person who is added or corrected later', () => {
  it('makes filed documents wait that contradict them, unless a user decided', async () => {
    const other = 'Patient: Elena Keller, geb. 01.01.1990';
    const decided = await upload(elena, other);
    t.documents.decisions.assign([decided], elena, ann);
    t.db.prepare('UPDATE patients SET date_of_birth = NULL WHERE id = 1').run();
    const own = await upload(elena, 'Patient: Elena Keller, geb. 09.05.1979');
    const open = await upload(elena, other);
    t.db.prepare("UPDATE patients SET date_of_birth = '1979-05-09' WHERE id = 1").run();
    expect(t.documents.decisions.rematch()).toEqual([open]);
    expect(row(open)).toMatchObject({ undecided: true, reasons: ['other_birth_date'], results: [null] });
    expect([row(own), row(decided)]).toMatchObject([{ undecided: false }, { undecided: false }]);
  });

  it('makes filed documents wait that name them more exactly', async () => {
    t.db.prepare("UPDATE patients SET display_name = 'Anna Maria Keller' WHERE id = 1").run();
    const id = await upload(elena, 'Patient: Maria Keller');
    expect(row(id)).toMatchObject({ undecided: false, results: [elena] });
    addPatient('Maria Keller', '1950-01-01', ann.userId);
    expect(t.documents.decisions.rematch()).toEqual([id]);
    expect(row(id)).toMatchObject({ undecided: true, reasons: ['other_patient'], results: [null] });
  });
});

it('the inbox folder of a person is a hint as well', async () => {
  const { mkdirSync, writeFileSync } = await import('node:fs');
  t.engine.answer = () => ({
    ok: true,
    value: { pages: [printedPage(REPORT('Patient: Marco Keller, geb. 03.02.2010'), 1)], ocr_engine: 'builtin' },
  });
  mkdirSync(`${t.root}/inbox/elena-keller`, { recursive: true });
  writeFileSync(`${t.root}/inbox/elena-keller/scan.pdf`, '%PDF-1.7 inbox');
  await t.documents.store.adopt({ path: 'inbox/elena-keller/scan.pdf', size: 14 });
  t.pipeline.wake();
  await t.pipeline.idle();
  const id = t.db.prepare('SELECT max(id) FROM documents').pluck().get() as number;
  expect(row(id)).toMatchObject({ patient_id: elena, undecided: true, reasons: ['other_patient'], results: [null] });
});
