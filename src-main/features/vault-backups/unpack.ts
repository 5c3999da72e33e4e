import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase, refuseNewer } from '../../platform/database/connection.ts';
import { BackupDamaged, DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import { batchesOf } from '../../platform/vault/batches.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { createFolders } from '../../platform/vault/layout.ts';
import { createPaths } from '../../platform/vault/paths.ts';
import { verifyRest, verifySlice, type Fault } from '../../platform/vault/verify.ts';
import type { Snapshot } from './snapshot-list.ts';
import type { ObjectStore } from './store.ts';
import type { Report } from './write.ts';

export interface UnpackDeps {
  store: ObjectStore;
  files: FileWorker;
  signal: AbortSignal;
  report: Report;
}

/**
 * Unpacks a backup as a vault into an empty folder and verifies every byte and the database. Throws `BackupDamaged`,
 * and `NewerDatabaseError` if a newer version wrote it.
 */
export async function unpack(
  { store, files, signal, report }: UnpackDeps,
  snapshot: Snapshot,
  into: string,
): Promise<void> {
  createFolders(into);
  let doneCount = 0;
  for (const batch of batchesOf(snapshot.files)) {
    signal.throwIfAborted();
    report('unpack', doneCount, snapshot.files.length);
    for (const { path } of batch) mkdirSync(dirname(join(into, path)), { recursive: true, mode: 0o700 });
    const copied = await files.copyAll(
      batch.map(({ path, sha256 }) => ({ from: store.pathOf(sha256), to: join(into, path) })),
      signal,
    );
    for (const [index, { path, size, sha256 }] of batch.entries()) {
      const found = copied[index];
      if (!found) throw new BackupDamaged(`${path} is missing`);
      if (found.sha256 !== sha256 || found.size !== size)
        throw new BackupDamaged(`${path} has changed since it was stored`);
    }
    doneCount += batch.length;
  }
  const database = join(into, DATABASE_ENTRY);
  refuseNewer(database);
  const [damage] = await files.databaseFaults(database, signal);
  if (damage !== undefined) throw new BackupDamaged(`its database: ${damage}`);
}

export interface DrillResult {
  documents: number;
  faults: number;
}

/**
 * Restores a backup into a new folder, migrates the database, compares everything, and removes the folder.
 */
export async function restoreTemporarily(deps: UnpackDeps, snapshot: Snapshot, folder: string): Promise<DrillResult> {
  mkdirSync(folder, { mode: 0o700 });
  try {
    await unpack(deps, snapshot, folder);
    const db = openDatabase(join(folder, DATABASE_ENTRY));
    try {
      const check = {
        db,
        paths: createPaths(folder),
        signal: deps.signal,
        hash: deps.files.hash,
        hashAll: deps.files.hashAll,
      };
      const total = snapshot.files.length;
      const faults: Fault[] = [];
      let documents = 0;
      for (let last: number | null = 0; last !== null;) {
        deps.report('check', Math.min(documents, total), total);
        const slice = await verifySlice(check, last);
        documents += slice.documents;
        faults.push(...slice.faults);
        last = slice.last;
      }
      faults.push(...(await verifyRest(check)).faults);
      const missingPaths = new Set(snapshot.missing);
      return {
        documents,
        faults: faults.filter((fault) => LOSSES.has(fault.kind) && !missingPaths.has(fault.path)).length,
      };
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Faults that mean lost content; foreign and duplicate files existed before the backup. */
const LOSSES: ReadonlySet<Fault['kind']> = new Set(['missing', 'changed', 'lost_trash']);
