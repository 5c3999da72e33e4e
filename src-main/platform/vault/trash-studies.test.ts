import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addDocument,
  addPatient,
  commitAndDie,
  filesOf,
  openTestVault,
  putFile,
  type TestVault,
} from '../../../test/support/vault.ts';

const BY = { label: 'study', patientId: null, deletedByUserId: null };
const STUDY = 'patients/elena-keller/imaging/2025_knee';
const DISC = 'patients/elena-keller/imaging/disc';

let t: TestVault, patientId: number;
beforeEach(() => {
  t = openTestVault();
  patientId = addPatient(t.db);
});
afterEach(() => t.close());

const insert = (table: string, values: Record<string, unknown>): number => {
  const names = Object.keys(values);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
  return Number(t.db.prepare(sql).run(values).lastInsertRowid);
};
const rowsOf = (table: string): unknown[] => t.db.prepare(`SELECT * FROM ${table} ORDER BY id`).all();
const records = () => ['documents', 'imaging_studies', 'imaging_series', 'imaging_instances'].map(rowsOf);
/** What is in the folders of patients, by path. */
const patientFiles = () =>
  Object.fromEntries(Object.entries(filesOf(t.root)).filter(([path]) => path.startsWith('patients/')));

/** A study with two series of one picture each, and a viewer from its disc. */
function addStudy({ folder = STUDY, bundle = DISC as string | null, bytes = 'picture' } = {}): number {
  const documentId = addDocument(t, `${folder}.placeholder.txt`, `placeholder of ${bytes}`, patientId);
  const study = { document_id: documentId, patient_id: patientId, folder_path: folder, bundle_path: bundle };
  const studyId = insert('imaging_studies', { ...study, created_at: 'x' });
  for (const n of [1, 2]) {
    const seriesId = insert('imaging_series', { study_id: studyId, folder_path: `${folder}/series-${n}` });
    const uids = {
      sop_instance_uid: `1.2.${seriesId}`,
      sop_class_uid: '1.2',
      transfer_syntax_uid: '1.2.840.10008.1.2.1',
    };
    const file = { file_name: 'a.dcm', file_size: 1, file_hash: 'x', kind: 'image' };
    insert('imaging_instances', { series_id: seriesId, ...uids, ...file });
    putFile(t.root, `${folder}/series-${n}/a.dcm`, `${bytes} ${n}`);
  }
  if (bundle !== null) {
    insert('imaging_bundle_files', {
      study_id: studyId,
      name: 'viewer/run.exe',
      kind: 'other',
      file_size: 1,
      file_hash: 'x',
    });
    putFile(t.root, `${bundle}/viewer/run.exe`, 'program');
  }
  return documentId;
}

/** A move into the study's folder that a crash left to be carried out. */
function waitForMove(): void {
  putFile(t.root, 'inbox/x', 'moved');
  commitAndDie(t, () => t.vault.journal.planMove('inbox/x', STUDY));
}

describe('a study in the trash', () => {
  it('takes its pictures and the files of its disc with it, and brings them back unchanged', () => {
    const id = addStudy();
    putFile(t.root, `${STUDY}-2/series-1/a.dcm`, 'of another study');
    const [before, files] = [records(), filesOf(t.root)];
    const trashId = t.vault.trash.addRows('document', id, BY);
    expect(records()).toEqual([[], [], [], []]);
    expect(patientFiles()).toEqual({ [`${STUDY}-2/series-1/a.dcm`]: 'of another study' });
    expect(t.vault.trash.restore(trashId)).toEqual({ document_ids: [id], notRestored: [] });
    expect(records()).toEqual(before);
    expect(filesOf(t.root)).toEqual(files);
  });

  it('leaves the files of a disc to another study of the same disc', () => {
    const id = addStudy();
    addStudy({ folder: 'patients/elena-keller/imaging/2024_hip', bytes: 'hip' });
    t.vault.trash.addRows('document', id, BY);
    expect(Object.keys(patientFiles()).filter((path) => path.startsWith(`${DISC}/`))).toEqual([
      `${DISC}/viewer/run.exe`,
    ]);
    expect(Object.keys(patientFiles()).filter((path) => path.startsWith(`${STUDY}/`))).toEqual([]);
  });

  it('needs no disc', () => {
    const id = addStudy({ bundle: null });
    const files = filesOf(t.root);
    t.vault.trash.restore(t.vault.trash.addRows('document', id, BY));
    expect(filesOf(t.root)).toEqual(files);
  });

  it.each([
    ['another study took', () => void addStudy({ bytes: 'new' })],
    ['a foreign file is in', () => putFile(t.root, STUDY, 'a file')],
    ['files wait to be moved to', waitForMove],
  ])('comes back beside the folder that %s', (_what, take) => {
    const id = addStudy();
    const trashId = t.vault.trash.addRows('document', id, BY);
    take();
    const others = patientFiles();
    t.vault.trash.restore(trashId);
    const studies = t.db.prepare('SELECT folder_path, bundle_path FROM imaging_studies WHERE document_id = ?').all(id);
    const disc = `${DISC}/viewer/run.exe` in others ? `${DISC}-2` : DISC;
    expect(studies).toEqual([{ folder_path: `${STUDY}-2`, bundle_path: disc }]);
    expect(
      t.db
        .prepare(
          `SELECT imaging_series.folder_path FROM imaging_series JOIN imaging_studies ON imaging_studies.id = study_id
            WHERE document_id = ? ORDER BY 1`,
        )
        .pluck()
        .all(id),
    ).toEqual([`${STUDY}-2/series-1`, `${STUDY}-2/series-2`]);
    expect(patientFiles()).toMatchObject({
      ...others,
      [`${STUDY}-2/series-1/a.dcm`]: 'picture 1',
      [`${STUDY}-2/series-2/a.dcm`]: 'picture 2',
      [`${disc}/viewer/run.exe`]: 'program',
    });
  });
});
