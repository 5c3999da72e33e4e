/** @module-tag long */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { readSnapshot } from '../../src-main/features/vault-backups/snapshot-list.ts';
import { BackupDamaged } from '../../src-main/platform/vault/backup-format.ts';
import { restoreBackup } from '../../src-main/platform/vault/restore.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { serve, type Served } from '../support/serve.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-hostile-restore-'));
const env = { XDG_CONFIG_HOME: join(place, 'config'), VAULT_PIPELINE_WATCH: 'false' };
const vault = join(place, 'vault');
const SNAPSHOT = '20261121-080000.json';
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let served: Served, ann: Client, downloaded: Buffer, archive: string;
beforeAll(async () => {
  mkdirSync(env.XDG_CONFIG_HOME);
  served = await serve({ vault, env });
  ann = new Client(served.url);
  await ann.setup();
  const reply = await fetch(`${served.url}/api/settings/backup`, { headers: { cookie: ann.cookie } });
  downloaded = Buffer.from(await reply.arrayBuffer());
  archive = join(place, 'own.zip');
  expect(await hearth(['backup', archive, '--vault', vault], env)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await served.remove();
  rmSync(place, { recursive: true, force: true });
});

/** Rows of the sessions in a database file. */
function sessionsIn(bytes: Buffer): unknown[] {
  const file = join(place, 'look.db');
  writeFileSync(file, bytes);
  const db = new Sqlite(file, { readonly: true });
  const rows = db.prepare('SELECT session_id FROM sessions WHERE revoked_at IS NULL').all();
  db.close();
  return rows;
}

/** An archive in the form of a backup, with whatever files. */
async function hostileArchive(files: Record<string, Buffer>): Promise<string> {
  const path = join(place, `hostile-${(archives += 1)}.zip`);
  const zip = new ZipFile();
  const list = Object.entries(files).map(([name, bytes]) => ({
    path: name,
    size: bytes.length,
    sha256: sha256(bytes),
  }));
  const manifest = { format: 1, created_at: '2026-11-21T08:00:00', files: list };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
let archives = 0;

/** A backup folder whose only snapshot has these files. */
function hostileSnapshot(files: Record<string, Buffer>): string {
  const folder = join(place, `snapshot-${(archives += 1)}`);
  mkdirSync(join(folder, 'snapshots'), { recursive: true });
  const list = Object.entries(files).map(([path, bytes]) => {
    const hash = sha256(bytes);
    mkdirSync(join(folder, 'objects', hash.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, 'objects', hash.slice(0, 2), hash), bytes);
    return { path, size: bytes.length, sha256: hash };
  });
  const created_at = '2026-11-21T08:00:00';
  const body = JSON.stringify({ format: 1, kind: 'snapshot', created_at, files: list, missing: [] });
  writeFileSync(join(folder, 'snapshots', SNAPSHOT), `${sha256(Buffer.from(body))}\n${body}\n`);
  return folder;
}

const FOREIGN = [
  'secret.key',
  'vault.db-wal',
  'vault.db-shm',
  'vault.db-journal',
  'vault.lock',
  'vault.holder.json',
  '.bashrc',
  'SECRET.KEY',
  'api.token',
  'cache/thumbnails/1.webp',
  'tmp/x',
  'inbox',
  'elsewhere/a.pdf',
];

describe('a restore', () => {
  it.each(FOREIGN)('takes no %s from an archive or a backup folder', async (name) => {
    const files = { 'vault.db': downloaded, [name]: Buffer.from('foreign bytes') };
    const root = join(place, `refused-${(archives += 1)}`);
    const file = await hostileArchive(files);
    await expect(restoreBackup({ file, root, replace: false, uniqueName: 'x' })).rejects.toThrow(BackupDamaged);
    expect(readdirSync(place).filter((entry) => entry.startsWith('refused-'))).toEqual([]);
    const list = join(hostileSnapshot(files), 'snapshots', SNAPSHOT);
    expect(() => readSnapshot(list)).toThrow(BackupDamaged);
  });

  it('says so on the command line, and leaves nothing', async () => {
    const files = { 'vault.db': downloaded, 'secret.key': Buffer.from('foreign bytes') };
    for (const backup of [await hostileArchive(files), hostileSnapshot(files)]) {
      const root = join(place, 'refused', 'vault');
      const said = expect.stringContaining('damaged');
      expect(await hearth(['restore', backup, '--vault', root], env)).toMatchObject({ code: 1, said });
      expect(existsSync(root)).toBe(false);
    }
  });

  it('makes a signing key of its own, ends the sessions of the backup, and forgets programs that it names', async () => {
    const file = join(place, 'with-sessions.db');
    writeFileSync(file, downloaded);
    const db = new Sqlite(file);
    db.prepare(
      `INSERT INTO sessions (session_id, user_id, created_at, last_active_at, expires_at, ip_address, user_agent)
        VALUES ('foreign', 1, '2026-01-01T00:00:00', '2026-01-01T00:00:00', '2099-01-01T00:00:00', '', '')`,
    ).run();
    for (const [key, value] of [
      ['share.tunnel_command', '"touch /tmp/hostile"'],
      ['share.tunnel', '"command"'],
    ])
      db.prepare("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, '2026-01-01T00:00:00')").run(key, value);
    db.close();
    const bytes = readFileSync(file);
    expect(sessionsIn(bytes)).toHaveLength(1);
    for (const backup of [await hostileArchive({ 'vault.db': bytes }), hostileSnapshot({ 'vault.db': bytes })]) {
      const root = join(place, `restored-${(archives += 1)}`, 'vault');
      expect(await hearth(['restore', backup, '--vault', root], env)).toMatchObject({ code: 0 });
      expect(readdirSync(root)).not.toContain('secret.key');
      expect(sessionsIn(readFileSync(join(root, 'vault.db')))).toEqual([]);
      const restored = await serve({ vault: root, env });
      try {
        const person = new Client(restored.url);
        expect(
          (await person.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' })).status,
        ).toBe(200);
        expect((await person.get('/api/settings')).body).toMatchObject({
          share_tunnel: 'command',
          share_tunnel_command: '',
        });
        const look = new Sqlite(join(root, 'vault.db'), { readonly: true });
        const keys = look.prepare("SELECT key FROM settings WHERE key LIKE 'share.%'").pluck().all();
        look.close();
        expect(keys).toEqual(['share.tunnel']);
        person.cookie = ann.cookie;
        expect((await person.get('/api/auth/me')).status).toBe(401);
      } finally {
        await restored.remove();
      }
      expect((await ann.get('/api/auth/me')).status).toBe(200);
    }
  });
});

describe('a copy of the database', () => {
  it('has no sessions, neither as rows nor in free pages', async () => {
    const { body } = await ann.get('/api/settings/sessions');
    const ids = (body.items as { session_id: string }[]).map(({ session_id }) => session_id);
    expect(ids.length).toBeGreaterThan(0);
    const root = join(place, 'own', 'vault');
    expect(await hearth(['restore', archive, '--vault', root], env)).toMatchObject({ code: 0 });
    for (const bytes of [downloaded, readFileSync(join(root, 'vault.db'))]) {
      expect(sessionsIn(bytes)).toEqual([]);
      for (const id of ids) expect(bytes.includes(id)).toBe(false);
    }
  });
});

describe.skipIf(process.platform === 'win32')('files beside the documents', () => {
  const openToOthers = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);

  it('can be read by their owner only, also those that an earlier version left open', async () => {
    expect(readdirSync(vault)).toEqual(
      expect.arrayContaining(['vault.db', 'vault.db-wal', 'vault.db-shm', 'vault.lock']),
    );
    expect(openToOthers(vault)).toEqual([]);
    const older = join(place, 'older');
    const first = await serve({ vault: older, env });
    await new Client(first.url).setup();
    await first.stop('SIGKILL');
    for (const name of readdirSync(older)) if (name.startsWith('vault.')) chmodSync(join(older, name), 0o644);
    expect(openToOthers(older).length).toBeGreaterThan(2);
    const again = await serve({ vault: older, env });
    expect(openToOthers(older)).toEqual([]);
    await again.remove();
  });
});
