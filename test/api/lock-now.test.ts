/** @module-tag long */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const PASSWORD = 'correct horse battery';
let vault: string, passwordFile: string, served: Served, ann: Client;

beforeAll(async () => {
  vault = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  passwordFile = `${vault}.password`;
  writeFileSync(passwordFile, PASSWORD);
  writeFileSync(join(vault, 'vault-key.json'), JSON.stringify((await createKeyFile(PASSWORD)).file));
  served = await serve({ vault, env: { HEARTH_VAULT_PASSWORD_FILE: passwordFile } });
  ann = new Client(served.url);
  await ann.setup();
});
afterAll(async () => {
  await served?.remove();
  rmSync(passwordFile, { force: true });
});

const health = async (): Promise<unknown> =>
  fetch(`${served.url}/health`)
    .then((reply) => reply.json())
    .then(({ status }) => status)
    .catch(() => 'nothing listens');
const unlock = async (secret: string): Promise<number> =>
  (await new Client(served.url).post('/api/vault-lock/unlock', { secret })).status;

it('locks at once, also while a paper is read and where a file has the password, and goes on when unlocked', async () => {
  expect((await ann.get('/api/vault-encryption')).body).toMatchObject({ is_encrypted: true, can_lock: true });
  const { body } = await ann.upload(await letter([[{ text: 'A page about zanthoxylum', y: 100 }]]), 'letter.pdf', 1);
  // A second window asks as well.
  const both = await Promise.all([ann.post('/api/vault-encryption/lock'), ann.post('/api/vault-encryption/lock')]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  await expect.poll(health, { timeout: 30_000 }).toBe('locked');
  for (const path of ['/api/documents', '/api/auth/me', '/api/vault-encryption'])
    expect([path, (await ann.get(path)).body.code]).toEqual([path, 'vault.locked']);
  // The vault is closed: another program can use it meanwhile.
  expect(existsSync(join(vault, 'vault.holder.json'))).toBe(false);
  const verified = await hearth(['verify', '--vault', vault], { HEARTH_VAULT_PASSWORD_FILE: passwordFile });
  expect([verified.code, verified.said]).toEqual([0, expect.stringContaining('all intact')]);
  expect(await unlock('another horse')).toBe(403);
  // Two windows enter it at once, of which the second may find nothing that listens.
  const opened = await Promise.allSettled([unlock(PASSWORD), unlock(PASSWORD)]);
  const statuses = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(health, { timeout: 30_000 }).toBe('ok');
  // Sessions are in the vault, so whoever was signed in still is.
  await ann.idle();
  expect(['done', 'needs_review']).toContain((await ann.get(`/api/documents/${body.document_id}`)).body.status);
  const log = (await ann.get('/api/settings/audit-log?action=vault.lock')).body.items;
  expect(log[0]).toMatchObject({ action: 'vault.lock', username: 'ann' });
}, 120_000);

it('makes no empty vault where the disk goes away right after the password', async () => {
  const lockState = async () => (await new Client(served.url).get('/api/vault-lock').catch(() => null))?.body;
  await ann.post('/api/vault-encryption/lock');
  await expect.poll(health, { timeout: 30_000 }).toBe('locked');
  // The lock waits for requests that are on their way before it gives up its address.
  const slow = connect(Number(new URL(served.url).port), '127.0.0.1');
  slow.on('error', () => undefined);
  await once(slow, 'connect');
  slow.write('POST /api/vault-lock/unlock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  expect(await unlock(PASSWORD)).toBe(200);
  renameSync(vault, `${vault}.away`);
  mkdirSync(vault);
  await expect.poll(lockState, { timeout: 30_000 }).toMatchObject({ is_open: false, failed: 'vault.disk_gone' });
  expect(readdirSync(vault)).toEqual([]);
  rmSync(vault, { recursive: true });
  renameSync(`${vault}.away`, vault);
  expect(await unlock(PASSWORD)).toBe(200);
  await expect.poll(health, { timeout: 30_000 }).toBe('ok');
  expect(await served.stop()).toBe(0);
}, 120_000);
