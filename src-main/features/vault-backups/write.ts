import { lstat } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BACKUP_PHASES } from '../../../src-shared/contract/vault-backups.ts';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { keyIdOf } from '../../platform/kernel/process-keys.ts';
import { BackupDamaged, DATABASE_ENTRY } from '../../platform/vault/backup-format.ts';
import {
  candidates,
  pathInBackup,
  readCopied,
  type CopiedPaths,
  type Wanted,
} from '../../platform/vault/backup-plan.ts';
import { batchesOf } from '../../platform/vault/batches.ts';
import type { Copied } from '../../platform/vault/file-task.ts';
import type { FileWorker } from '../../platform/vault/file-worker.ts';
import { DOCUMENT_FOLDERS, FOLDERS, KEY_FILE } from '../../platform/vault/layout.ts';
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
  const { root, files, store, signal, report, ids, clock, keysFile } = deps;
  const paths = createPaths(root);
  const copy = join(paths.root, FOLDERS.tmp, `${ids()}.db`);
  const at = clock.now();
  try {
    report('database', 0, 1);
    await files.copyDatabase(join(paths.root, DATABASE_ENTRY), copy, signal);
    const copied = readCopied(copy, at);
    const copiedFiles = copied.files;
    const found: SnapshotFile[] = [{ path: DATABASE_ENTRY, ...requireStored(await store.putAsIs(copy, signal)) }];
    const key = keyIdOf(paths.root);
    const keyFile = join(paths.root, KEY_FILE);
    if (key !== null) found.push({ path: KEY_FILE, ...requireStored(await store.putAsIs(keyFile, signal)) });
    if (keysFile !== null) found.push({ path: KEYS_ENTRY, ...requireStored(await store.put(keysFile, signal)) });
    const missing: string[] = [...copied.outside];
    const before = filesBefore(deps, key);
    let doneCount = 0;
    for (const batch of batchesOf(copiedFiles.map((file) => ({ ...file, size: file.size ?? 0 })))) {
      signal.throwIfAborted();
      report('files', doneCount, copiedFiles.length);
      for (const { path, stored } of await storeWanted({ ...deps, paths, before }, batch)) {
        if (stored) found.push({ path, ...entryOf(stored) });
        else missing.push(path);
      }
      doneCount += batch.length;
    }
    found.push(...(await storeOthers({ ...deps, paths, before }, copied)));
    const created_at = toTimestamp(at);
    return {
      snapshot: { format: 1, kind: 'snapshot', created_at, files: found, missing, ...(key !== null && { key }) },
      documents: new Map(copiedFiles.map((file) => [file.path, file.id])),
    };
  } finally {
    rmSync(copy, { force: true });
  }
}

function requireStored(copied: Copied | null): Stored {
  if (!copied) throw new Error('a copy vanished before it was stored');
  return entryOf(copied);
}

const entryOf = ({ size, sha256, mtime }: Stored & { mtime?: number }): Stored & { mtime?: number } => ({
  size,
  sha256,
  ...(mtime !== undefined && { mtime }),
});

/**
 * Files of the previous backup by path, which are not read again while they have the same size and time. Files that were
 * sealed with another key can look the same.
 */
function filesBefore({ previous }: WriteDeps, key: string | null): ReadonlyMap<string, SnapshotFile> {
  const isSame = previous !== null && (previous.key ?? null) === key;
  const files = isSame ? previous.files.filter((file) => file.mtime !== undefined) : [];
  return new Map(files.map((file) => [file.path, file]));
}

type Place = Pick<WriteDeps, 'db' | 'store' | 'signal'> & {
  paths: VaultPaths;
  before: ReadonlyMap<string, SnapshotFile>;
};

/** What the store has of a file without reading it: of the content of its row, or sealed and unchanged. */
function storedBefore({ paths, store, before }: Place, { path, hash, size }: Wanted): SnapshotFile | Stored | null {
  if (keyIdOf(paths.root) === null) {
    const object = { sha256: hash ?? '', size: size ?? 0 };
    return hash !== null && store.has(object) ? object : null;
  }
  const old = before.get(path);
  if (old === undefined) return null;
  const entry = lstatOrNull(join(paths.root, path));
  return entry?.isFile() && entry.size === old.size && entry.mtimeMs === old.mtime && store.has(old) ? old : null;
}

/**
 * Stores files with the content that their rows describe, otherwise with their current content; null for missing files.
 */
async function storeWanted(
  place: Place,
  batch: readonly Wanted[],
): Promise<{ path: string; stored: (Stored & { mtime?: number }) | null }[]> {
  const { db, paths, store, signal } = place;
  const known = new Map(batch.map((file) => [file.path, storedBefore(place, file)]));
  const isSealed = keyIdOf(paths.root) !== null;
  const present = batch
    .filter((file) => !known.get(file.path))
    .flatMap((file) => {
      for (const absolute of candidates(db, paths, file.path, file.id)) {
        const entry = lstatOrNull(absolute);
        if (entry?.isFile()) return [{ file, absolute, ...(isSealed && { mtime: entry.mtimeMs }) }];
      }
      return [];
    });
  const copied = await store.putAll(
    present.map(({ absolute }) => absolute),
    signal,
  );
  const put = new Map(
    present.map(({ file, mtime }, index) => {
      const one = copied[index];
      return [file.path, one ? { ...one, ...(mtime !== undefined && { mtime }) } : null];
    }),
  );
  const results: { path: string; stored: (Stored & { mtime?: number }) | null }[] = [];
  for (const file of batch) {
    const fresh = put.get(file.path);
    const fits = fresh && (file.hash === null || fresh.content === file.hash) ? fresh : null;
    results.push({ path: file.path, stored: known.get(file.path) ?? fits ?? (await storeAnywhere(place, file)) });
  }
  return results;
}

/** Stores a file that was not at its expected path, or had different content there. */
async function storeAnywhere({ db, paths, store, signal }: Place, { path, id, hash }: Wanted): Promise<Stored | null> {
  let best: Copied | null = null;
  for (const absolute of candidates(db, paths, path, id)) {
    if (!lstatOrNull(absolute)?.isFile()) continue;
    const stored = await store.put(absolute, signal);
    if (stored && (hash === null || stored.content === hash)) return stored;
    best ??= stored;
  }
  return best;
}

/** Stores the files in document folders and trash that belong to no document. */
async function storeOthers({ db, store, signal, paths, before }: Place, copied: CopiedPaths): Promise<SnapshotFile[]> {
  const copiedPaths = new Set(copied.files.map((file) => file.path));
  const found: SnapshotFile[] = [];
  for (const folder of [...DOCUMENT_FOLDERS, FOLDERS.trash])
    for await (const path of filesBelow(paths.root, folder)) {
      if (copiedPaths.has(path)) continue;
      signal.throwIfAborted();
      const entry = await lstat(join(paths.root, path)).catch(() => null);
      const entryPath = entry?.isFile() ? pathInBackup(db, copied, path, entry.mtimeMs) : null;
      if (!entry || entryPath === null) continue;
      const old = before.get(entryPath);
      const unchanged = old && (old.length ?? old.size) === entry.size && old.mtime === entry.mtimeMs && store.has(old);
      const stored = unchanged ? old : await store.put(join(paths.root, path), signal);
      if (!stored) continue;
      const length = entry.size === stored.size ? {} : { length: entry.size };
      found.push({ path: entryPath, size: stored.size, sha256: stored.sha256, mtime: entry.mtimeMs, ...length });
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
