import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backup, BackupOverview } from '../../src-shared/contract/vault-backups.ts';
import { readSnapshot, writeSnapshot } from '../../src-main/features/vault-backups/snapshot-list.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { contentsOf, filesBelow, hashOf } from '../support/files.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-backups-'));
const env = { XDG_CONFIG_HOME: join(place, 'config'), VAULT_PIPELINE_WATCH: 'false' };
const disk = join(place, 'disk');
const vault = join(place, 'vault');
let served: Served, ann: Client;

beforeAll(async () => {
  mkdirSync(disk);
  mkdirSync(env.XDG_CONFIG_HOME);
  await start();
  await ann.setup();
  for (const name of ['one', 'two', 'three']) await upload(name);
});
afterAll(async () => {
  await served.stop('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

const PLAN = {
  folder: disk,
  every: 'day',
  at: '03:30',
  keep_daily: 7,
  keep_weekly: 5,
  keep_monthly: 12,
  include_secrets: false,
};
async function start(): Promise<void> {
  served = await serve({ vault, env });
  const cookie = ann?.cookie ?? '';
  ann = new Client(served.url);
  ann.cookie = cookie;
}
async function upload(name: string): Promise<number> {
  const { body } = await ann.upload(
    await letter([
      [
        { text: `Letter ${name}`, y: 60 },
        { text: 'Datum: 12.11.2025', y: 90 },
      ],
    ]),
    `${name}.pdf`,
  );
  await ann.idle();
  return body.document_id;
}
const overview = async (): Promise<BackupOverview> =>
  (await ann.get('/api/settings/backup/files')).body as BackupOverview;
async function settled(): Promise<BackupOverview> {
  for (let tries = 0; tries < 600; tries += 1) {
    const now = await overview();
    if (now.running === null) return now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('still busy with backups');
}
async function backUp(): Promise<Backup> {
  expect((await ann.post('/api/settings/backup/run')).status).toBe(202);
  return (await settled()).items[0]!;
}
const objects = (): string[] => filesBelow(join(disk, 'objects'));
const listOf = (backup: Pick<Backup, 'name'>): string => join(disk, 'snapshots', `${backup.name}.json`);
const flip = (path: string): void => {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 8;
  writeFileSync(path, bytes);
};

describe('the folder of backups', () => {
  it('is selected by the absolute path of an existing folder outside the vault', async () => {
    const save = async (folder: string | null) =>
      (await ann.call('PUT', '/api/settings/backup/plan', { ...PLAN, folder })).body;
    expect((await overview()).target.state).toBe('unset');
    expect((await ann.post('/api/settings/backup/run')).body.code).toBe('backup.folder_not_set');
    expect((await save('disk')).code).toBe('backup.folder_invalid');
    expect((await save(join(place, 'nowhere'))).code).toBe('backup.folder_missing');
    expect((await save(vault)).code).toBe('backup.folder_inside');
    expect((await save(join(vault, 'patients'))).code).toBe('backup.folder_inside');
    // Where nothing can be made; Node would try for ever.
    if (process.platform === 'linux') expect((await save('/proc')).code).toBe('backup.folder_read_only');
    expect((await save(disk)).target.state).toBe('ready');
    // A folder with other things in it gets one of our own.
    const shared = join(place, 'shared');
    mkdirSync(shared);
    writeFileSync(join(shared, 'holiday.jpg'), 'x');
    expect((await save(shared)).plan.folder).toBe(join(shared, 'hearth-backups'));
    expect((await save(disk)).plan.folder).toBe(disk);
  });

  it('is never replaced by the empty mount point of a missing disk', async () => {
    renameSync(disk, `${disk}-unplugged`);
    expect((await overview()).target.state).toBe('absent');
    expect((await ann.post('/api/settings/backup/run')).body.code).toBe('backup.folder_missing');
    mkdirSync(disk);
    expect((await overview()).target.state).toBe('foreign');
    expect((await ann.post('/api/settings/backup/run')).body.code).toBe('backup.wrong_disk');
    expect((await ann.call('PUT', '/api/settings/backup/plan', { ...PLAN, keep_daily: 9 })).body.plan.keep_daily).toBe(
      9,
    );
    expect(readdirSync(disk)).toEqual([]);
    rmSync(disk, { recursive: true });
    renameSync(`${disk}-unplugged`, disk);
    expect((await overview()).target.state).toBe('ready');
  });
});

describe('a backup', () => {
  it('contains the database and every file by its hash, verified', async () => {
    const backup = await backUp();
    expect(backup).toMatchObject({
      status: 'done',
      error_code: null,
      files: 3,
      scheduled: false,
      present: true,
      verified_at: expect.any(String),
    });
    expect((await overview()).last_verified_at).toBe(backup.started_at);
    const snapshot = readSnapshot(listOf(backup));
    expect(
      Object.fromEntries(
        snapshot.files.filter(({ path }) => path !== 'vault.db').map(({ path, sha256 }) => [path, sha256]),
      ),
    ).toEqual(contentsOf(vault));
    for (const path of objects()) expect(hashOf(path)).toBe(basename(path));
    if (process.platform !== 'win32') expect(objects().every((path) => (statSync(path).mode & 0o077) === 0)).toBe(true);
    expect(readdirSync(join(vault, 'tmp'))).toEqual([]);
  });

  it('stores only new files', async () => {
    const before = new Set(objects());
    await upload('four');
    await backUp();
    // The letter and the database of now.
    expect(objects().filter((path) => !before.has(path))).toHaveLength(2);
  });

  it('is reported as damaged by one flipped bit in a file or its list, and repaired by the next backup', async () => {
    const backup = await backUp();
    const victim = readSnapshot(listOf(backup)).files.find(({ path }) => path.endsWith('.pdf'))!;
    flip(join(disk, 'objects', victim.sha256.slice(0, 2), victim.sha256));
    await ann.post(`/api/settings/backup/files/${backup.id}/verify`);
    let now = await settled();
    expect([now.last_error, now.items.find(({ id }) => id === backup.id)?.error_code]).toEqual([
      'backup.damaged',
      'backup.damaged',
    ]);
    const mended = await backUp();
    expect(mended.status).toBe('done');
    expect(hashOf(join(disk, 'objects', victim.sha256.slice(0, 2), victim.sha256))).toBe(victim.sha256);
    await ann.post(`/api/settings/backup/files/${backup.id}/verify`);
    now = await settled();
    expect([now.last_error, now.items.find(({ id }) => id === backup.id)?.error_code]).toEqual([null, null]);

    const list = readFileSync(listOf(mended), 'utf8');
    writeFileSync(listOf(mended), list.replace('three', 'threw').replace('patients', 'patientz'));
    await ann.post(`/api/settings/backup/files/${mended.id}/verify`);
    expect((await settled()).last_error).toBe('backup.damaged');
    writeFileSync(listOf(mended), list);
  });

  it('can be deleted with the files that no other backup needs', async () => {
    const { items } = await overview();
    const kept = items[0]!;
    for (const backup of items.slice(1))
      expect((await ann.call('DELETE', `/api/settings/backup/files/${backup.id}`)).status).toBe(200);
    const wanted = new Set(readSnapshot(listOf(kept)).files.map(({ sha256 }) => sha256));
    expect(new Set(objects().map((path) => basename(path)))).toEqual(wanted);
    expect((await overview()).items.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('includes the keys of secrets only if requested, and then they can be used on another machine', async () => {
    await ann.call('PATCH', '/api/settings', { oidc_client_secret: 'a secret of the household' });
    /** Restores the newest backup as another computer would, and answers whether the secret can be read there. */
    async function opensElsewhere(name: string): Promise<boolean> {
      const elsewhere = { ...env, XDG_CONFIG_HOME: join(place, name) };
      mkdirSync(elsewhere.XDG_CONFIG_HOME);
      const root = join(elsewhere.XDG_CONFIG_HOME, 'vault');
      expect(await hearth(['restore', disk, '--vault', root], elsewhere)).toMatchObject({ code: 0 });
      const other = await serve({ vault: root, env: elsewhere });
      const client = new Client(other.url);
      await client.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
      const { body } = await client.get('/api/settings');
      await other.stop();
      expect(existsSync(join(root, 'secrets.keys'))).toBe(false);
      return body.has_oidc_client_secret;
    }
    await backUp();
    expect(await opensElsewhere('without-keys')).toBe(false);
    await ann.call('PUT', '/api/settings/backup/plan', { ...PLAN, include_secrets: true });
    await backUp();
    expect(await opensElsewhere('with-keys')).toBe(true);
    await ann.call('PUT', '/api/settings/backup/plan', PLAN);
    await backUp();
    expect(readdirSync(join(vault, 'tmp'))).toEqual([]);
  });

  it('that is killed leaves no backup, and the next one is complete', async () => {
    const before = (await overview()).items.length;
    await ann.post('/api/settings/backup/run');
    await served.stop('SIGKILL');
    await start();
    const now = await overview();
    expect(now.items.length).toBe(before + 1);
    // Killed before its list was written, it failed; after that it is there.
    expect([
      ['failed', 'backup.interrupted', false],
      ['done', null, true],
    ]).toContainEqual([now.items[0]!.status, now.items[0]!.error_code, now.items[0]!.present]);
    expect((await backUp()).status).toBe('done');
    expect(readdirSync(join(disk, 'objects')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('a restore', () => {
  it('can be tested without changing anything', async () => {
    const contents = contentsOf(vault);
    const [backup] = (await overview()).items;
    await ann.post(`/api/settings/backup/files/${backup!.id}/drill`);
    const now = await settled();
    expect(now.last_drill).toMatchObject({ backup_id: backup!.id, ok: true, documents: 4, faults: 0 });
    expect(contentsOf(vault)).toEqual(contents);
    expect(readdirSync(place).filter((name) => name.includes('drill'))).toEqual([]);
  });

  it('restores an empty machine byte by byte', async () => {
    await backUp();
    const root = join(place, 'new-machine', 'vault');
    mkdirSync(dirname(root));
    expect(await hearth(['restore', disk, '--vault', root], env)).toMatchObject({
      code: 0,
      said: expect.stringContaining('files restored'),
    });
    expect(await hearth(['verify', '--vault', root], env)).toMatchObject({
      code: 0,
      said: expect.stringContaining('4 documents, 4 files'),
    });
    expect(contentsOf(root)).toEqual(contentsOf(vault));
  });

  it('replaces a broken vault and moves it aside', async () => {
    const root = join(place, 'broken', 'vault');
    cpSync(vault, root, { recursive: true });
    truncateSync(join(root, 'vault.db'), 5000);
    writeFileSync(join(root, 'patients', 'only-here.txt'), 'not in any backup');
    expect(await hearth(['restore', disk, '--vault', root], env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('--replace'),
    });
    expect(await hearth(['restore', disk, '--vault', root, '--replace'], env)).toMatchObject({ code: 0 });
    expect(await hearth(['verify', '--vault', root], env)).toMatchObject({ code: 0 });
    expect(contentsOf(root)).toEqual(contentsOf(vault));
    const [aside] = readdirSync(dirname(root)).filter((name) => name !== basename(root));
    expect(readFileSync(join(dirname(root), aside ?? '', 'patients', 'only-here.txt'), 'utf8')).toBe(
      'not in any backup',
    );
  });

  it('from a damaged backup is rejected and changes nothing', async () => {
    const copy = join(place, 'damaged');
    cpSync(disk, copy, { recursive: true });
    const name = readdirSync(join(copy, 'snapshots')).sort().at(-1)!;
    const victim = readSnapshot(join(copy, 'snapshots', name)).files.find(({ path }) => path.endsWith('.pdf'))!;
    flip(join(copy, 'objects', victim.sha256.slice(0, 2), victim.sha256));
    const root = join(place, 'untouched', 'vault');
    cpSync(vault, root, { recursive: true });
    const before = contentsOf(root);
    expect(await hearth(['restore', copy, '--vault', root, '--replace'], env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('damaged'),
    });
    expect([contentsOf(root), readdirSync(dirname(root))]).toEqual([before, ['vault']]);
  });

  it('is undone if the restored vault does not start, and the failed vault is moved aside', async () => {
    const [backup] = (await overview()).items;
    const snapshot = readSnapshot(listOf(backup!));
    const objectAt = (sha256: string): string => join(disk, 'objects', sha256.slice(0, 2), sha256);
    // A sound database in which Hearth does not find its settings.
    const file = join(place, 'without-settings.db');
    cpSync(objectAt(snapshot.files.find(({ path }) => path === 'vault.db')!.sha256), file);
    const db = new Sqlite(file);
    db.exec('ALTER TABLE settings RENAME TO settings_of_another_program');
    db.close();
    const bytes = readFileSync(file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    mkdirSync(dirname(objectAt(sha256)), { recursive: true });
    writeFileSync(objectAt(sha256), bytes);
    const others = snapshot.files.filter(({ path }) => path !== 'vault.db');
    writeSnapshot(
      join(disk, 'snapshots'),
      '20200101-000000',
      { ...snapshot, files: [{ path: 'vault.db', size: bytes.length, sha256 }, ...others] },
      'broken',
    );
    const broken = (await overview()).items.find(({ name }) => name === '20200101-000000')!;
    expect((await ann.post(`/api/settings/backup/files/${broken.id}/restore`)).status).toBe(202);
    const failed = (): string[] => readdirSync(place).filter((name) => name.startsWith('vault.before-restore-failed-'));
    await expect.poll(() => failed().length).toBe(1);
    // The same key, so the session goes on.
    await expect
      .poll(() =>
        overview().then(
          (now) => now.last_error,
          () => '',
        ),
      )
      .toBe('backup.failed');
    expect((await ann.get('/api/documents')).body.total).toBe(4);
    expect((await ann.call('DELETE', `/api/settings/backup/files/${broken.id}`)).status).toBe(200);
  });

  it('from within Hearth restarts it at the same address and moves the current vault aside', async () => {
    const [backup] = (await overview()).items;
    const then = contentsOf(vault);
    const late = await upload('too late');
    const asides = (): string[] => readdirSync(place).filter((name) => name.startsWith('vault.before-restore-'));
    const earlier = asides();
    expect((await ann.post(`/api/settings/backup/files/${backup!.id}/restore`)).status).toBe(202);
    // Everybody signs in anew: sessions that were ended since the backup must not live again.
    await expect
      .poll(() =>
        ann.get('/api/auth/me').then(
          (answer) => answer.status,
          () => 0,
        ),
      )
      .toBe(401);
    await ann.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    expect((await ann.get(`/api/documents/${late}`)).status).toBe(404);
    expect((await ann.get('/api/documents')).body.total).toBe(4);
    expect(contentsOf(vault)).toEqual(then);
    const [aside] = asides().filter((name) => !earlier.includes(name));
    expect(filesBelow(join(place, aside ?? '', 'patients'))).toHaveLength(5);
    // It goes on with its backups, and knows those that were made after the one that it came from.
    expect((await overview()).items.filter((item) => item.present).length).toBe(
      readdirSync(join(disk, 'snapshots')).length,
    );
    expect(await backUp()).toMatchObject({ status: 'done' });
    expect((await ann.post('/api/vault/check')).status).toBe(202);
  });
});

describe('the database alone', () => {
  it('is downloaded as one file without secrets, and leaves no temporary file', async () => {
    await ann.call('PATCH', '/api/settings', { oidc_client_secret: 'another secret' });
    const fetched = async (query: string): Promise<Buffer> => {
      const response = await fetch(`${served.url}/api/settings/backup${query}`, { headers: { cookie: ann.cookie } });
      expect([response.status, response.headers.get('content-disposition')]).toEqual([
        200,
        expect.stringMatching(/^attachment; filename="hearth-\d{4}-\d\d-\d\d\.db"/),
      ]);
      return Buffer.from(await response.arrayBuffer());
    };
    const file = join(place, 'downloaded.db');
    const bytes = await fetched('');
    writeFileSync(file, bytes);
    const db = new Sqlite(file, { readonly: true });
    expect([
      db.pragma('integrity_check', { simple: true }),
      db.prepare('SELECT count(*) FROM documents').pluck().get(),
    ]).toEqual(['ok', 4]);
    expect(db.prepare("SELECT count(*) FROM settings WHERE key = 'oidc.client_secret'").pluck().get()).toBe(0);
    db.close();
    expect(bytes.includes('sealed:v1:')).toBe(false);
    expect((await fetched('?secrets=include')).includes('sealed:v1:')).toBe(true);
    await expect.poll(() => existsSync(join(vault, 'tmp')) && readdirSync(join(vault, 'tmp'))).toEqual([]);
  });
});
