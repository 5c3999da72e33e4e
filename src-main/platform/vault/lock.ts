import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Lies in every vault that was opened once; says nothing by being there. */
export const LOCK_FILE = 'vault.lock';

/** Another process has this vault open. */
export class VaultInUse extends Error {
  constructor() {
    super('This vault is open in another Hearth. Use that one, or stop it first.');
    this.name = 'VaultInUse';
  }
}

/**
 * Takes the vault for this process; answers what gives it back. The lock is the operating system's, held through an open
 * transaction of SQLite: it ends with the process however that ends, and no number of a dead process can be mistaken for a living one.
 * Throws `VaultInUse`.
 */
export function lockVault(root: string): () => void {
  const path = join(root, LOCK_FILE);
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { code } = error as { code?: string };
    if (code === 'SQLITE_BUSY') throw new VaultInUse();
    if (code !== 'SQLITE_NOTADB') throw error;
    // Not ours: nothing can be locked by it.
    rmSync(path);
    return lockVault(root);
  }
  return () => void lock.close();
}
