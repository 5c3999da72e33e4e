import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFile, syncFolder } from './atomic.ts';
import { openBackup } from './backup-format.ts';
import { LOCK_FILE } from './lock.ts';

/** There is a vault already, and nobody said to put it aside. */
export class VaultNotEmpty extends Error {
  constructor(root: string) {
    super(`${root} holds a vault already. Choose an empty folder with --vault, or add --replace to put the present one aside.`);
    this.name = 'VaultNotEmpty';
  }
}

export interface RestoreResult { files: number; /** Where the vault that was there before lies now. */ aside: string | null }

/**
 * Unpacks a backup beside the vault, checks every byte, and only then lets it take the vault's place; a present vault is put
 * aside, never deleted. Broken off anywhere, the present vault stands as it was.
 */
export async function restoreBackup({ file, root, replace, uniqueName }: { file: string; root: string; replace: boolean; uniqueName: string }): Promise<RestoreResult> {
  const occupied = existsSync(root) && readdirSync(root).some((name) => name !== LOCK_FILE);
  if (occupied && !replace) throw new VaultNotEmpty(root);
  const unfinished = `${root}.restoring-${uniqueName}`;
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  try {
    const manifest = await openBackup(file, async (path, content) => {
      const absolute = join(unfinished, path);
      mkdirSync(dirname(absolute), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(absolute, { flags: 'wx', mode: 0o600 }));
      syncFile(absolute);
    });
    const aside = occupied ? `${root}.before-restore-${uniqueName}` : null;
    if (aside) renameSync(root, aside);
    else rmSync(root, { recursive: true, force: true });
    renameSync(unfinished, root);
    syncFolder(dirname(root));
    return { files: manifest.files.length - 1, aside };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
