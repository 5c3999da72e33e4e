import { closeSync, copyFileSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { openVaultDatabase } from '../database/encryption.ts';
import { copyDatabase } from '../database/copy.ts';
import { serveTasks } from '../kernel/serve-tasks.ts';
import type { FileTask } from './file-task.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { contentSizeOf } from './vault-files.ts';
import { syncFile } from './atomic.ts';
import { hashFileSync } from './hash.ts';
import { databaseFaults } from './verify.ts';

const CHUNK_BYTES = 1 << 20;

/** Copies, hashes and flushes a file. Returns null if the source is gone or unreadable; throws if the target fails. */
function copyFlushed(from: string, to: string): { size: number; sha256: string } | null {
  // A sealed file is copied as it is; hash and size are those of its content.
  if (fileKeyFor(from) !== null) return copySealed(from, to);
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
    return { size, sha256: hash.digest('hex') };
  } finally {
    closeSync(source);
    closeSync(target);
    if (!whole) rmSync(to, { force: true });
  }
}

function copySealed(from: string, to: string): { size: number; sha256: string } | null {
  const sha256 = unlessUnreadable(() => hashFileSync(from));
  if (sha256 === null) return null;
  copyFileSync(from, to);
  syncFile(to);
  return { size: contentSizeOf(from), sha256 };
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

function perform(task: FileTask): unknown {
  switch (task.kind) {
    case 'hash':
      return unlessGone(() => hashFileSync(task.path));
    case 'hash-all':
      return task.paths.map((path) => unlessUnreadable(() => hashFileSync(path)));
    case 'copy-all':
      return task.pairs.map(({ from, to }) => copyFlushed(from, to));
    case 'copy-database':
      return copyFrom(task.from, task.to);
    case 'database-faults':
      return faultsOf(task.path);
  }
}

serveTasks((task: FileTask) => Promise.resolve({ value: perform(task) }));
