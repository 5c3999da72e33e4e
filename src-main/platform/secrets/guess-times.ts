import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePrivateFolder } from '../config/load.ts';
import { replacePrivate } from '../config/private-file.ts';
import { idOfKeyFile } from '../sealed/key-file.ts';
import { readKeyFile } from '../vault/unlock-vault.ts';

const stored = z.array(z.int()).max(100);

/**
 * The times of wrong guesses at the password of a vault, in milliseconds. They are kept in the configuration folder,
 * because nothing can be written into a vault that is locked. Where that fails, and for a vault without a key, none are
 * kept: then guesses count until the program ends.
 */
export function keepGuessTimes(
  folder: string,
  root: string,
): { read(): number[]; write(times: readonly number[]): void } {
  return {
    read() {
      try {
        const path = pathOf(folder, root);
        return path === null ? [] : stored.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch {
        return [];
      }
    },
    write(times) {
      try {
        const path = pathOf(folder, root);
        if (path !== null) replace(folder, path, times);
      } catch {
        // A full disk keeps nobody out who has the password.
      }
    },
  };
}

function replace(folder: string, path: string, times: readonly number[]): void {
  if (times.length === 0) return rmSync(path, { force: true });
  ensurePrivateFolder(folder);
  replacePrivate(path, JSON.stringify(times));
}

/** Copies of a vault share their guesses, because they have the same password. Throws for a damaged key file. */
function pathOf(folder: string, root: string): string | null {
  const file = readKeyFile(root);
  return file && join(folder, `vault-${idOfKeyFile(file)}.guesses`);
}
