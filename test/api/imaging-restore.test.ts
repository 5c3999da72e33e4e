import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyVault } from '../../src-main/platform/vault/verify.ts';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { directory, slice } from '../fixtures/dicom/disc.ts';
import { zip } from '../support/broken-files.ts';
import { Client } from '../support/client.ts';
import { test as base } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';
import { filesOf } from '../support/vault.ts';

let served: Served, person: Client;
const test = base.override('serveOptions', { env: { VAULT_PIPELINE_POLL_INTERVAL: '0.2' } });
test.beforeAll(async ({ served: core }) => {
  served = core;
  person = new Client(served.url);
  await person.setup();
  await person.post('/api/pipeline/stop');
});

const first = (study: string): Buffer => slice({ study, instance: `${study}.1.1` });
const second = (study: string): Buffer => slice({ study, instance: `${study}.1.2`, number: 2 });
const upload = async (bytes: Buffer, name = 'a.dcm') => (await person.upload(bytes, name)).body.studies[0];
const studyOf = async (id: number) => (await person.get(`/api/imaging/${id}`)).body;
const remove = async (document: number): Promise<number> =>
  (await person.call('DELETE', `/api/documents/${document}`)).body.trash_id;
const restore = async (trashId: number) => await person.post(`/api/trash/${trashId}/restore`);
const studiesOf = async (uid: string): Promise<number[]> => {
  const { items } = (await person.get('/api/imaging?limit=500')).body;
  return (items as { id: number; study_instance_uid: string }[])
    .filter(({ study_instance_uid }) => study_instance_uid === uid)
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
};
const imageFiles = (): string[] =>
  Object.keys(filesOf(served.vault)).filter((path) => path.endsWith('.dcm') && !path.startsWith('trash/'));

describe('a deleted study that was filed again meanwhile', () => {
  it('is united with the new one when its images are the same, with measurements, corrections and notes', async () => {
    const old = await upload(first('6.1'));
    const { series_id } = (await studyOf(old.study_id)).series[0];
    const mark = { series_id, index: 0, kind: 'length', points: [[0, 0], [1, 1]], label: 'nodule' }; // prettier-ignore
    expect((await person.post(`/api/imaging/${old.study_id}/marks`, mark)).status).toBe(201);
    await person.call('PATCH', `/api/imaging/${old.study_id}/metadata`, { body_part: 'LUNG' });
    await person.call('PATCH', `/api/documents/${old.document_id}`, { notes: 'ask about the nodule' });
    const trashId = await remove(old.document_id);
    const again = await upload(first('6.1'));
    await upload(second('6.1'));
    const files = imageFiles();

    const { status, body } = await restore(trashId);
    expect([status, body]).toEqual([200, { ok: true, document_ids: [], separate_studies: [], not_restored: [] }]);
    expect(await studiesOf('6.1')).toEqual([again.study_id]);
    expect(await studyOf(again.study_id)).toMatchObject({ body_part: 'LUNG', num_images: 2 });
    const marks = (await person.get(`/api/imaging/${again.study_id}/marks`)).body.items;
    expect(marks).toMatchObject([{ label: 'nodule', kind: 'length' }]);
    expect((await person.get(`/api/documents/${again.document_id}`)).body.notes).toBe('ask about the nodule');
    expect(imageFiles()).toEqual(files);
    expect(Object.keys(filesOf(served.vault)).filter((path) => path.startsWith('trash/'))).toEqual([]);
  });

  it('takes the files of its disc to a new one that has none', async () => {
    const disc = zip([
      { name: 'DICOM/A', content: first('6.2') },
      { name: 'DICOMDIR', content: directory() },
      { name: 'README.TXT', content: Buffer.from('for the viewer') },
    ]);
    const old = await upload(disc, 'disc.zip');
    const trashId = await remove(old.document_id);
    const again = await upload(first('6.2'));
    expect((await restore(trashId)).body.separate_studies).toEqual([]);
    expect(await studiesOf('6.2')).toEqual([again.study_id]);
    const names = (await person.get(`/api/imaging/${again.study_id}/bundle-files`)).body.items;
    const [readme] = (names as { name: string }[]).filter(({ name }) => name.endsWith('README.TXT'));
    const file = await person.get(`/api/imaging/${again.study_id}/bundle-file/${encodeURIComponent(readme!.name)}`);
    expect(file.status).toBe(200);
  });

  it('comes back beside the new one, and says so, when it has images of its own', async () => {
    const old = await upload(first('6.3'));
    const trashId = await remove(old.document_id);
    const again = await upload(second('6.3'));
    const { status, body } = await restore(trashId);
    expect([status, body]).toEqual([
      200,
      { ok: true, document_ids: [old.document_id], separate_studies: [old.study_id], not_restored: [] },
    ]);
    expect(await studiesOf('6.3')).toEqual([old.study_id, again.study_id]);
    const [mine, other] = [await studyOf(old.study_id), await studyOf(again.study_id)];
    expect(mine.folder_path).toBe(`${other.folder_path}-2`);
    const frame = await person.get(`/api/imaging/${old.study_id}/series/${mine.series[0].series_id}/frame/0`);
    expect(frame.status).toBe(200);
  });

  it('comes back as it was where the new one is another person’s', async () => {
    const old = await upload(first('6.4'));
    const trashId = await remove(old.document_id);
    const other = (await person.post('/api/patients', { display_name: 'Luca Rossi' })).body.id;
    const again = (await person.upload(first('6.4'), 'a.dcm', other)).body.studies[0];
    expect((await restore(trashId)).body).toMatchObject({ document_ids: [old.document_id], separate_studies: [] });
    expect(await studiesOf('6.4')).toContain(old.study_id);
    expect((await studyOf(again.study_id)).patient_id).not.toBe((await studyOf(old.study_id)).patient_id);
  });

  it('leaves a vault without faults', async () => {
    const db = openDatabase(join(served.vault, 'vault.db'));
    const { faults, leftovers } = await verifyVault(db, served.vault);
    db.close();
    expect([faults, leftovers]).toEqual([[], []]);
  });
});
