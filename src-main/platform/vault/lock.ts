import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { ensurePrivateDatabase } from '../kernel/private-file.ts';

/** Exists in every vault after its first use; the file alone does not mean that the vault is open. */
export const LOCK_FILE = 'vault.lock';

/** Another process has this vault open, on this computer or on another one. */
export class VaultInUse extends Error {
  readonly holder: { host: string; pid: number } | null;
  constructor(holder: { host: string; pid: number } | null = null) {
    super(
      holder === null
        ? 'This vault is open in another Hearth. Use that one, or stop it first.'
        : `This vault is open in Hearth on the computer “${holder.host}” (process ${holder.pid}). Close it there first.`,
    );
    this.name = 'VaultInUse';
    this.holder = holder;
  }
}

/**
 * Locks the vault for this process; returns the unlock function. The operating system holds the lock through an open
 * SQLite transaction, so it ends with the process, even after a crash. Throws `VaultInUse`.
 */
export function lockVault(root: string): () => void {
  const path = join(root, LOCK_FILE);
  ensurePrivateDatabase(path);
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { code } = error as { code?: string };
    if (code === 'SQLITE_BUSY') throw new VaultInUse();
    if (code !== 'SQLITE_NOTADB') throw error;
    // Another user's file can't be locked.
    rmSync(path);
    return lockVault(root);
  }
  return () => void lock.close();
}
