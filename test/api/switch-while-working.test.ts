/** @module-tag long */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { isPlain } from '../support/plain-bytes.ts';
import { letter, scanned } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const WORD = 'zanthoxylum';
const PASSWORD = 'correct horse battery';
const PAPERS = 4;
let folder: string, vault: string, served: Served, ann: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  vault = join(folder, 'vault');
  for (const made of [vault, join(folder, 'backups')]) mkdirSync(made);
  served = await serve({ vault });
  ann = new Client(served.url);
  await ann.setup();
  const plan = { every: 'off', at: '03:30', keep_daily: 2, keep_weekly: 0, keep_monthly: 0, include_secrets: true };
  await ann.call('PUT', '/api/settings/backup/plan', { ...plan, folder: join(folder, 'backups') });
});
afterAll(async () => {
  await served?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const plainFiles = (): string[] =>
  readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isPlain(path, [WORD]));
const overview = async () => (await ann.get('/api/vault-encryption').catch(() => null))?.body;
const becomes = (isEncrypted: boolean) =>
  expect.poll(async () => (await overview())?.is_encrypted, { timeout: 60_000, interval: 100 }).toBe(isEncrypted);
const backups = async () => (await ann.get('/api/settings/backup/files')).body;
/** Papers that wait to be read, one in the inbox too, a check of the files, and a backup. */
async function beginWork(seed: number): Promise<void> {
  for (let n = 0; n < PAPERS / 2; n += 1) {
    await ann.upload(await letter([[{ text: `Page ${n} of ${seed} about ${WORD}`, y: 100 }]]), `l-${seed}-${n}.pdf`, 1);
    await ann.upload(await scanned([`Report ${n} of ${seed} about ${WORD}`, 'Page one']), `s-${seed}-${n}.png`, 1);
  }
  await ann.post('/api/vault/check');
  await ann.post('/api/settings/backup/run');
}
/** What was begun goes on or was ended in order: every paper is read, and the next backup is whole. */
async function endWork(papers: number): Promise<void> {
  await ann.idle();
  const { items } = (await ann.get(`/api/documents?q=${WORD}&limit=50`)).body;
  expect(items).toHaveLength(papers);
  for (const { status } of items as { status: string }[]) expect(['done', 'needs_review']).toContain(status);
  await expect.poll(async () => (await backups()).running, { timeout: 60_000, interval: 100 }).toBeNull();
  await ann.post('/api/settings/backup/run');
  await expect.poll(async () => (await backups()).running, { timeout: 60_000, interval: 100 }).toBeNull();
  expect((await backups()).items[0].status).toBe('done');
}

it('encrypts and decrypts while papers are read, files are checked, and a backup is made', async () => {
  await beginWork(1);
  const { recovery_key } = (await ann.post('/api/vault-encryption/recovery-key', { password: PASSWORD })).body;
  expect((await ann.post('/api/vault-encryption/encrypt', { recovery_key })).status).toBe(202);
  await becomes(true);
  expect(await overview()).toMatchObject({ last_error: null });
  await endWork(PAPERS);
  expect(plainFiles()).toEqual([]);

  await beginWork(2);
  expect((await ann.post('/api/vault-encryption/decrypt', { secret: PASSWORD })).status).toBe(202);
  await becomes(false);
  expect(await overview()).toMatchObject({ last_error: null });
  await endWork(2 * PAPERS);
  await served.stop();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const verified = await hearth(['verify', '--vault', vault], { HEARTH_VAULT_PASSWORD_FILE: passwordFile });
  expect([verified.code, verified.said]).toEqual([0, expect.stringContaining('all intact')]);
}, 240_000);
