import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { openTestDatabase } from './new-database.ts';
import type { Database } from '../../src-main/platform/database/connection.ts';
import type { Clock } from '../../src-main/platform/kernel/clock.ts';
import { createLog } from '../../src-main/platform/kernel/log.ts';
import { createVault, type Vault } from '../../src-main/platform/vault/vault.ts';

/** A clock that a test moves; sleepers wake when their time has come. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function testClock(start: number = Date.parse('2026-11-21T08:00:00Z')): TestClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake: (slept: boolean) => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(false);
        const sleeper = {
          until: now + ms,
          wake: (slept: boolean) => {
            sleepers.delete(sleeper);
            resolve(slept);
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => sleeper.wake(false), { once: true });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake(true);
    },
  };
}

export const testLog = () => createLog('silent');

export interface TestVault {
  root: string;
  db: Database;
  vault: Vault;
  clock: TestClock;
  close(): void;
}

let vaults = 0;

/** A real vault in a folder of its own. */
export function openTestVault(root: string = mkdtempSync(join(tmpdir(), 'hearth-vault-'))): TestVault {
  const db = openTestDatabase(join(root, 'vault.db'));
  const clock = testClock();
  let ids = 0;
  vaults += 1;
  const vault = createVault({ root, db, clock, ids: () => `id-${vaults}-${(ids += 1)}`, log: testLog() });
  return {
    root: vault.root,
    db,
    vault,
    clock,
    close() {
      db.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Commits, and dies before anything that was promised is carried out. */
export const commitAndDie = ({ db }: Pick<TestVault, 'db'>, work: () => void): void =>
  void db.sqlite.transaction(work).immediate();

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function addPatient(db: Database, slug: string = 'elena-keller'): number {
  return Number(
    db
      .prepare("INSERT INTO patients (slug, display_name, created_at) VALUES (?, ?, '2026-01-01T00:00:00')")
      .run(slug, slug).lastInsertRowid,
  );
}

/** A file at a vault path. */
export function putFile(root: string, path: string, bytes: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
}

/** A document's row and its file. Answers the id. */
export function addDocument(
  { db, root }: Pick<TestVault, 'db' | 'root'>,
  path: string,
  bytes: string,
  patientId: number | null = null,
): number {
  putFile(root, path, bytes);
  return Number(
    db
      .prepare(`INSERT INTO documents (patient_id, file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
    VALUES (?, ?, ?, 'application/pdf', ?, ?, 'done', '2026-01-01T00:00:00', '2026-01-01T00:00:00')`)
      .run(patientId, path, path.split('/').at(-1), Buffer.byteLength(bytes), sha256(bytes)).lastInsertRowid,
  );
}

/** Every file of the vault's document, trash and temporary folders with its content. */
export function filesOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const folder of ['inbox', 'patients', 'unclassified', 'trash', 'tmp']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const absolute = join(entry.parentPath, entry.name);
      found[relative(root, absolute).split(sep).join('/')] = readFileSync(absolute, 'utf8');
    }
  }
  return found;
}
