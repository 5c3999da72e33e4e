import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../kernel/errors.ts';
import { isDeviceName } from './slug.ts';

/** In bytes of UTF-8: what the common file systems take for a name, and what leaves room for the way to the vault. */
const MAX_NAME_BYTES = 255,
  MAX_PATH_BYTES = 1024;

/** True for a component that names one plain entry of a folder on every system. */
function isPlainComponent(part: string): boolean {
  if (part === '' || part === '.' || part === '..' || Buffer.byteLength(part) > MAX_NAME_BYTES) return false;
  if (/[\u0000-\u001f\u007f\\]/.test(part)) return false;
  // Windows drops trailing dots and spaces, and `name:stream` opens another stream of the file.
  if (/[. ]$/.test(part) || (process.platform === 'win32' && part.includes(':'))) return false;
  return !isDeviceName(part);
}

/** True for a relative path with forward slashes that stays below the vault by its text alone. */
export function isVaultPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES || /^[/\\]|^[a-z]:/i.test(path)) return false;
  return path.split('/').every(isPlainComponent);
}

/** A path and the folders above it, nearest first: `a/b/c` → `a/b/c`, `a/b`, `a`. */
export function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('/'));
}

/** The entry itself (links are not followed), or null where there is none. */
export function lstatOrNull(absolute: string): Stats | null {
  try {
    return lstatSync(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

export interface VaultPaths {
  /** Absolute, with links of the way to the vault resolved. */
  root: string;
  /** Absolute path of a vault path, whether or not it exists. Throws `vault.path_outside` when it would leave the vault or pass a symbolic link. */
  resolve(path: string): string;
}

/** Containment: every path from outside passes here before it touches the disk. The root must exist. */
export function createPaths(root: string): VaultPaths {
  const real = realpathSync(root);
  return {
    root: real,
    resolve(path) {
      if (!isVaultPath(path)) throw fail('vault.path_outside');
      let absolute = real;
      let exists = true;
      for (const part of path.split('/')) {
        absolute = join(absolute, part);
        const entry: Stats | null = exists ? lstatOrNull(absolute) : null;
        if (entry?.isSymbolicLink()) throw fail('vault.path_outside');
        exists = entry !== null;
      }
      return absolute;
    },
  };
}
