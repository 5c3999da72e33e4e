import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDocument, addPatient, openTestVault, putFile, type TestVault } from '../../../test/support/vault.ts';
import type { DicomInstance } from '../../reading/dicom/instance.ts';
import type { StagedObject } from '../documents/service.ts';
import { createFiling, type Filing } from './filing.ts';
import { keepStudiesOf } from './reports.ts';
import { createStudyRepository } from './study-repository.ts';

const OBJECTS = 1100;
const OWNER = { patientId: null, eventId: null, uploaderId: null };

let t: TestVault;
let patient: number;
beforeEach(() => {
  t = openTestVault();
  patient = addPatient(t.db);
});
afterEach(() => t.close());

const instance = (number: number): DicomInstance => ({
  sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
  sopInstanceUid: `1.9.1.${number}`,
  studyInstanceUid: '1.9',
  seriesInstanceUid: '1.9.1',
  transferSyntaxUid: '1.2.840.10008.1.2.1',
  kind: 'image',
  patient: { name: null, id: null, birthDate: null, sex: null, age: null },
  study: {
    ...{ date: '2024-03-11', time: null, description: null },
    ...{ accessionNumber: null, institution: null, referringPhysician: null },
  },
  series: { number: 1, modality: 'CT', bodyPart: null, description: null },
  ...{ instanceNumber: number, position: number, frames: 1, rows: 1, columns: 1 },
  ...{ windowCenter: null, windowWidth: null, isComplete: true },
});

function staged(number: number): StagedObject {
  const path = `.staged/${number}`;
  putFile(t.root, path, `object ${number}`);
  return {
    file: { path, size: 10, hash: `hash-${number}` },
    instance: instance(number),
    ...{ paper: null, enclosed: null, dose: null },
  };
}

type Documents = Parameters<typeof createFiling>[0]['documents'];

/** Makes a filing whose `reindexDocument` is called at the end of each slice. */
const filingWith = (reindexDocument: (documentId: number) => void): Filing =>
  createFiling({
    ...t,
    documents: {
      waitingReports: {
        insertFromHeader: () => ({
          documentId: addDocument(t, 'study.txt', 'a placeholder', patient),
          ...{ doctorId: null, facilityId: null },
        }),
      },
      episodes: { notifyChanged: () => {} },
      rowEdits: { reindexDocument },
    } as unknown as Documents,
  });

const objects = (): StagedObject[] => Array.from({ length: OBJECTS }, (_, index) => staged(index + 1));

const count = (): { studies: number; instances: number } => ({
  studies: Number(t.db.prepare('SELECT COUNT(*) FROM imaging_studies').pluck().get()),
  instances: Number(t.db.prepare('SELECT COUNT(*) FROM imaging_instances').pluck().get()),
});

it('files all objects of a study, more than one slice of them', async () => {
  const filing = filingWith(() => {});
  await filing.file(objects(), null, OWNER, () => false);
  expect(count()).toEqual({ studies: 1, instances: OBJECTS });
});

it('knows the studies of a disc as being filed until it has all its slices', async () => {
  const seen: unknown[] = [];
  const look = (): number => seen.push([filing.isFiling(1), filing.isFilingFor(patient), filing.isFiling(2)]);
  const filing = filingWith(() => setImmediate(look));
  await filing.file(objects(), null, OWNER, () => false);
  expect(seen).toEqual(Array.from({ length: 3 }, () => [true, true, false]));
  look();
  expect(seen.at(-1)).toEqual([false, false, false]);
});

it('lets nobody delete a study before all its images are filed, so that no half of it comes back', async () => {
  const codes: unknown[] = [];
  const filing = filingWith((documentId) => setImmediate(() => codes.push(deletionOf(documentId))));
  const deletionOf = (documentId: number): unknown => {
    try {
      keepStudiesOf({ ...t, studies: createStudyRepository(t.db), documents: {} as never, filing }, [documentId]);
      return 'allowed';
    } catch (error) {
      return (error as { code: unknown }).code;
    }
  };
  const [study] = await filing.file(objects(), null, OWNER, () => false);
  expect(codes).toEqual(Array.from({ length: 3 }, () => 'imaging.being_filed'));
  expect(deletionOf(study!.document_id)).toBe('allowed');
});

it('knows them no longer when a slice fails', async () => {
  const filing = filingWith(() => {
    if (count().instances > 500) throw new Error('the disk is full');
  });
  await expect(filing.file(objects(), null, OWNER, () => false)).rejects.toThrow('the disk is full');
  expect([count(), filing.isFiling(1)]).toEqual([{ studies: 1, instances: 500 }, false]);
});

it('links papers of later slices to the report that was attached meanwhile', async () => {
  const filing = filingWith((waiting) => {
    if (waiting !== 1) return;
    setImmediate(() => {
      const report = addDocument(t, 'report.pdf', 'a report', patient);
      t.db.prepare('UPDATE imaging_studies SET document_id = ?').run(report);
      t.db.prepare('DELETE FROM documents WHERE id = 1').run();
    });
  });
  const [last] = objects().slice(-1);
  const paper = { file: last!.file, name: 'report.pdf', kind: {} } as unknown as StagedObject['paper'];
  const linked: number[] = [];
  const filed = await filing.file([...objects().slice(0, -1), { ...last!, paper }], null, OWNER, (_, study) => {
    linked.push(study.documentId);
    return false;
  });
  expect([linked, filed.map(({ document_id }) => document_id)]).toEqual([[2], [2]]);
});
