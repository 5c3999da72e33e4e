import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDocument, openTestVault, putFile, type TestVault } from '../../../test/support/vault.ts';
import type { DicomInstance } from '../../reading/dicom/instance.ts';
import type { StagedObject } from '../documents/service.ts';
import { createFiling } from './filing.ts';

const OBJECTS = 1100;
const OWNER = { patientId: null, eventId: null, uploaderId: null };

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
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

/** Files objects; `afterSlice` is called when the first of them are in the vault. */
async function fileAll(afterSlice: (documentId: number) => void): Promise<ReturnType<typeof count>> {
  let isFirst = true;
  let placeholders = 0;
  const filing = createFiling({
    ...t,
    documents: {
      waitingReports: {
        insertFromHeader: () => ({
          documentId: addDocument(t, `study-${(placeholders += 1)}.txt`, 'a placeholder'),
          ...{ doctorId: null, facilityId: null },
        }),
      },
      episodes: { notifyChanged: () => {} },
      rowEdits: {
        reindexDocument(documentId: number) {
          if (isFirst) setImmediate(() => afterSlice(documentId));
          isFirst = false;
        },
      },
    } as unknown as Parameters<typeof createFiling>[0]['documents'],
  });
  const objects = Array.from({ length: OBJECTS }, (_, index) => staged(index + 1));
  await filing.file(objects, null, OWNER, () => false);
  await sleep(0);
  return count();
}

const count = (): { studies: number; instances: number } => ({
  studies: Number(t.db.prepare('SELECT COUNT(*) FROM imaging_studies').pluck().get()),
  instances: Number(t.db.prepare('SELECT COUNT(*) FROM imaging_instances').pluck().get()),
});

it('files all objects of a study, more than one slice of them', async () => {
  expect(await fileAll(() => {})).toEqual({ studies: 1, instances: OBJECTS });
});

it('makes a study again of the objects that are left when it is deleted meanwhile', async () => {
  const left = await fileAll((documentId) => {
    t.db.prepare('DELETE FROM imaging_studies WHERE document_id = ?').run(documentId);
  });
  expect(left).toEqual({ studies: 1, instances: OBJECTS - 500 });
});
