/** @module-tag long */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BackupOverview } from '../../src-shared/contract/vault-backups.ts';
import { readSnapshot, snapshotFile, writeSnapshot } from '../../src-main/features/vault-backups/snapshot-list.ts';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { isPlain } from '../support/plain-bytes.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const WORD = 'zanthoxylum';
const PLAN = {
  ...{ every: 'off', at: '03:30', keep_daily: 2, keep_weekly: 0, keep_monthly: 0 },
  include_secrets: true,
};
let folder: string, vault: string, disk: string, env: Record<string, string>, served: Served, ann: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  [vault, disk] = [join(folder, 'vault'), join(folder, 'disk')];
  for (const made of [vault, disk]) mkdirSync(made);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'correct horse battery\n');
  env = { HEARTH_VAULT_PASSWORD_FILE: passwordFile };
  writeFileSync(join(vault, 'vault-key.json'), JSON.stringify((await createKeyFile('correct horse battery')).file));
  served = await serve({ vault, env });
  ann = new Client(served.url);
  await ann.setup();
  await ann.upload(await letter([[{ text: `A page about ${WORD}`, y: 100 }]]), `${WORD}.pdf`, 1);
  await ann.idle();
  // Linked to nothing, and put there by hand.
  writeFileSync(join(vault, 'patients/elena-keller/by-hand.txt'), `${WORD} by hand`);
  expect((await ann.call('PUT', '/api/settings/backup/plan', { ...PLAN, folder: disk })).status).toBe(200);
});
afterAll(async () => {
  await served?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const leaksIn = (path: string): string[] => filesIn(path).filter((file) => isPlain(file, [WORD, 'keychain']));
const objects = (): string[] => filesIn(join(disk, 'objects')).sort();
const overview = async (): Promise<BackupOverview> => (await ann.get('/api/settings/backup/files')).body;

/** Begins a task and waits for its end. */
async function finish(path: string): Promise<BackupOverview> {
  expect([path, (await ann.post(path)).status]).toEqual([path, 202]);
  await expect.poll(async () => (await overview()).running, { timeout: 60_000, interval: 200 }).toBeNull();
  return overview();
}

it('backs up sealed bytes with their key file, and stores what has not changed once', async () => {
  const { items } = await finish('/api/settings/backup/run');
  expect(items).toMatchObject([{ status: 'done', error_code: null }]);
  expect(leaksIn(disk)).toEqual([]);
  const before = objects();
  const again = await finish('/api/settings/backup/run');
  expect(again.items[0]).toMatchObject({ status: 'done', error_code: null });
  // The copy of the database and the keys of secrets are new each time.
  expect(objects().filter((path) => !before.includes(path)).length).toBeLessThanOrEqual(2);
  const lists = readdirSync(join(disk, 'snapshots'));
  expect(readFileSync(join(disk, 'snapshots', lists[0]!), 'utf8')).toContain('"vault-key.json"');
});

it('verifies a backup, restores it into a test folder, and downloads no database', async () => {
  const { id } = (await overview()).items[0]!;
  expect((await finish(`/api/settings/backup/files/${id}/verify`)).items[0]?.error_code).toBeNull();
  expect((await finish(`/api/settings/backup/files/${id}/drill`)).last_drill).toMatchObject({
    ...{ ok: true, documents: 1, faults: 0 },
  });
  expect((await overview()).is_encrypted).toBe(true);
  const download = await fetch(`${served.url}/api/settings/backup`, { headers: { cookie: ann.cookie } });
  expect((await download.json()).code).toBe('backup.download_encrypted');
});

it('refuses backups of another key and those that are not encrypted, and the vault stays open', async () => {
  const { id, name } = (await overview()).items[0]!;
  const lists = join(disk, 'snapshots');
  const { key, ...list } = readSnapshot(snapshotFile(lists, name));
  const plain = list.files.filter(({ path }) => path !== 'vault-key.json');
  for (const [changed, code] of [
    [{ ...list, key: 'f'.repeat(32) }, 'backup.other_password'],
    [{ ...list, files: plain }, 'backup.not_encrypted'],
  ] as const) {
    writeSnapshot(lists, name, changed, 'changed');
    for (const task of ['drill', 'restore'])
      expect([task, (await finish(`/api/settings/backup/files/${id}/${task}`)).last_error]).toEqual([task, code]);
  }
  writeSnapshot(lists, name, { ...list, key: key! }, 'as-before');
  expect((await ann.get(`/api/documents?q=${WORD}`)).body.items).toHaveLength(1);
  expect(readdirSync(folder).filter((entry) => /\.(drill|restoring)-/.test(entry))).toEqual([]);
});

it('restores in place and opens the vault again without a question', async () => {
  const { id } = (await overview()).items[0]!;
  const search = `/api/documents?q=${WORD}`;
  expect((await ann.call('DELETE', `/api/documents/${(await ann.get(search)).body.items[0].id}`)).status).toBe(200);
  expect((await ann.post(`/api/settings/backup/files/${id}/restore`)).status).toBe(202);
  // The restore ends all sessions.
  await expect
    .poll(
      () =>
        ann.get('/api/auth/me').then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000, interval: 200 },
    )
    .toBe(401);
  await ann.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
  expect((await ann.get(search)).body.items).toHaveLength(1);
  expect(leaksIn(vault)).toEqual([]);
});

it('is restored by the command line with its password, from a folder and from an archive', async () => {
  const archive = join(folder, 'backup.zip');
  expect(await hearth(['backup', archive, '--vault', vault], env)).toMatchObject({ code: 0 });
  expect(readFileSync(archive).includes(WORD)).toBe(false);
  writeFileSync(join(folder, 'wrong'), 'another horse');
  for (const [index, from] of [disk, archive].entries()) {
    const to = join(folder, `restored-${index}`);
    const refusals: Record<string, string>[] = [{}, { HEARTH_VAULT_PASSWORD_FILE: join(folder, 'wrong') }];
    for (const without of refusals) {
      const refused = await hearth(['restore', from, '--vault', to], without);
      expect([from, refused.code, refused.said]).toEqual([from, 1, expect.stringContaining('is encrypted')]);
      expect(readdirSync(folder).filter((name) => name.startsWith(`restored-${index}`))).toEqual([]);
    }
    expect(await hearth(['restore', from, '--vault', to], env)).toMatchObject({ code: 0 });
    expect(leaksIn(to)).toEqual([]);
    expect(await hearth(['verify', '--vault', to], env)).toMatchObject({
      said: expect.stringContaining('1 documents'),
    });
  }
  expect(readdirSync(join(vault, 'tmp'))).toEqual([]);
}, 120_000);
