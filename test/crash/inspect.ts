import { join } from 'node:path';
import { openDatabase } from '../../src-main/platform/database/connection.ts';
import { storedError } from '../../src-main/platform/kernel/stored-error.ts';
import { verifyVault } from '../../src-main/platform/vault/verify.ts';
import type { Ledger } from './household.ts';

interface Row {
  id: number;
  file_hash: string;
  status: string;
  error_message: string | null;
}

/** Everything in a vault at rest that breaks a promise, in sentences. */
export async function brokenPromises(
  vault: string,
  ledger: Ledger,
): Promise<{ broken: string[]; documents: number; statuses: Record<string, number>; interrupted: number }> {
  const db = openDatabase(join(vault, 'vault.db'));
  try {
    const report = await verifyVault(db, vault);
    const rows = db.prepare('SELECT id, file_hash, status, error_message FROM documents').all() as Row[];
    const trashed = new Set(
      db.prepare('SELECT file_hash FROM trash WHERE file_hash IS NOT NULL').pluck().all() as string[],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const hashes = new Set(rows.map((row) => row.file_hash));
    const leftJobs = db.prepare('SELECT count(*) FROM jobs').pluck().get() as number;
    const leftArtifacts = db.prepare('SELECT count(*) FROM job_artifacts').pluck().get() as number;
    const openEvents = db.prepare("SELECT count(*) FROM stage_events WHERE status = 'started'").pluck().get() as number;
    const broken = [
      ...[...report.faults, ...report.leftovers].map((found) => `verify: ${JSON.stringify(found)}`),
      ...report.database.map((message) => `database: ${message}`),
      ...rows
        .filter((row) => row.status !== 'done' && row.status !== 'needs_review')
        .map((row) => `document ${row.id} ended ${row.status}: ${row.error_message}`),
      ...[...ledger.stored].flatMap(([id, hash]) => checkStored(id, hash, byId.get(id), trashed, ledger)),
      ...[...ledger.dropped]
        .filter((hash) => !hashes.has(hash) && !trashed.has(hash))
        .map((hash) => `a file of the inbox is lost (${hash.slice(0, 12)})`),
      ...(leftJobs > 0 ? [`${leftJobs} jobs are left over`] : []),
      ...(leftArtifacts > 0 ? [`${leftArtifacts} artifacts are left over`] : []),
      ...(openEvents > 0 ? [`${openEvents} stage events never ended`] : []),
    ];
    const statuses: Record<string, number> = {};
    for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
    const interrupted = db
      .prepare("SELECT count(*) FROM stage_events WHERE status = 'cancelled' AND message = ?")
      .pluck()
      .get(storedError({ code: 'reading.interrupted' })) as number;
    return { broken, documents: rows.length, statuses, interrupted };
  } finally {
    db.close();
  }
}

/** An upload that was answered 201 is a document with its bytes, unless it was deleted: then it can be put back. */
function checkStored(id: number, hash: string, row: Row | undefined, trashed: Set<string>, ledger: Ledger): string[] {
  if (row) {
    if (row.file_hash !== hash) return [`document ${id} has other bytes than were uploaded`];
    return ledger.deleted.has(id) && !ledger.uncertain.has(id) ? [`document ${id} was deleted and is there`] : [];
  }
  const mayBeDeleted = ledger.deleted.has(id) || ledger.uncertain.has(id);
  return mayBeDeleted && trashed.has(hash) ? [] : [`document ${id}, answered 201, is lost`];
}
