import { describe, expect } from 'vitest';
import { zip } from '../support/broken-files.ts';
import type { Answer, Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';

/** An upload whose content is in the trash offers to restore it, to those who may restore it and to nobody else. */

let household: Household, owner: Client;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(({ household: records }) => {
  household = records;
  owner = household.as('owner');
});

interface Deleted {
  bytes: Uint8Array;
  document: number;
  trash: number;
}

/** Uploads a document with a note, and deletes it. */
async function deleteUpload(patient: number | null = household.patient): Promise<Deleted> {
  const bytes = household.make.pdf();
  const { document_id: document } = (await owner.upload(bytes, 'letter.pdf', patient)).body;
  await owner.call('PATCH', `/api/documents/${document}`, { notes: 'Ask about this.' });
  const { trash_id: trash } = (await owner.call('DELETE', `/api/documents/${document}`)).body;
  return { bytes, document, trash };
}
const outcome = ({ status, body }: Answer<{ status?: string }>): unknown[] => [status, body.status];

describe('the upload of a file whose content is in the trash', () => {
  test('stores nothing and names the deleted document', async () => {
    const { bytes, trash } = await deleteUpload();
    const before = (await owner.get('/api/documents')).body.total;
    const answer = await owner.upload(bytes, 'again.pdf', household.patient);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      filename: 'again.pdf',
      status: 'in_trash',
      trash_id: trash,
      trash_kind: 'document',
      trash_label: 'letter.pdf',
      trash_patient_id: household.patient,
    });
    expect((await owner.get('/api/documents')).body.total).toBe(before);
  });

  test('restores the document with the changes of the user', async () => {
    const { bytes, document, trash } = await deleteUpload();
    expect((await owner.post(`/api/trash/${trash}/restore`)).status).toBe(200);
    expect((await owner.get(`/api/documents/${document}`)).body.notes).toBe('Ask about this.');
    expect(outcome(await owner.upload(bytes, 'again.pdf', household.patient))).toEqual([200, 'duplicate']);
  });

  test('stores it as a new document when asked to, and then finds that one', async () => {
    const { bytes, trash } = await deleteUpload();
    expect(outcome(await owner.uploadAsNew(bytes, 'again.pdf', household.patient))).toEqual([201, 'pending']);
    expect((await owner.get('/api/trash')).body.items.map(({ id }: { id: number }) => id)).toContain(trash);
    expect(outcome(await owner.upload(bytes, 'third.pdf', household.patient))).toEqual([200, 'duplicate']);
  });

  test('is asked about for each document of an archive', async () => {
    const { bytes, trash } = await deleteUpload();
    const archive = zip([
      { name: 'old.pdf', content: Buffer.from(bytes) },
      { name: 'new.pdf', content: Buffer.from(household.make.pdf()) },
    ]);
    const { status, body } = await owner.upload(archive, 'letters.zip', household.patient);
    expect([status, body.extracted]).toEqual([201, 1]);
    expect(body.documents).toMatchObject([{ status: 'in_trash', trash_id: trash }, { status: 'pending' }]);
  });

  test('names the event that the documents were deleted with', async () => {
    const { make, patient } = household;
    make.use(patient);
    const event = make.event();
    const files = [make.pdf(), make.pdf()];
    for (const [index, file] of files.entries()) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(file)]), `visit-${index}.pdf`);
      await owner.call('POST', `/api/documents/upload?patient_id=${patient}&event_id=${event}`, form);
    }
    expect((await owner.call('DELETE', `/api/events/${event}?delete_documents=true`)).status).toBe(200);
    const { body } = await owner.upload(files[1]!, 'again.pdf', patient);
    expect(body).toMatchObject({ status: 'in_trash', trash_kind: 'event' });
  });
});

describe('a deleted document of others', () => {
  for (const caller of ['editor', 'admin', 'other'] as const)
    test(`is not revealed to the ${caller}, whose upload becomes a new document`, async () => {
      const { bytes } = await deleteUpload();
      expect(outcome(await household.as(caller).upload(bytes, 'mine.pdf', null))).toEqual([201, 'pending']);
    });

  test('is not offered to a user who may no longer see its patient', async () => {
    const { db, ids, patient } = household;
    const { bytes } = await deleteUpload();
    const revoke = db.prepare('DELETE FROM patient_access WHERE user_id = ? AND patient_id = ?');
    const grant = db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'owner')");
    revoke.run(ids.owner, patient);
    try {
      expect(outcome(await owner.upload(bytes, 'mine.pdf', null))).toEqual([201, 'pending']);
    } finally {
      grant.run(ids.owner, patient);
    }
  });

  test('is not offered to a user who may only view its patient', async () => {
    const { db, ids, patient } = household;
    const { bytes } = await deleteUpload();
    const setRole = db.prepare('UPDATE patient_access SET role = ? WHERE user_id = ? AND patient_id = ?');
    setRole.run('viewer', ids.owner, patient);
    try {
      expect(outcome(await owner.upload(bytes, 'mine.pdf', null))).toEqual([201, 'pending']);
    } finally {
      setRole.run('owner', ids.owner, patient);
    }
  });

  test('is not revealed through a deleted patient', async () => {
    const { body: patient } = await owner.post('/api/patients', { display_name: 'Lukas Steiner' });
    const { bytes } = await deleteUpload(patient.id);
    expect((await owner.call('DELETE', `/api/patients/${patient.id}`)).status).toBe(200);
    expect(outcome(await owner.upload(bytes, 'mine.pdf', null))).toEqual([201, 'pending']);
  });
});
