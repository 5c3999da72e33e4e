/** @module-tag long */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openVaultDatabase } from '../../src-main/platform/database/encryption.ts';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { isPlain } from '../support/plain-bytes.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const WORD = 'zanthoxylum';
const FIRST = 'correct horse battery';
const SECOND = 'heather on the slope';
let folder: string, vault: string, served: Served, ann: Client, recoveryKey: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  vault = join(folder, 'vault');
  for (const made of [vault, join(folder, 'backups')]) mkdirSync(made);
  served = await serve({ vault });
  ann = new Client(served.url);
  await ann.setup();
  await ann.upload(await letter([[{ text: `A page about ${WORD}`, y: 100 }]]), 'letter.pdf', 1);
  await ann.idle();
});
afterAll(async () => {
  await served?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const leaks = (): string[] =>
  readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isPlain(path, [WORD]));
const state = async () => (await ann.get('/api/vault-lock').catch(() => null))?.body;
/** Waits for the end of a switch: the core that closes may still answer on a connection that it keeps. */
const switched = async (isEncrypted: boolean): Promise<void> => {
  const now = async () => (await ann.get('/api/vault-encryption').catch(() => null))?.body.is_encrypted;
  await expect.poll(now, { timeout: 60_000, interval: 100 }).toBe(isEncrypted);
};
const found = async (): Promise<number> => (await ann.get(`/api/documents?q=${WORD}`)).body.items.length;
const lock = async (secret: string): Promise<number> => {
  await ann.post('/api/vault-encryption/lock');
  await expect.poll(async () => (await state())?.is_open, { timeout: 30_000 }).toBe(false);
  return (await ann.post('/api/vault-lock/unlock', { secret })).status;
};
const keyFile = (): string => readFileSync(join(vault, 'vault-key.json'), 'utf8');

it('encrypts in the running program once the recovery key was typed back, and names earlier backups', async () => {
  const plan = { every: 'off', at: '03:30', keep_daily: 2, keep_weekly: 0, keep_monthly: 0, include_secrets: false };
  await ann.call('PUT', '/api/settings/backup/plan', { ...plan, folder: join(folder, 'backups') });
  await ann.post('/api/settings/backup/run');
  const running = async () => (await ann.get('/api/settings/backup/files')).body.running;
  await expect.poll(running, { timeout: 60_000, interval: 200 }).toBeNull();
  expect((await ann.post('/api/vault-encryption/recovery-key', { password: 'short' })).status).toBe(422);
  const unknown = (await createKeyFile(FIRST)).recoveryKey;
  expect((await ann.post('/api/vault-encryption/encrypt', { recovery_key: unknown })).body.code).toBe(
    'vault.recovery_key_expired',
  );
  recoveryKey = (await ann.post('/api/vault-encryption/recovery-key', { password: FIRST })).body.recovery_key;
  const wrong = await ann.post('/api/vault-encryption/encrypt', { recovery_key: recoveryKey.replace(/^./, '?') });
  expect([wrong.body.code, existsSync(join(vault, 'vault-key.json'))]).toEqual(['vault.recovery_key_differs', false]);
  expect(leaks().length).toBeGreaterThan(1);
  const typed = recoveryKey.toLowerCase().replaceAll('-', ' ');
  expect((await ann.post('/api/vault-encryption/encrypt', { recovery_key: typed })).status).toBe(202);
  await switched(true);
  expect([leaks(), JSON.parse(keyFile()).state]).toEqual([[], 'on']);
  // Whoever was signed in still is.
  const { body } = await ann.get('/api/vault-encryption');
  expect(body).toMatchObject({ is_encrypted: true, last_error: null, is_here: true });
  expect(body.plain_backups).toEqual({ count: 1, folder: join(folder, 'backups') });
  expect(await found()).toBe(1);
  // Those that are made from now on are not counted.
  await ann.post('/api/settings/backup/run');
  await expect.poll(running, { timeout: 60_000, interval: 200 }).toBeNull();
  expect((await ann.get('/api/settings/backup/files')).body.items).toHaveLength(2);
  expect((await ann.get('/api/vault-encryption')).body.plain_backups.count).toBe(1);
}, 120_000);

it('begins no switch that can’t be recorded, and keeps the recovery key that was typed back', async () => {
  const other = await serve();
  const ben = new Client(other.url);
  await ben.setup();
  // As a full disk does, after the handler.
  const db = openVaultDatabase(join(other.vault, 'vault.db'));
  db.exec("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END");
  const { recovery_key } = (await ben.post('/api/vault-encryption/recovery-key', { password: FIRST })).body;
  const encrypt = () => ben.post('/api/vault-encryption/encrypt', { recovery_key });
  expect((await encrypt()).status).toBe(500);
  expect((await ben.get('/api/vault-encryption')).body).toMatchObject({ is_encrypted: false, last_error: null });
  expect(existsSync(join(other.vault, 'vault-key.json'))).toBe(false);
  db.exec('DROP TRIGGER full');
  db.close();
  expect((await encrypt()).status).toBe(202);
  const isEncrypted = async () => (await ben.get('/api/vault-encryption').catch(() => null))?.body.is_encrypted;
  await expect.poll(isEncrypted, { timeout: 60_000, interval: 100 }).toBe(true);
  await other.remove();
}, 120_000);

it('changes the password and replaces the recovery key, of which the old ones open nothing', async () => {
  const change = (secret: string, password: string) =>
    ann.call('PUT', '/api/vault-encryption/password', { secret, password });
  expect((await change('wrong horse battery', SECOND)).body.code).toBe('vault.wrong_password');
  const shown = (await ann.post('/api/vault-encryption/recovery-key', { password: FIRST })).body.recovery_key;
  // A password that changes meanwhile stays changed.
  expect((await change(recoveryKey, SECOND)).status).toBe(200);
  const before = keyFile();
  const confirm = (recovery_key: string) => ann.call('PUT', '/api/vault-encryption/recovery-key', { recovery_key });
  expect((await confirm(recoveryKey)).body.code).toBe('vault.recovery_key_differs');
  expect(keyFile()).toBe(before);
  expect((await confirm(shown)).status).toBe(200);
  expect((await confirm(shown)).body.code).toBe('vault.recovery_key_expired');
  expect(await lock(FIRST)).toBe(403);
  expect((await ann.post('/api/vault-lock/unlock', { secret: recoveryKey })).status).toBe(403);
  expect((await ann.post('/api/vault-lock/unlock', { secret: shown })).status).toBe(200);
  await expect.poll(async () => (await state())?.is_open, { timeout: 30_000 }).toBe(true);
  expect(await lock(SECOND)).toBe(200);
  await expect.poll(async () => (await state())?.is_open, { timeout: 30_000 }).toBe(true);
}, 120_000);

it('goes on with a switch that a kill interrupted, after the password', async () => {
  await served.stop('SIGKILL');
  const path = join(vault, 'vault-key.json');
  writeFileSync(path, keyFile().replace('"state":"on"', '"state":"decrypting"'));
  served = await serve({ vault });
  const { cookie } = ann;
  ann = new Client(served.url);
  ann.cookie = cookie;
  expect(await state()).toEqual({
    ...{ is_open: false, switching: null, unfinished: 'decrypting', failed: null, can_go_back: false },
  });
  expect((await ann.post('/api/vault-lock/unlock', { secret: FIRST })).status).toBe(403);
  expect((await ann.post('/api/vault-lock/unlock', { secret: SECOND })).status).toBe(200);
  await expect.poll(async () => (await state())?.is_open, { timeout: 60_000 }).toBe(true);
  expect([existsSync(path), await found()]).toEqual([false, 1]);
  expect(leaks().length).toBeGreaterThan(1);
}, 120_000);

it('decrypts in the running program, and records every switch', async () => {
  const { recovery_key } = (await ann.post('/api/vault-encryption/recovery-key', { password: FIRST })).body;
  await ann.post('/api/vault-encryption/encrypt', { recovery_key });
  await switched(true);
  expect(leaks()).toEqual([]);
  expect((await ann.post('/api/vault-encryption/decrypt', { secret: 'wrong horse' })).body.code).toBe(
    'vault.wrong_password',
  );
  expect((await ann.post('/api/vault-encryption/decrypt', { secret: FIRST })).status).toBe(202);
  await switched(false);
  expect((await ann.get('/api/vault-encryption')).body).toMatchObject({ is_encrypted: false, last_error: null });
  expect(await found()).toBe(1);
  const actions = (await ann.get('/api/settings/audit-log?limit=50')).body.items.map(
    (entry: { action: string }) => entry.action,
  );
  for (const action of ['vault.encrypt', 'vault.decrypt', 'vault.password', 'vault.recovery_key', 'vault.lock'])
    expect([action, actions.includes(action)]).toEqual([action, true]);
}, 120_000);

it('the command names earlier backups too, and a file with the password goes on with what it began', async () => {
  await served.stop();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, FIRST);
  const env = { HEARTH_VAULT_PASSWORD_FILE: passwordFile };
  const { code, said } = await hearth(['vault', 'encrypt', '--recovery-key-noted', '--vault', vault], env);
  expect([code, said]).toEqual([
    0,
    expect.stringContaining(`Earlier backups in ${join(folder, 'backups')} that are not encrypted: 1.`),
  ]);
  writeFileSync(join(vault, 'vault-key.json'), keyFile().replace('"state":"on"', '"state":"encrypting"'));
  served = await serve({ vault, env });
  ann = new Client(served.url);
  await expect.poll(async () => (await state())?.is_open, { timeout: 60_000, interval: 100 }).toBe(true);
  expect([leaks(), JSON.parse(keyFile()).state]).toEqual([[], 'on']);
}, 120_000);

it('cancels a switch that a kill interrupted, only here, with the password, and records it', async () => {
  await served.stop('SIGKILL');
  const path = join(vault, 'vault-key.json');
  writeFileSync(path, keyFile().replace('"state":"on"', '"state":"decrypting"'));
  served = await serve({ vault });
  ann = new Client(served.url);
  const cancel = (secret: string, headers: Record<string, string> = {}) =>
    ann.call('POST', '/api/vault-lock/cancel', { secret }, headers);
  expect((await cancel(FIRST, { 'x-forwarded-for': '203.0.113.9' })).body.code).toBe('vault.unlock_here_only');
  expect((await cancel(SECOND)).body.code).toBe('vault.wrong_password');
  expect((await cancel(FIRST)).status).toBe(204);
  await expect.poll(async () => (await state())?.is_open, { timeout: 60_000, interval: 100 }).toBe(true);
  expect([leaks(), JSON.parse(keyFile()).state]).toEqual([[], 'on']);
  expect((await cancel(FIRST)).body.code).toBe('vault.not_being_switched');
  await ann.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
  expect((await ann.get('/api/vault-encryption')).body.last_error).toBe('vault.switch_cancelled');
  expect(await found()).toBe(1);
  const { items } = (await ann.get('/api/settings/audit-log?action=vault.switch_undone')).body;
  expect(items).toMatchObject([{ username: null, details: { code: 'vault.switch_cancelled' } }]);
}, 120_000);

it('makes one of two switches that are asked for at once, and answers the other one with 409', async () => {
  const decrypt = () => ann.post('/api/vault-encryption/decrypt', { secret: FIRST }).catch(() => null);
  const both = (await Promise.all([decrypt(), decrypt()])).map((reply) => [reply?.status, reply?.body.code]);
  // Either of them may be the first.
  expect(both.toSorted()).toEqual([
    [202, undefined],
    [409, 'vault.closing'],
  ]);
  await switched(false);
  expect((await ann.get('/api/vault-encryption')).body).toMatchObject({ is_encrypted: false, last_error: null });
}, 120_000);
