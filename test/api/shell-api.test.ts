/** @module-tag long */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunningCore } from '../../src-main/app/running-core.ts';
import { runCore } from '../../src-main/app/supervisor.ts';
import { loadConfig } from '../../src-main/platform/config/load.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';

let folder: string, core: RunningCore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-shell-'));
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});
afterEach(async () => {
  await core.stop();
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

async function start(options: { windowKey?: string; isSafeMode?: boolean } = {}): Promise<Client> {
  const config = loadConfig({
    ...{ 'vault.path': join(folder, 'vault'), 'http.port': 0, 'phone_backups.port': 0, 'log.level': 'silent' },
  });
  core = await runCore({ config, ...options }, (error) => {
    throw error;
  });
  return new Client(core.url);
}
/** Uploads a letter that waits to be read. */
const add = async (person: Client, patient: number, seed: number): Promise<number> =>
  (await person.upload(await labReport({ seed }), `report-${seed}.pdf`, patient)).body.document_id as number;

/** Signs in as a new user who may see no patient. */
async function newEditor(owner: Client): Promise<Client> {
  const account = { username: 'ben', password: 'correct horse battery' };
  await owner.post('/api/settings/users', { ...account, display_name: 'Ben', role: 'editor' });
  const editor = new Client(core.url);
  await editor.post('/api/auth/login', account);
  return editor;
}

describe('what the desktop shell asks', () => {
  it('tells each user of their own records only, and nobody of anything', async () => {
    const owner = await start();
    await owner.setup();
    core.shellApi.holdReading({ code: 'reading.on_battery' });
    const id = await add(owner, 1, 1);
    const other = await newEditor(owner);
    expect(core.shellApi.activity('')).toBeNull();
    expect(core.shellApi.activity(owner.cookie)).toMatchObject({
      waiting: 1,
      isReading: false,
      isStopped: true,
      ended: 0,
    });
    expect(core.shellApi.activity(other.cookie)).toMatchObject({ waiting: 0, ended: 0, toReview: 0, openings: 0 });
    expect(core.shellApi.fileOf(owner.cookie, id)).toContain(join(folder, 'vault'));
    expect([
      core.shellApi.fileOf(other.cookie, id),
      core.shellApi.fileOf('', id),
      core.shellApi.fileOf(owner.cookie, 99),
    ]).toEqual([null, null, null]);
    expect([core.shellApi.isAdministrator(owner.cookie), core.shellApi.isAdministrator(other.cookie)]).toEqual([
      true,
      false,
    ]);
    expect([core.shellApi.isSignedIn(other.cookie), core.shellApi.isSignedIn('vault_session=forged')]).toEqual([
      true,
      false,
    ]);
  });

  it('makes reading wait on battery, but neither ends nor replaces what a person stopped', async () => {
    const person = await start();
    await person.setup();
    const status = async () => (await person.get('/api/pipeline/status')).body;
    core.shellApi.holdReading({ code: 'reading.on_battery' });
    expect(await status()).toMatchObject({ running: false, auto_stop_error: { code: 'reading.on_battery' } });
    core.shellApi.releaseReading('reading.on_battery');
    expect(await status()).toMatchObject({ running: true, auto_stop_error: null });
    await person.post('/api/pipeline/stop', {});
    core.shellApi.holdReading({ code: 'reading.on_battery' });
    core.shellApi.releaseReading('reading.on_battery');
    expect(await status()).toMatchObject({ running: false, auto_stop_error: null });
  });

  it('starts the core again under the same address and loses nothing of the queue', async () => {
    const person = await start();
    await person.setup();
    const { url } = core;
    let calls = 0;
    core.onActivity(() => {
      calls += 1;
    });
    core.shellApi.holdReading({ code: 'reading.on_battery' });
    const ids = [await add(person, 1, 1), await add(person, 1, 2)];
    await core.restart();
    expect(core.url).toBe(url);
    const before = calls;
    // Whoever made it wait asks again after a start, so it goes on by itself.
    await expect
      .poll(async () => (await person.get('/api/pipeline/status')).body)
      .toMatchObject({ running: true, queue_depth: 0, current_job: null, total_processed: 2 });
    for (const id of ids)
      expect((await person.get(`/api/documents/${id}`)).body).toMatchObject({ doc_type: 'lab_test' });
    expect(calls).toBeGreaterThan(before);
  });
});

describe('the address of the desktop window', () => {
  it.each(['/health', '/', '/api/auth/me', '/api/setup/status', '/assets/x.js', '/api/dicomwebs', '/api/unknown'])(
    'answers %s only to its own window',
    async (path) => {
      await start({ windowKey: 'the key of this run' });
      const statusWith = async (headers: Record<string, string>) => {
        const reply = await fetch(`${core.url}${path}`, { headers });
        return { status: reply.status, text: await reply.text() };
      };
      const bare = await statusWith({});
      expect(bare.status).toBe(403);
      expect(JSON.parse(bare.text)).toMatchObject({ code: 'request.wrong_window' });
      for (const key of ['', 'the key of this ru', 'the key of this run2', 'undefined'])
        expect(await statusWith({ 'X-Hearth-Window': key })).toEqual(bare);
      expect((await statusWith({ 'X-Hearth-Window': 'the key of this run' })).text).not.toContain('wrong_window');
    },
  );

  it('leaves viewers of imaging their own tokens', async () => {
    await start({ windowKey: 'the key of this run' });
    expect((await fetch(`${core.url}/api/dicomweb/studies`)).status).toBe(401);
  });
});

it('safe mode reads nothing and opens nothing for recipients, and the next start goes on', async () => {
  const person = await start({ isSafeMode: true });
  await person.setup();
  await add(person, 1, 1);
  expect((await person.get('/api/pipeline/status')).body).toMatchObject({
    ...{ running: false, watcher_active: false, queue_depth: 1 },
    auto_stop_error: { code: 'reading.safe_mode' },
  });
  await person.call('PATCH', '/api/settings', { share_listen: 'always' });
  expect(core.shareUrl()).toBeNull();
  await core.stop();
  const again = await start();
  again.cookie = person.cookie;
  await expect
    .poll(async () => (await again.get('/api/pipeline/status')).body)
    .toMatchObject({ running: true, queue_depth: 0, total_processed: 1 });
});
