import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVaultDatabase } from '../database/encryption.ts';
import { lendVaultKeys, setVaultKeys } from '../kernel/process-keys.ts';
import { DATABASE_ENTRY } from './backup-format.ts';
import type { VaultClaim } from './holder.ts';
import { FOLDERS } from './layout.ts';
import type { VaultPaths } from './paths.ts';

/** A program that writes meanwhile may give a copy that does not fit together. */
const MAX_TRIES = 5;

/** The database could not be copied while somebody else writes to it. */
export class VaultBusy extends Error {
  constructor() {
    super('The vault is being written to at the moment. Try again in a while.');
    this.name = 'VaultBusy';
  }
}

/**
 * Copies the database of a vault that another program has open into a private temporary folder, so that the vault can
 * be shown without writing to it: signing in writes a session. Returns the folder. Throws `VaultBusy`.
 */
export function copyForReading(root: string): string {
  removeLeftCopies();
  const folder = mkdtempSync(join(tmpdir(), `hearth-vault-copy-${process.pid}-`));
  lendVaultKeys(root, folder);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, DATABASE_ENTRY + suffix), { force: true });
    for (const suffix of ['', '-wal']) {
      const from = join(root, DATABASE_ENTRY + suffix);
      if (existsSync(from)) copyFileSync(from, join(folder, DATABASE_ENTRY + suffix));
    }
    if (isIntact(join(folder, DATABASE_ENTRY))) return folder;
  }
  removeCopy(folder);
  throw new VaultBusy();
}

/** Copies hold medical data: those of programs that were killed are removed. */
function removeLeftCopies(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^hearth-vault-copy-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isIntact(file: string): boolean {
  const db = openVaultDatabase(file, { fileMustExist: true });
  try {
    return db.pragma('quick_check', { simple: true }) === 'ok';
  } catch {
    return false;
  } finally {
    db.close();
  }
}

/** The claim of a vault that is only read: it belongs to somebody else, and releasing it removes the copy. */
export const borrow = (folder: string): VaultClaim => ({
  takenFrom: null,
  trouble: () => null,
  release: () => removeCopy(folder),
});

function removeCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  setVaultKeys(folder, null);
}

/** Paths of a vault that is only read: what is made anew, such as thumbnails, is in the folder of the copy. */
export const layerPaths = (vault: VaultPaths, copy: VaultPaths): VaultPaths => ({
  root: vault.root,
  resolve: (path) =>
    (path.startsWith(`${FOLDERS.cache}/`) || path.startsWith(`${FOLDERS.tmp}/`) ? copy : vault).resolve(path),
});
