import { closeSync, copyFileSync, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { openVaultDatabase } from '../database/encryption.ts';
import { copyDatabase } from '../database/copy.ts';
import { serveTasks } from '../kernel/serve-tasks.ts';
import type { VaultKey } from '../kernel/age-format.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { openContent, SealBroken } from '../sealed/sealed-file.ts';
import { syncFile } from './atomic.ts';
import type { Copied, CopyPair, FileTask } from './file-task.ts';
import { DAMAGED, hashContent, hashFileSync } from './hash.ts';
import { writeSealed } from './vault-files.ts';
import { databaseFaults } from './verify.ts';

const CHUNK_BYTES = 1 << 20;

/** Copies, hashes and flushes a file. Returns null if the source is gone or unreadable; throws if the target fails. */
function copyFlushed({ from, to, isUnsealed = false }: CopyPair): Copied | null {
  const key = isUnsealed ? null : fileKeyFor(from);
  if (key !== null) return copySealed(from, to, key);
  const source = unlessUnreadable(() => openSync(from, 'r'));
  if (source === null) return null;
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const target = openSync(to, 'w', 0o600);
  let size = 0,
    whole = false;
  try {
    for (;;) {
      const read = unlessUnreadable(() => readSync(source, chunk));
      if (read === null) return null;
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      for (let written = 0; written < read;) written += writeSync(target, chunk, written, read - written);
      size += read;
    }
    fsyncSync(target);
    whole = true;
    const sha256 = hash.digest('hex');
    return { size, sha256, content: sha256 };
  } finally {
    closeSync(source);
    closeSync(target);
    if (!whole) rmSync(to, { force: true });
  }
}

/** Stores a file of an encrypted vault as it is, and seals one that is not yet sealed. */
function copySealed(from: string, to: string, key: VaultKey): Copied | null {
  const source = unlessUnreadable(() => openContent(from, key));
  if (source === null) return null;
  try {
    if (source.isSealed) copyFileSync(from, to);
    else writeSealed(source, to, key);
  } finally {
    source.close();
  }
  syncFile(to);
  // The content is that of the copy: the original may have been replaced meanwhile.
  const content = unlessUnreadable(() => hashContent(openContent(to, key))) ?? DAMAGED;
  return { size: statSync(to).size, sha256: hashContent(openContent(to, null)), content };
}

/** Copies a database consistently while other connections write to it, and leaves its write-ahead log untouched. */
function copyFrom(from: string, to: string): void {
  const db = openVaultDatabase(from, { fileMustExist: true });
  try {
    db.pragma('busy_timeout = 10000');
    copyDatabase(db, to);
  } finally {
    db.close();
  }
}

function faultsOf(path: string): string[] {
  const db = openVaultDatabase(path, { readonly: true, fileMustExist: true });
  try {
    return databaseFaults(db);
  } finally {
    db.close();
  }
}

/** Returns null if the file is gone, or on one of the given error codes. */
function unlessGone<T>(work: () => T, also: readonly string[] = []): T | null {
  try {
    return work();
  } catch (error) {
    if (['ENOENT', ...also].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** A bad disk block or an unreadable file affects this file only, not the whole task. */
const unlessUnreadable = <T>(work: () => T): T | null =>
  unlessGone(work, ['EIO', 'EUCLEAN', 'EBADMSG', 'EISDIR', 'EACCES', 'EPERM']);

/** A file with a broken seal has no content that could be compared. */
function hashOrDamaged(path: string): string {
  try {
    return hashFileSync(path);
  } catch (error) {
    if (error instanceof SealBroken) return DAMAGED;
    throw error;
  }
}

function perform(task: FileTask): unknown {
  switch (task.kind) {
    case 'hash':
      return unlessGone(() => hashOrDamaged(task.path));
    case 'hash-all':
      return task.paths.map((path) => unlessUnreadable(() => hashFileSync(path)));
    case 'copy-all':
      return task.pairs.map(copyFlushed);
    case 'copy-database':
      return copyFrom(task.from, task.to);
    case 'database-faults':
      return faultsOf(task.path);
  }
}

serveTasks((task: FileTask) => Promise.resolve({ value: perform(task) }));
