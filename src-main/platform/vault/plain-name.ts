import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { syncFolder } from './atomic.ts';
import { safeFileName } from './file-name.ts';
import { numberedName } from './layout.ts';
import { isVaultPath, lstatOrNull } from './paths.ts';

/** Leaves room for a number behind the name. */
const MAX_NUMBER = 999;

/**
 * Users may put files into the vault under names that are invalid in a vault path (`a\b.pdf`, `CON.pdf`, a line break,
 * very deep folders). Moves such a file to a valid name in the deepest valid folder above it, without overwriting.
 * Returns the new vault path, or null if the path is already valid. `path` has forward slashes and is relative to
 * `root`; its first component must be valid.
 */
export function makePathPlain(root: string, path: string): string | null {
  if (isVaultPath(path)) return null;
  const folders = path.split('/').slice(0, -1);
  const name = safeFileName(basename(path));
  const fits = (depth: number): boolean =>
    isVaultPath([...folders.slice(0, depth), numberedName(name, MAX_NUMBER)].join('/'));
  let depth = folders.length;
  // A folder may have an invalid name, or the whole path may be too long.
  while (depth > 1 && !fits(depth)) depth -= 1;
  const folder = folders.slice(0, depth).join('/');
  let n = 1;
  while (lstatOrNull(join(root, folder, numberedName(name, n))) !== null) n += 1;
  const plain = `${folder}/${numberedName(name, n)}`;
  renameSync(join(root, path), join(root, plain));
  syncFolder(join(root, folder));
  return plain;
}
