import { lstat } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BACKUP_PHASES } from '../../../src-shared/contract/vault-backups.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { BackupDamaged, DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import {
  candidates,
  pathInBackup,
  readCopied,
  type CopiedPaths,
  type Wanted,
} from '../../platform/vault/backup-plan.ts';
import { batchesOf } from '../../platform/vault/batches.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from '../../platform/vault/layout.ts';
import { createPaths, lstatOrNull, type VaultPaths } from '../../platform/vault/paths.ts';
import { filesBelow } from '../../platform/vault/verify.ts';
import { KEYS_ENTRY, type Snapshot, type SnapshotFile } from './snapshot-list.ts';
import type { ObjectStore, Stored } from './store.ts';

type Phase = (typeof BACKUP_PHASES)[number];
export type Report = (phase: Phase, done: number, total: number) => void;

export interface WriteDeps {
  db: Database;
  root: string;
  files: FileWorker;
  store: ObjectStore;
  signal: AbortSignal;
  report: Report;
  ids: () => string;
  clock: Clock;
  /** Keys of secrets as a file; null if they are not included. */
  keysFile: string | null;
  /** The previous backup; unchanged files without a row are not read again. */
  previous: Snapshot | null;
}

/**
 * Stores a snapshot of the vault while it is in use: a consistent copy of the database, and every file that it
 * references, even if the core moved it meanwhile. Files that the store already has are not read. Then reads all
 * objects back and stores damaged ones again. Throws `BackupDamaged` if one remains damaged.
 */
export async function writeFiles(deps: WriteDeps): Promise<Snapshot> {
  let gathered = await gather(deps);
  // A missing file was replaced or deleted meanwhile: a newer copy of the database no longer references it.
  if (gathered.snapshot.missing.length > 0) gathered = await gather(deps);
  const { snapshot, documents } = gathered;
  deps.store.flush();
  for (const file of await damagedFiles(deps, snapshot)) {
    await heal(deps, file.path, documents.get(file.path) ?? null, file.sha256);
    if (!(await deps.store.areWhole([file], deps.signal))[0])
      throw new BackupDamaged(`${file.path} cannot be read back`);
  }
  return snapshot;
}

/** Stores the database and its files. `documents` contains their ids by path. */
async function gather(deps: WriteDeps): Promise<{ snapshot: Snapshot; documents: Map<string, number | null> }> {
  const { db, root, files, store, signal, report, ids, clock, keysFile } = deps;
  const paths = createPaths(root);
  const copy = join(paths.root, FOLDERS.tmp, `${ids()}.db`);
  const at = clock.now();
  try {
    report('database', 0, 1);
    await files.copyDatabase(join(paths.root, DATABASE_ENTRY), copy, signal);
    const copied = readCopied(copy, at);
    const copiedFiles = copied.files;
    const found: SnapshotFile[] = [{ path: DATABASE_ENTRY, ...(await requirePut(store, copy, signal)) }];
    if (keysFile !== null) found.push({ path: KEYS_ENTRY, ...(await requirePut(store, keysFile, signal)) });
    const missing: string[] = [...copied.outside];
    let doneCount = 0;
    for (const batch of batchesOf(copiedFiles.map((file) => ({ ...file, size: file.size ?? 0 })))) {
      signal.throwIfAborted();
      report('files', doneCount, copiedFiles.length);
      for (const { path, stored } of await storeWanted({ db, paths, store, signal }, batch)) {
        if (stored) found.push({ path, size: stored.size, sha256: stored.sha256 });
        else missing.push(path);
      }
      doneCount += batch.length;
    }
    found.push(...(await storeOthers(deps, paths, copied)));
    return {
      snapshot: { format: 1, kind: 'snapshot', created_at: toTimestamp(at), files: found, missing },
      documents: new Map(copiedFiles.map((file) => [file.path, file.id])),
    };
  } finally {
    rmSync(copy, { force: true });
  }
}

async function requirePut(store: ObjectStore, path: string, signal: AbortSignal): Promise<Stored> {
  const stored = await store.put(path, signal);
  if (!stored) throw new Error('a copy vanished before it was stored');
  return stored;
}

type Place = { db: Database; paths: VaultPaths; store: ObjectStore; signal: AbortSignal };

/**
 * Stores files with the content that their rows describe, otherwise with their current content; null for missing files.
 */
async function storeWanted(place: Place, batch: readonly Wanted[]): Promise<{ path: string; stored: Stored | null }[]> {
  const { db, paths, store, signal } = place;
  const isStored = ({ hash, size }: Wanted): boolean => hash !== null && store.has({ sha256: hash, size: size ?? 0 });
  const present = batch
    .filter((file) => !isStored(file))
    .flatMap((file) => {
      for (const absolute of candidates(db, paths, file.path, file.id))
        if (lstatOrNull(absolute)?.isFile()) return [{ file, absolute }];
      return [];
    });
  const copied = await store.putAll(
    present.map(({ absolute }) => absolute),
    signal,
  );
  const put = new Map(present.map(({ file }, index) => [file.path, copied[index] ?? null]));
  const results: { path: string; stored: Stored | null }[] = [];
  for (const file of batch) {
    const stored = put.get(file.path) ?? (isStored(file) ? { sha256: file.hash ?? '', size: file.size ?? 0 } : null);
    const fits = stored !== null && (file.hash === null || stored.sha256 === file.hash);
    results.push({ path: file.path, stored: fits ? stored : await storeAnywhere(place, file) });
  }
  return results;
}

/** Stores a file that was not at its expected path, or had different content there. */
async function storeAnywhere({ db, paths, store, signal }: Place, { path, id, hash }: Wanted): Promise<Stored | null> {
  let best: Stored | null = null;
  for (const absolute of candidates(db, paths, path, id)) {
    if (!lstatOrNull(absolute)?.isFile()) continue;
    const stored = await store.put(absolute, signal);
    if (stored && (hash === null || stored.sha256 === hash)) return stored;
    best ??= stored;
  }
  return best;
}

/** Stores the files in document folders and trash that belong to no document. */
async function storeOthers(
  { db, store, signal, previous }: WriteDeps,
  paths: VaultPaths,
  copied: CopiedPaths,
): Promise<SnapshotFile[]> {
  const copiedPaths = new Set(copied.files.map((file) => file.path));
  const previousFiles = new Map(
    previous?.files.filter((file) => file.mtime !== undefined).map((file) => [file.path, file]),
  );
  const found: SnapshotFile[] = [];
  for (const folder of [...DOCUMENT_FOLDERS, FOLDERS.trash])
    for await (const path of filesBelow(paths.root, folder)) {
      if (copiedPaths.has(path)) continue;
      signal.throwIfAborted();
      const entry = await lstat(join(paths.root, path)).catch(() => null);
      const entryPath = entry?.isFile() ? pathInBackup(db, copied, path, entry.mtimeMs) : null;
      if (!entry || entryPath === null) continue;
      const old = previousFiles.get(entryPath);
      const unchanged = old && old.size === entry.size && old.mtime === entry.mtimeMs && store.has(old);
      const stored = unchanged ? old : await store.put(join(paths.root, path), signal);
      if (stored) found.push({ path: entryPath, size: stored.size, sha256: stored.sha256, mtime: entry.mtimeMs });
    }
  return found;
}

/**
 * Reads back every file of a backup and returns those whose bytes differ from what was stored; each content is read
 * once.
 */
export async function damagedFiles(
  { store, signal, report }: Pick<WriteDeps, 'store' | 'signal' | 'report'>,
  snapshot: Snapshot,
): Promise<SnapshotFile[]> {
  const contents = new Map(snapshot.files.map((file) => [file.sha256, file]));
  const damaged: SnapshotFile[] = [];
  let doneCount = 0;
  for (const batch of batchesOf(contents.values())) {
    signal.throwIfAborted();
    report('verify', doneCount, contents.size);
    const whole = await store.areWhole(batch, signal);
    damaged.push(...batch.filter((_file, index) => !whole[index]));
    doneCount += batch.length;
  }
  return damaged;
}

/** Stores the bytes again, from any place in the vault that has them. */
async function heal(
  { db, root, store, signal }: WriteDeps,
  path: string,
  id: number | null,
  sha256: string,
): Promise<void> {
  for (const absolute of candidates(db, createPaths(root), path, id)) {
    if (lstatOrNull(absolute)?.isFile() && (await store.put(absolute, signal))?.sha256 === sha256) return;
  }
}
