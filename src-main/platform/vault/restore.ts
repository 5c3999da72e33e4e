import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refuseNewer } from '../database/connection.ts';
import { removeLocal } from '../database/copy.ts';
import { createFolder, syncFile, syncFolder } from './atomic.ts';
import { BackupDamaged, DATABASE_ENTRY, openBackup } from './backup-format.ts';
import { HOLDER_FILE } from './holder.ts';
import { KEY_FILE } from './layout.ts';
import { LOCK_FILE } from './lock.ts';
import { readKeyFileAt } from './unlock-vault.ts';
import type { KeyFile } from '../sealed/key-file.ts';

/** A vault already exists, and the caller did not ask to move it aside. */
export class VaultNotEmpty extends Error {
  constructor(root: string) {
    super(
      `${root} already contains a vault. ` +
        'Choose an empty folder with --vault, or add --replace to set the present one aside.',
    );
    this.name = 'VaultNotEmpty';
  }
}

export interface RestoreResult {
  files: number;
  /** New path of the vault that was replaced. */
  aside: string | null;
}

/** Gives this process the keys of an encrypted vault that is being restored into a folder; throws without a password. */
export type UnlockRestored = (folder: string, file: KeyFile) => Promise<void>;

const refuseEncrypted: UnlockRestored = () => {
  throw new BackupDamaged('it is encrypted, which was not expected here');
};

/**
 * Unpacks a backup beside the vault, checks every byte, and only then moves it into the vault's place. An existing
 * vault is moved aside, never deleted. If interrupted, the existing vault is unchanged. Throws `VaultNotEmpty`,
 * `BackupDamaged`, `NewerDatabaseError`.
 */
export async function restoreBackup({
  file,
  root,
  replace,
  uniqueName,
  unlock = refuseEncrypted,
}: {
  file: string;
  root: string;
  replace: boolean;
  uniqueName: string;
  /** Without it, encrypted backups are refused. */
  unlock?: UnlockRestored;
}): Promise<RestoreResult> {
  return restoreInto({ root, replace, uniqueName }, async (unfinished) => {
    const manifest = await openBackup(file, async (path, content) => {
      const absolute = join(unfinished, path);
      mkdirSync(dirname(absolute), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(absolute, { flags: 'wx', mode: 0o600 }));
      syncFile(absolute);
      if (path === KEY_FILE) await unlock(unfinished, readKeyFileAt(absolute));
    });
    return manifest.files.filter(({ path }) => path !== DATABASE_ENTRY && path !== KEY_FILE).length;
  });
}

/** Restores any kind of backup: `unpack` fills the folder and returns the number of files besides the database. */
export async function restoreInto(
  { root, replace, uniqueName }: { root: string; replace: boolean; uniqueName: string },
  unpack: (folder: string) => Promise<number>,
): Promise<RestoreResult> {
  if (isOccupied(root) && !replace) throw new VaultNotEmpty(root);
  const unfinished = `${root}.restoring-${uniqueName}`;
  createFolder(unfinished);
  try {
    const files = await unpack(unfinished);
    refuseNewer(join(unfinished, DATABASE_ENTRY));
    dropLocal(unfinished);
    return { files, aside: replaceVault({ root, unfinished, uniqueName }) };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Ends the sessions of an unpacked backup, which may come from somebody else, and forgets settings that run programs.
 * Backups have no signing key, so Hearth makes a new one when it opens the vault.
 */
export const dropLocal = (unfinished: string): void => removeLocal(join(unfinished, DATABASE_ENTRY));

/**
 * Replaces the current vault, which must not be open, by a restored one. Returns the new path of the old vault; null if
 * there was none.
 */
export function replaceVault({
  root,
  unfinished,
  uniqueName,
}: {
  root: string;
  unfinished: string;
  uniqueName: string;
}): string | null {
  const aside = isOccupied(root) ? `${root}.before-restore-${uniqueName}` : null;
  if (aside) renameSync(root, aside);
  else rmSync(root, { recursive: true, force: true });
  try {
    renameSync(unfinished, root);
  } catch (error) {
    if (aside) renameSync(aside, root);
    throw error;
  }
  syncFolder(dirname(root));
  return aside;
}

/** Whether there is more than a program leaves that ended while it had the vault open. */
const isOccupied = (root: string): boolean =>
  existsSync(root) && readdirSync(root).some((name) => name !== LOCK_FILE && name !== HOLDER_FILE);
