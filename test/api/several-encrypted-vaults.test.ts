/** @module-tag long */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunningCore } from '../../src-main/app/running-core.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { configFolder, loadConfig } from '../../src-main/platform/config/load.ts';
import { readVaultList } from '../../src-main/platform/config/vault-list.ts';
import { processKeys } from '../../src-main/platform/kernel/process-keys.ts';
import { lockAllVaults } from '../../src-main/platform/vault/unlock-vault.ts';
import { testKeychain } from '../fakes/keychain.ts';
import { Client } from '../support/client.ts';

const PASSWORD = 'correct horse battery';
let place: string, first: string, second: string, core: RunningCore, failed: unknown[];
/** The accounts of the two vaults. */
let ann: Client, ben: Client;

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  for (const name of ['XDG_CONFIG_HOME', 'APPDATA', 'HOME']) vi.stubEnv(name, join(place, 'config'));
  [first, second, failed] = [join(place, 'first'), join(place, 'second'), []];
  const config = loadConfig({ 'vault.path': first, 'http.port': 0, 'phone_backups.port': 0, 'log.level': 'silent' });
  core = await runCore({ config, keychain: testKeychain('ann') }, (error) => void failed.push(error));
  [ann, ben] = [new Client(core.url), new Client(core.url)];
  await ann.setup();
});
afterEach(async () => {
  await core.stop();
  lockAllVaults();
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
  expect(failed).toEqual([]);
});

const lockState = async () => (await ann.get('/api/vault-lock').catch(() => null))?.body;
const becomes = (isOpen: boolean) =>
  expect.poll(async () => (await lockState())?.is_open, { timeout: 30_000, interval: 50 }).toBe(isOpen);
const isEncrypted = async () => (await ann.get('/api/vault-encryption').catch(() => null))?.body.is_encrypted;
const askRecoveryKey = async (by: Client): Promise<string> =>
  (await by.post('/api/vault-encryption/recovery-key', { password: PASSWORD })).body.recovery_key;
async function encryptFirst(): Promise<void> {
  await ann.post('/api/vault-encryption/encrypt', { recovery_key: await askRecoveryKey(ann) });
  await expect.poll(isEncrypted, { timeout: 60_000, interval: 50 }).toBe(true);
}
const open = (by: Client, path: string, create = false) => by.post('/api/vaults/open', { path, create });
const isOpenAt = (path: string) => expect.poll(() => core.vaultFolder(), { timeout: 30_000 }).toBe(path);
async function openSecond(): Promise<void> {
  expect((await open(ann, second, true)).status).toBe(202);
  await isOpenAt(second);
  await becomes(true);
  await ben.setup('Otto Anders');
}
const unlock = (secret: string) => ann.post('/api/vault-lock/unlock', { secret });
const kept = (): string[] => readdirSync(configFolder()).filter((name) => name.startsWith('vault-'));

it('asks for the password of a vault again after another one was opened in its place', async () => {
  await encryptFirst();
  expect(Object.keys(processKeys())).toEqual([first]);
  const [keys] = Object.values(processKeys());
  await openSecond();
  expect([Object.keys(processKeys()), keys!.files.every((byte) => byte === 0)]).toEqual([[], true]);
  await open(ben, first);
  await becomes(false);
  expect((await unlock(PASSWORD)).status).toBe(200);
  await becomes(true);
  expect(await isEncrypted()).toBe(true);
}, 120_000);

it('goes back from the lock of a vault that was chosen, only on this computer and until it was open once', async () => {
  await encryptFirst();
  await openSecond();
  await open(ben, first);
  await becomes(false);
  expect(await lockState()).toMatchObject({ can_go_back: true });
  const leave = (headers: Record<string, string> = {}) => ben.call('POST', '/api/vault-lock/leave', undefined, headers);
  expect((await leave({ 'x-forwarded-for': '203.0.113.9' })).body.code).toBe('vault.unlock_here_only');
  // Two windows do it at once.
  expect((await Promise.all([leave(), leave()])).map(({ status }) => status)).toEqual([204, 204]);
  await isOpenAt(second);
  await becomes(true);
  expect((await ben.get('/api/auth/me')).status).toBe(200);
  expect(readVaultList(configFolder())).toMatchObject({ current: second, recent: [second, first] });
  expect((await leave()).status).toBe(204);
  await open(ben, first);
  await becomes(false);
  await unlock(PASSWORD);
  await becomes(true);
  await ann.post('/api/vault-encryption/lock');
  await becomes(false);
  expect([await lockState(), (await leave()).body.code]).toMatchObject([{ can_go_back: false }, 'vault.none_before']);
}, 120_000);

it('forgets what the keychain keeps of a vault that is taken out of the list, and nothing of the vault', async () => {
  await encryptFirst();
  await ann.call('PUT', '/api/vault-encryption/keychain', { secret: PASSWORD });
  await openSecond();
  expect(kept()).toHaveLength(1);
  // The one that is open stays in the list.
  await ben.post('/api/vaults/forget', { path: second });
  expect(kept()).toHaveLength(1);
  const before = readFileSync(join(first, 'vault-key.json'), 'utf8');
  const { body } = await ben.post('/api/vaults/forget', { path: first });
  expect(body.recent.map(({ path }: { path: string }) => path)).toEqual([second]);
  expect([kept(), readFileSync(join(first, 'vault-key.json'), 'utf8')]).toEqual([[], before]);
  await open(ben, first);
  await becomes(false);
  expect(await lockState()).toMatchObject({ failed: null });
  expect((await unlock(PASSWORD)).status).toBe(200);
  await becomes(true);
  expect((await ann.get('/api/vault-encryption')).body).toMatchObject({ opens_by_keychain: false });
}, 120_000);

it('never switches the encryption of another vault that was opened in the meantime', async () => {
  const recovery_key = await askRecoveryKey(ann);
  const opening = open(ann, second, true);
  const encrypting = ann.post('/api/vault-encryption/encrypt', { recovery_key });
  const [opened, refused] = await Promise.all([opening, encrypting]);
  expect([opened.status, refused.status, refused.body.code]).toEqual([202, 409, 'vault.closing']);
  await isOpenAt(second);
  await core.restart();
  await becomes(true);
  expect([first, second].map((vault) => existsSync(join(vault, 'vault-key.json')))).toEqual([false, false]);
}, 120_000);

it('says at the lock why a vault can’t be opened though its password was right, and opens it once mended', async () => {
  await encryptFirst();
  await ann.post('/api/vault-encryption/lock');
  await becomes(false);
  const database = join(first, 'vault.db');
  const whole = readFileSync(database);
  writeFileSync(database, Buffer.alloc(whole.length, 7));
  expect((await unlock(PASSWORD)).status).toBe(200);
  await expect.poll(async () => (await lockState())?.failed, { timeout: 30_000 }).toBe('vault.open_failed');
  expect(Object.keys(processKeys())).toEqual([]);
  writeFileSync(database, whole);
  const keyFile = join(first, 'vault-key.json');
  const ours = readFileSync(keyFile, 'utf8');
  writeFileSync(keyFile, ours.replace('"format":1', '"format":2'));
  expect((await unlock(PASSWORD)).body.code).toBe('vault.key_file_newer');
  writeFileSync(keyFile, ours);
  expect((await unlock(PASSWORD)).status).toBe(200);
  await becomes(true);
}, 120_000);
