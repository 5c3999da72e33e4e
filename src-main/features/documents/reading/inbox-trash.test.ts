import { mkdirSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPipeline, type TestPipeline } from '../../../../test/support/pipeline.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';

/** A file in the inbox whose content is in the trash waits: a user restores the deleted document, or wants a new one. */

let t: TestPipeline;
let ann: UserCaller, ben: UserCaller;
const elena = 1;

beforeEach(async () => {
  t = openTestPipeline();
  [ann, ben] = [addUser('ann'), addUser('ben')];
  t.db.prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, 1, 'owner')").run(ann.userId);
  await t.start();
});
afterEach(async () => {
  const stopped = t.pipeline.stop();
  t.clock.advance(5000);
  await stopped;
  t.close();
});

function addUser(name: string): UserCaller {
  const { lastInsertRowid } = t.db
    .prepare(
      "INSERT INTO users (username, username_key, display_name, role, created_at) VALUES (?, ?, ?, 'editor', 'x')",
    )
    .run(name, name, name);
  return {
    kind: 'user',
    userId: Number(lastInsertRowid),
    username: name,
    displayName: name,
    role: 'editor',
  } as UserCaller;
}

const CONTENT = '%PDF-1.7 report';
/** Uploads a document of the patient, reads and deletes it; returns the item of the trash. */
async function deleteDocument(): Promise<number> {
  const receive = async () => ({
    ...(await t.vault.receive(Readable.from([Buffer.from(CONTENT)]), { limit: 1000 })),
    filename: 'report.pdf',
  });
  const result = await t.documents.upload({ patient_id: elena }, receive, ann);
  await t.pipeline.idle();
  if (result.status !== 'pending') throw new Error(result.status);
  return t.documents.edits.remove(result.document_id, 'with_results', ann).trash_id;
}
/** Puts the same file into a folder of the inbox; returns its document. */
async function drop(folder: string) {
  mkdirSync(`${t.root}/inbox/${folder}`, { recursive: true });
  writeFileSync(`${t.root}/inbox/${folder}/scan.pdf`, CONTENT);
  await t.documents.store.adopt({ path: `inbox/${folder}/scan.pdf`, size: CONTENT.length });
  t.pipeline.wake();
  await t.pipeline.idle();
  const row = t.db.prepare('SELECT id, status, review_reasons FROM documents').get() as
    | { id: number; status: string; review_reasons: string | null }
    | undefined;
  return row && { ...row, review_reasons: JSON.parse(row.review_reasons ?? '[]') as { code: string }[] };
}
const wasReadTwice = (): boolean => t.engine.began.length > 1;

describe('a file in the inbox whose document is in the trash', () => {
  it('waits with the deleted document as its reason, and is not read', async () => {
    const trash_id = await deleteDocument();
    expect(await drop('elena-keller')).toMatchObject({
      status: 'needs_review',
      review_reasons: [{ code: 'in_trash', params: { trash_id, label: 'report.pdf' } }],
    });
    expect(wasReadTwice()).toBe(false);
  });

  it('makes room for the deleted document, which is restored', async () => {
    const trash = await deleteDocument();
    const waiting = await drop('elena-keller');
    t.documents.edits.remove(waiting?.id ?? 0, 'with_results', ann);
    const { document_ids, notRestored } = t.vault.transaction(() => t.vault.trash.restore(trash));
    expect([document_ids.length, notRestored]).toEqual([1, []]);
  });

  it('becomes a new document when it is read', async () => {
    await deleteDocument();
    const waiting = await drop('elena-keller');
    t.documents.reading.reprocess(waiting?.id ?? 0, { mode: 'both' });
    await t.pipeline.idle();
    const reasons = t.db.prepare('SELECT review_reasons FROM documents').pluck().get();
    expect(String(reasons)).not.toContain('in_trash');
    expect(wasReadTwice()).toBe(true);
  });

  it('waits as well in the inbox of a user who may restore the document, and is new in that of others', async () => {
    await deleteDocument();
    // Administrators may see the new document, but not the deleted one, so it is not named.
    expect((await drop(`user-${ann.userId}`))?.review_reasons).toContainEqual(
      expect.objectContaining({ code: 'in_trash', params: expect.objectContaining({ label: 'scan.pdf' }) }),
    );
    t.db.prepare('DELETE FROM documents').run();
    const codes = (await drop(`user-${ben.userId}`))?.review_reasons.map(({ code }) => code);
    expect(codes).not.toContain('in_trash');
    expect(wasReadTwice()).toBe(true);
  });

  it('is new if the patient of the document was deleted as well', async () => {
    await deleteDocument();
    t.db.prepare('DELETE FROM patients').run();
    expect((await drop(`user-${ann.userId}`))?.review_reasons.map(({ code }) => code)).not.toContain('in_trash');
  });
});
