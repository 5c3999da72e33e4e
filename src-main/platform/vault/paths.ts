import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../kernel/errors.ts';
import { isDeviceName } from './slug.ts';

/**
 * In bytes of UTF-8: the limit of common file systems for a name, and a path length that leaves room for the vault's
 * own path.
 */
const MAX_NAME_BYTES = 255,
  MAX_PATH_BYTES = 1024;

/** Whether a component is a regular entry name on every system. */
function isPlainComponent(part: string): boolean {
  if (part === '' || part === '.' || part === '..' || Buffer.byteLength(part) > MAX_NAME_BYTES) return false;
  if (/[\u0000-\u001f\u007f\\]/.test(part)) return false;
  // Windows drops trailing dots and spaces, and `name:stream` opens another stream of the file.
  if (/[. ]$/.test(part) || (process.platform === 'win32' && part.includes(':'))) return false;
  return !isDeviceName(part);
}

/** Whether a relative path with forward slashes can't leave the vault. */
export function isVaultPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES || /^[/\\]|^[a-z]:/i.test(path)) return false;
  return path.split('/').every(isPlainComponent);
}

/** A path and the folders above it, nearest first: `a/b/c` → `a/b/c`, `a/b`, `a`. */
export function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('/'));
}

/** Returns the entry itself without following links, or null if it does not exist. */
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
  /** Absolute, with symbolic links above the vault resolved. */
  root: string;
  /**
   * Returns the absolute path of a vault path, existing or not. Throws `vault.path_outside` when it leaves the vault or
   * passes a symbolic link.
   */
  resolve(path: string): string;
}

/** Containment check: every external path is validated here before the disk is accessed. The root must exist. */
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
