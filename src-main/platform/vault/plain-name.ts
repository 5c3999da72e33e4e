import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { syncFolder } from './atomic.ts';
import { safeFileName } from './file-name.ts';
import { numberedName } from './layout.ts';
import { isVaultPath, lstatOrNull } from './paths.ts';

/** Room for a number behind the name. */
const MAX_NUMBER = 999;

/**
 * Somebody may put a file into the vault under a name, or in a folder, that no vault path can hold (`a\b.pdf`, `CON.pdf`, a line break, folders in folders without end). Gives
 * it a plain name in the deepest plain folder above it; never overwrites. Answers the new vault path, or null where the path is plain already.
 * @param path with forward slashes, relative to `root`; its first part must be plain.
 */
export function makePathPlain(root: string, path: string): string | null {
  if (isVaultPath(path)) return null;
  const folders = path.split('/').slice(0, -1);
  const firstOdd = folders.findIndex((folder) => !isVaultPath(folder));
  const name = safeFileName(basename(path));
  const fits = (depth: number): boolean =>
    isVaultPath([...folders.slice(0, depth), numberedName(name, MAX_NUMBER)].join('/'));
  let depth = firstOdd < 0 ? folders.length : firstOdd;
  // Every folder may be plain, and the way through them too long.
  while (depth > 1 && !fits(depth)) depth -= 1;
  const folder = folders.slice(0, depth).join('/');
  let n = 1;
  while (lstatOrNull(join(root, folder, numberedName(name, n))) !== null) n += 1;
  const plain = `${folder}/${numberedName(name, n)}`;
  renameSync(join(root, path), join(root, plain));
  syncFolder(join(root, folder));
  return plain;
}
