import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createIntegrityCheck } from '../../src-shared/ios-backup/artifacts/integrity-check.ts';
import type { EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { backupShelf, bytesOf, BACKUP_PASSWORD } from '../support/phone-backups.ts';
import { ENCRYPTED, phoneClient, phoneFolders, PLAIN } from '../support/phones.ts';
import { serve } from '../support/serve.ts';

const shelf = backupShelf();
afterAll(() => shelf.remove());

const ENTRIES: EntrySpec[] = [
  { domain: 'HomeDomain', path: 'whole', content: 'whole' },
  { domain: 'HomeDomain', path: 'gone', content: 'x', missing: true },
  { domain: 'HomeDomain', path: 'cut', content: 'x'.repeat(100), cut: 5 },
  { domain: 'HomeDomain', path: 'folder', flags: 2 },
  { domain: 'MediaDomain', path: 'gone too', content: 'y', missing: true },
];
const open = async () => {
  const made = await shelf.make({ entries: ENTRIES, keybag: { password: BACKUP_PASSWORD } });
  return { made, backup: await (await made.open()).unlock(BACKUP_PASSWORD) };
};
async function ended(check: ReturnType<typeof createIntegrityCheck>): Promise<ReturnType<typeof check.state>> {
  while (check.state().status === 'running')
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  return check.state();
}

describe('the check of a backup', () => {
  it('counts and lists problems by kind', async () => {
    const check = createIntegrityCheck((await open()).backup);
    expect(check.state()).toMatchObject({ status: 'idle', report: null });
    expect(check.start()).toMatchObject({ status: 'running', files: 0, total_files: 4 });
    expect(await ended(check)).toMatchObject({
      status: 'done',
      files: 4,
      report: { files: 4, counts: { missing: 2, cut: 1, wrong_size: 0 }, listed: 3, unlisted: 0 },
    });
    expect(check.findings({ fault: 'missing', limit: 1, offset: 0 })).toMatchObject({
      total: 2,
      items: [{ fault: 'missing', actual_bytes: null, expected_bytes: 1 }],
    });
    expect(
      check
        .findings({ limit: 10, offset: 0 })
        .items.map(({ relative_path: path }) => path)
        .sort(),
    ).toEqual(['cut', 'gone', 'gone too']);
  });

  it('stops when cancelled, and starts again', async () => {
    const check = createIntegrityCheck((await open()).backup);
    check.start();
    check.cancel();
    expect(await ended(check)).toMatchObject({ status: 'cancelled', report: null, failure: null });
    expect(check.findings({ limit: 10, offset: 0 }).total).toBe(0);
    check.start();
    expect((await ended(check)).status).toBe('done');
  });

  it('distinguishes a missing folder from missing files', async () => {
    const { made, backup } = await open();
    const moved = `${made.folder}-moved`;
    renameSync(made.folder, moved);
    await expect(bytesOf(backup, 'HomeDomain', 'whole')).rejects.toMatchObject({ code: 'gone' });
    const check = createIntegrityCheck(backup);
    check.start();
    expect(await ended(check)).toMatchObject({ status: 'failed', failure: 'gone' });
    renameSync(moved, made.folder);
    await expect(bytesOf(backup, 'HomeDomain', 'gone')).rejects.toMatchObject({ code: 'missing_blob' });
    check.start();
    expect(await ended(check)).toMatchObject({ status: 'done', failure: null });
  });

  it('needs the session of the backup, and ends with it', async () => {
    const folders = await phoneFolders(26, [{ domain: 'HomeDomain', path: 'gone', content: 'x', missing: true }]);
    const served = await serve({ env: folders.env });
    try {
      const phone = phoneClient(served.backupsUrl),
        at = `/backups/${ENCRYPTED}/integrity`;
      await phone.post('/backups/refresh');
      expect((await phone.post(at)).status).toBe(401);
      const session = await phone.unlock(ENCRYPTED),
        other = await phone.unlock(PLAIN);
      expect((await phone.get(at, other)).status).toBe(403);
      expect((await phone.get(at, session)).body).toMatchObject({ status: 'idle', report: null });
      expect(await phone.post(at, undefined, session)).toMatchObject({ status: 202 });
      let body;
      do ({ body } = await phone.get(at, session));
      while (body.status === 'running');
      expect(body).toMatchObject({ status: 'done', report: { counts: { missing: 1 } } });
      expect((await phone.get(`${at}/findings?fault=missing`, session)).body).toMatchObject({
        total: 1,
        items: [{ relative_path: 'gone' }],
      });
      expect((await phone.get(`${at}/findings?fault=nonsense`, session)).status).toBe(400);
      expect((await phone.post(`${at}/cancel`, undefined, session)).status).toBe(200);
      renameSync(join(folders.base, ENCRYPTED), join(folders.base, 'moved'));
      const {
        body: { items },
      } = await phone.get(`/backups/${ENCRYPTED}/files?path_like=%25sms.db`, session);
      expect(await phone.get(`/backups/${ENCRYPTED}/file/${items[0].file_id}`, session)).toMatchObject({
        status: 404,
        body: { code: 'phone.folder_missing' },
      });
    } finally {
      await served.remove();
      folders.remove();
    }
  });
});
