/** @module-tag long */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VaultOverview } from '../../src-shared/contract/vaults.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { contentsOf } from '../support/files.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-vaults-'));
const env = { XDG_CONFIG_HOME: join(place, 'config'), APPDATA: join(place, 'config'), VAULT_PIPELINE_WATCH: 'false' };
const [first, second] = [join(place, 'first'), join(place, 'second')];
let moved = join(place, 'disk/moved');
let served: Served, person: Client;

beforeAll(async () => {
  mkdirSync(env.XDG_CONFIG_HOME);
  mkdirSync(join(place, 'disk'));
  served = await serve({ vault: first, env });
  person = new Client(served.url);
  await person.setup();
  await person.upload(Buffer.from(await letter([[{ text: 'Letter of the first vault', y: 60 }]])), 'first.pdf');
  await person.idle();
});
afterAll(async () => {
  await served.stop('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

/** What the vault says once its program answers again; null while it does not. */
const overview = async (): Promise<VaultOverview | null> => {
  const { status, body } = await person.get('/api/vaults').catch(() => ({ status: 0, body: null }));
  return status === 200 ? body : null;
};
const isReachable = async () => (await fetch(`${served.url}/health`).catch(() => null))?.ok ?? false;
const needsSetup = async () => {
  const reply = await fetch(`${served.url}/api/setup/status`).catch(() => null);
  return reply?.ok ? ((await reply.json()) as { needs_setup: boolean }).needs_setup : null;
};

it('names the vault that is open', async () => {
  expect(await overview()).toMatchObject({
    path: first,
    can_switch: true,
    recent: [{ path: first, state: 'open', host: null }],
    moving: null,
    last_error: null,
  });
});

it('opens no other folder by mistake', async () => {
  const open = async (path: string) => (await person.post('/api/vaults/open', { path })).body.code;
  mkdirSync(join(place, 'papers'));
  writeFileSync(join(place, 'papers', 'a.txt'), 'a');
  expect(await open('second')).toBe('vault.path_invalid');
  expect(await open(join(first, 'patients'))).toBe('vault.path_invalid');
  expect(await open(place)).toBe('vault.path_invalid');
  expect(await open(join(place, 'papers'))).toBe('vault.not_a_vault');
  // The mount point of a disk that is not connected is empty.
  expect(await open(second)).toBe('vault.absent');
});

it('makes a second vault under the same address, with its own accounts, and goes back', async () => {
  expect((await person.post('/api/vaults/open', { path: second, create: true })).status).toBe(202);
  await expect.poll(needsSetup, { timeout: 20_000 }).toBe(true);
  const other = new Client(served.url);
  await other.setup('Otto Anders');
  expect((await other.get('/api/documents')).body.total).toBe(0);
  const { recent } = (await other.get('/api/vaults')).body as VaultOverview;
  expect(recent.map(({ path, state }) => [path, state])).toEqual([
    [second, 'open'],
    [first, 'ready'],
  ]);
  await other.post('/api/vaults/open', { path: first });
  await expect.poll(overview, { timeout: 20_000 }).toMatchObject({ path: first });
  expect((await person.get('/api/documents')).body.total).toBe(1);
});

it('refuses a vault that is open on another computer', async () => {
  const holder = { host: 'laptop', pid: 7, since: '2026-11-27T06:00:00', run: 'x' };
  writeFileSync(join(second, 'vault.holder.json'), JSON.stringify(holder));
  const { body } = await person.post('/api/vaults/open', { path: second });
  expect([body.code, body.params]).toEqual(['vault.in_use', { host: 'laptop' }]);
  expect((await overview())?.recent).toContainEqual({ path: second, state: 'in_use', host: 'laptop' });
  const { code, said } = await hearth(['verify', '--vault', second], env);
  expect(code).toBe(0);
  expect(said).toContain('all intact');
  await expect(serve({ vault: second, env })).rejects.toThrow(/open in Hearth on the computer “laptop”/);
  rmSync(join(second, 'vault.holder.json'));
});

it('shows a vault that is open elsewhere, and changes nothing in it', async () => {
  const holder = JSON.stringify({ host: 'laptop', pid: 7, since: '2026-11-27T06:00:00', run: 'x' });
  await person.upload(Buffer.from(await letter([[{ text: 'Not read yet', y: 60 }]])), 'waiting.pdf');
  await person.idle();
  const reader = await serve({ vault: first, env, args: ['--read-only'] });
  try {
    const before = contentsOf(first);
    const ann = new Client(reader.url);
    await ann.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    const { items, total } = (await ann.get('/api/documents')).body;
    expect(total).toBe(2);
    expect((await ann.get(`/api/documents/${items[0].id}/file`)).status).toBe(200);
    expect(
      (await fetch(`${reader.url}/api/documents/${items[0].id}/thumbnail`, { headers: { cookie: ann.cookie } })).status,
    ).toBe(200);
    expect((await ann.upload(Buffer.from('x'), 'x.pdf')).body.code).toBe('vault.read_only');
    expect((await ann.call('DELETE', `/api/documents/${items[0].id}`)).body.code).toBe('vault.read_only');
    expect((await ann.get('/api/vaults')).body.read_only_since).not.toBeNull();
    expect(contentsOf(first)).toEqual(before);
  } finally {
    await reader.stop();
  }
  // The one that works goes on.
  expect((await person.get('/api/documents')).body.total).toBe(2);
  // In the page: the second vault, while the laptop has it, and in earnest once it is free.
  writeFileSync(join(second, 'vault.holder.json'), holder);
  await person.post('/api/vaults/open', { path: second, read_only: true });
  const otto = new Client(served.url);
  // Both vaults have the same account, so the path says which one answers.
  const openPath = async () => {
    await otto.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    return (await otto.get('/api/vaults')).body.path;
  };
  await expect.poll(() => openPath().catch(() => null), { timeout: 20_000 }).toBe(second);
  expect(readFileSync(join(second, 'vault.holder.json'), 'utf8')).toBe(holder);
  expect((await otto.post('/api/vaults/open', { path: second })).body.code).toBe('vault.in_use');
  rmSync(join(second, 'vault.holder.json'));
  await otto.post('/api/vaults/open', { path: first });
  await expect.poll(overview, { timeout: 20_000 }).toMatchObject({ path: first, read_only_since: null });
  await person.call('DELETE', `/api/documents/${(await person.get('/api/documents')).body.items[0].id}`);
});

it('says that the disk is not connected, and goes on when it is back', async () => {
  renameSync(first, `${first}-unplugged`);
  await expect
    .poll(async () => (await person.get('/api/documents')).body.code, { timeout: 20_000 })
    .toBe('vault.disk_gone');
  expect([await isReachable(), existsSync(first)]).toEqual([true, false]);
  renameSync(`${first}-unplugged`, first);
  await expect
    .poll(async () => (await person.get('/api/documents').catch(() => null))?.body.total, { timeout: 20_000 })
    .toBe(1);
  await person.upload(Buffer.from(await letter([[{ text: 'After the disk came back', y: 60 }]])), 'second.pdf');
  await person.idle();
  expect((await person.get('/api/documents')).body.total).toBe(2);
});

it('moves to another disk with every file, and keeps the previous folder', async () => {
  const before = contentsOf(first);
  expect((await person.post('/api/vaults/move', { path: join(place, 'papers') })).body.code).toBe('vault.not_empty');
  // Two at once: the one that arrives first moves it, the other is refused.
  const targets = [moved, `${moved}-too`];
  const both = await Promise.all(targets.map((path) => person.post('/api/vaults/move', { path })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  expect(both.find(({ status }) => status === 409)!.body.code).toBe('vault.busy');
  moved = targets[both.findIndex(({ status }) => status === 202)]!;
  await expect.poll(overview, { timeout: 30_000 }).toMatchObject({ path: moved, moving: null, last_error: null });
  const { moved_from: aside } = (await overview())!;
  expect(contentsOf(moved)).toEqual(before);
  expect([existsSync(first), contentsOf(aside!)]).toEqual([false, before]);
  expect((await person.get('/api/documents')).body.total).toBe(2);
  const { id } = (await person.get('/api/documents')).body.items[0];
  expect((await person.get(`/api/documents/${id}/file`)).status).toBe(200);
  expect(readdirSync(join(place, 'disk'))).toEqual([basename(moved)]);
});

it('is opened by the next start, listed and chosen on the command line, and not made anew when it is missing', async () => {
  await served.stop();
  const vault = (...words: string[]) => hearth(['vault', ...words], env);
  expect((await vault('list')).said.split('\n')[0]).toBe(`* ${moved}`);
  expect((await vault('use', second)).code).toBe(0);
  expect((await vault('list')).said.split('\n').slice(0, 2)).toEqual([`* ${second}`, `  ${moved}`]);
  expect((await vault('move', join(place, 'disk/second'))).said).toContain(
    `The vault is in ${join(place, 'disk/second')}`,
  );
  renameSync(join(place, 'disk/second'), join(place, 'unplugged'));
  const { code, said } = await hearth(['serve', '--port', '0', '--phone-backups-port', '0'], env);
  expect([code, said]).toEqual([1, expect.stringContaining('was not found. Connect its disk')]);
  expect(existsSync(join(place, 'disk/second'))).toBe(false);
  expect(JSON.parse(readFileSync(join(env.XDG_CONFIG_HOME, 'hearth', 'vaults.json'), 'utf8')).current).toBe(
    join(place, 'disk/second'),
  );
});
