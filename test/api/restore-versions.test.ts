import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSnapshot } from '../../src-main/features/vault-backups/snapshot-list.ts';
import { hearth } from '../support/command.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-versions-'));
const old = join(place, 'old');
const env = { XDG_CONFIG_HOME: place };
const MIGRATIONS = new URL('../../src-main/platform/database/migrations/', import.meta.url);
const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
  entries: { when: number }[];
};
let db: Sqlite.Database, paper: { size: number; sha256: string };

/** An object of the backup folder, put there by hand. */
function put(bytes: Buffer): { size: number; sha256: string } {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  mkdirSync(join(old, 'objects', sha256.slice(0, 2)), { recursive: true });
  writeFileSync(join(old, 'objects', sha256.slice(0, 2), sha256), bytes);
  return { size: bytes.length, sha256 };
}
/** A backup of the database as it is now. */
const list = (name: string): void =>
  writeSnapshot(
    join(old, 'snapshots'),
    name,
    {
      format: 1,
      kind: 'snapshot',
      created_at: '2020-01-01T00:00:00',
      missing: [],
      files: [
        { path: 'vault.db', ...put(readFileSync(join(old, 'first.db'))) },
        { path: 'patients/elena-keller/2020/paper.pdf', ...paper },
      ],
    },
    name,
  );
function emptyPlace(name: string): string {
  mkdirSync(join(place, name));
  return join(place, name, 'vault');
}

/** A vault as the first version of all made it: nothing but the first migration. */
beforeAll(() => {
  for (const part of ['objects', 'snapshots']) mkdirSync(join(old, part), { recursive: true });
  paper = put(Buffer.from('a paper of the first year'));
  db = new Sqlite(join(old, 'first.db'));
  const sql = readFileSync(new URL('0000_initial.sql', MIGRATIONS), 'utf8');
  for (const statement of sql.split('--> statement-breakpoint')) db.exec(statement);
  db.exec(
    'CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)',
  );
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(
    createHash('sha256').update(sql).digest('hex'),
    entries[0]!.when,
  );
  db.exec(
    "INSERT INTO patients (slug, display_name, created_at) VALUES ('elena-keller', 'Elena Keller', " +
      "'2020-01-01T00:00:00')",
  );
  db.prepare(`INSERT INTO documents (patient_id, file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
    VALUES (1, 'patients/elena-keller/2020/paper.pdf', 'paper.pdf', 'application/pdf', ?, ?, 'done', '2020-01-01T00:00:00', '2020-01-01T00:00:00')`).run(
    paper.size,
    paper.sha256,
  );
});
afterAll(() => {
  db.close();
  rmSync(place, { recursive: true, force: true });
});

describe('a restore', () => {
  it('brings a vault of the first version up to date', async () => {
    list('20200101-000000');
    const root = emptyPlace('first-version');
    expect(await hearth(['restore', old, '--vault', root], env)).toMatchObject({ code: 0 });
    expect(await hearth(['verify', '--vault', root], env)).toMatchObject({
      code: 0,
      said: expect.stringContaining('1 documents, 1 files'),
    });
    expect(readFileSync(join(root, 'patients/elena-keller/2020/paper.pdf'), 'utf8')).toBe('a paper of the first year');
    const restored = new Sqlite(join(root, 'vault.db'), { readonly: true });
    expect(restored.prepare('SELECT count(*) FROM __drizzle_migrations').pluck().get()).toBe(entries.length);
    restored.close();
  });

  it('rejects a vault of a later version with a clear error, and leaves nothing behind', async () => {
    for (let n = 0; n < entries.length + 3; n += 1)
      db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(`later ${n}`, 9e12 + n);
    list('20300101-000000');
    const root = emptyPlace('later-version');
    expect(await hearth(['restore', old, '--vault', root], env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('newer version'),
    });
    expect(readdirSync(dirname(root))).toEqual([]);
  });
});
