import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { serveTasks } from '../kernel/serve-tasks.ts';
import { hashFileSync } from './hash.ts';
import type { FileTask } from './file-worker.ts';
import { databaseFaults } from './verify.ts';

const CHUNK_BYTES = 1 << 20;

/** Copies and hashes in one go, and flushes. */
function copyFlushed(from: string, to: string): { size: number; sha256: string } {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const source = openSync(from, 'r');
  let size = 0;
  try {
    const target = openSync(to, 'w', 0o600);
    try {
      for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk)) {
        const bytes = chunk.subarray(0, read);
        hash.update(bytes);
        for (let written = 0; written < read;) written += writeSync(target, bytes, written);
        size += read;
      }
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
    return { size, sha256: hash.digest('hex') };
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    closeSync(source);
  }
}

/** A consistent copy of a database that others write to. Its log is left to the writers. */
function copyDatabase(from: string, to: string): void {
  const db = new Sqlite(from, { fileMustExist: true });
  try {
    db.pragma('busy_timeout = 10000');
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

function faultsOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    return databaseFaults(db);
  } finally {
    db.close();
  }
}

/** Null when the file is not there any more. */
function unlessGone<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function perform(task: FileTask): unknown {
  switch (task.kind) {
    case 'hash': return unlessGone(() => hashFileSync(task.path));
    case 'copy': return existsSync(task.from) ? copyFlushed(task.from, task.to) : null;
    case 'copy-database': return copyDatabase(task.from, task.to);
    case 'database-faults': return faultsOf(task.path);
  }
}

serveTasks((task: FileTask) => Promise.resolve({ value: perform(task) }));
