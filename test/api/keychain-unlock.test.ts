/** @module-tag long */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunningCore } from '../../src-main/app/running-core.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { configFolder, loadConfig } from '../../src-main/platform/config/load.ts';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import type { Keychain } from '../../src-main/platform/secrets/service.ts';
import { lockAllVaults } from '../../src-main/platform/vault/unlock-vault.ts';
import { testKeychain } from '../fakes/keychain.ts';
import { Client } from '../support/client.ts';

const PASSWORD = 'correct horse battery';
const KEYCHAIN = '/api/vault-encryption/keychain';
let folder: string, core: RunningCore, ann: Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  for (const name of ['XDG_CONFIG_HOME', 'APPDATA', 'HOME']) vi.stubEnv(name, join(folder, 'config'));
  mkdirSync(join(folder, 'vault'));
  writeFileSync(join(folder, 'vault/vault-key.json'), JSON.stringify((await createKeyFile(PASSWORD)).file));
  writeFileSync(join(folder, 'password'), PASSWORD);
  // A folder without a database is not unlocked: its disk may have gone.
  vi.stubEnv('HEARTH_VAULT_PASSWORD_FILE', join(folder, 'password'));
  await start();
  vi.stubEnv('HEARTH_VAULT_PASSWORD_FILE', '');
  await ann.setup();
});
afterEach(async () => {
  await core.stop();
  lockAllVaults();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program anew, without anything in its memory. */
async function start(keychain: Keychain | null = testKeychain('ann')): Promise<void> {
  const config = loadConfig({
    ...{ 'vault.path': join(folder, 'vault'), 'http.port': 0, 'phone_backups.port': 0, 'log.level': 'silent' },
  });
  core = await runCore({ config, keychain }, (error) => {
    throw error;
  });
  const { cookie = '' } = ann ?? {};
  ann = new Client(core.url);
  ann.cookie = cookie;
}
async function restart(...given: Parameters<typeof start>): Promise<void> {
  await core.stop();
  lockAllVaults();
  await start(...given);
}
const state = async () => (await ann.get('/api/vault-lock').catch(() => null))?.body;
const opened = () => expect.poll(async () => (await state())?.is_open, { timeout: 30_000 }).toBe(true);
const closed = () => expect.poll(async () => (await state())?.is_open, { timeout: 30_000 }).toBe(false);
const unlock = async (secret: string): Promise<number> => (await ann.post('/api/vault-lock/unlock', { secret })).status;
const kept = (): string[] =>
  existsSync(configFolder()) ? readdirSync(configFolder()).filter((name) => /^vault-.*\.keychain$/.test(name)) : [];
const overview = async () => (await ann.get('/api/vault-encryption')).body;

it('opens the vault at the start once the password permitted it, asks after each lock, and forgets when turned off', async () => {
  expect(await overview()).toMatchObject({ opens_by_keychain: false });
  const wrong = await ann.call('PUT', KEYCHAIN, { secret: 'wrong horse battery' });
  expect([wrong.body.code, kept()]).toEqual(['vault.wrong_password', []]);
  expect((await ann.call('PUT', KEYCHAIN, { secret: PASSWORD })).body).toMatchObject({ opens_by_keychain: true });
  await restart();
  expect([core.isLocked(), await state()]).toEqual([false, expect.objectContaining({ is_open: true })]);
  expect((await overview()).opens_by_keychain).toBe(true);
  await ann.post('/api/vault-encryption/lock');
  await closed();
  expect(await state()).toMatchObject({ is_open: false, failed: null });
  expect([await unlock('wrong horse battery'), await unlock(PASSWORD)]).toEqual([403, 200]);
  await opened();
  expect((await ann.call('DELETE', KEYCHAIN)).body).toMatchObject({ opens_by_keychain: false });
  expect(kept()).toEqual([]);
  await restart();
  expect(await state()).toMatchObject({ is_open: false, failed: null });
  expect(await unlock(PASSWORD)).toBe(200);
  await opened();
  const log = (await ann.get('/api/settings/audit-log?limit=50')).body.items;
  expect(log.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['vault.keychain_on', 'vault.keychain_off']),
  );
}, 120_000);

it('is not offered by a program without a keychain, which does not use what another one has kept', async () => {
  await ann.call('PUT', KEYCHAIN, { secret: PASSWORD });
  await restart(null);
  expect(await state()).toMatchObject({ is_open: false, failed: null });
  expect(await unlock(PASSWORD)).toBe(200);
  await opened();
  expect(await overview()).toMatchObject({ is_encrypted: true, opens_by_keychain: null });
  expect((await ann.call('PUT', KEYCHAIN, { secret: PASSWORD })).body.code).toBe('vault.no_keychain');
}, 120_000);

it('shows the lock with the reason where the keychain refuses or the file is damaged, and opens by the password', async () => {
  await ann.call('PUT', KEYCHAIN, { secret: PASSWORD });
  await restart(testKeychain('ben'));
  expect(await state()).toMatchObject({ is_open: false, failed: 'vault.keychain_refused' });
  expect(await unlock(PASSWORD)).toBe(200);
  await opened();
  // What was kept stays, because a keychain may refuse for one start only.
  await restart();
  expect(await state()).toMatchObject({ is_open: true });
  writeFileSync(join(configFolder(), kept()[0]!), '{"format":1');
  await restart();
  expect(await state()).toMatchObject({ is_open: false, failed: 'vault.keychain_refused' });
  expect(await unlock(PASSWORD)).toBe(200);
  await opened();
  expect(await overview()).toMatchObject({ opens_by_keychain: false });
}, 120_000);

it('goes on after a changed password, and not after the vault was decrypted', async () => {
  await ann.call('PUT', KEYCHAIN, { secret: PASSWORD });
  const password = 'heather on the slope';
  const changed = await ann.call('PUT', '/api/vault-encryption/password', { secret: PASSWORD, password });
  expect(changed.body).toMatchObject({ opens_by_keychain: true });
  await restart();
  expect(await state()).toMatchObject({ is_open: true });
  expect((await ann.post('/api/vault-encryption/decrypt', { secret: password })).status).toBe(202);
  await expect.poll(async () => (await overview().catch(() => null))?.is_encrypted, { timeout: 60_000 }).toBe(false);
  expect([kept(), existsSync(join(folder, 'vault/vault-key.json'))]).toEqual([[], false]);
  expect(await overview()).toMatchObject({ opens_by_keychain: null });
}, 120_000);

it('tells the page why the keychain could not keep the key', async () => {
  const failing = {
    ...testKeychain('ann'),
    wrap: () => {
      throw new Error('the keychain is locked');
    },
  };
  await restart(failing);
  await unlock(PASSWORD);
  await opened();
  expect((await ann.call('PUT', KEYCHAIN, { secret: PASSWORD })).body.code).toBe('vault.no_keychain');
  expect([kept(), (await overview()).opens_by_keychain]).toEqual([[], false]);
}, 120_000);
