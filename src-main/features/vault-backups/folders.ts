import { existsSync, readdirSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { FolderListing, FolderPlace } from '../../../src-shared/contract/vault-backups.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createFolder } from '../../platform/vault/atomic.ts';
import { isWithin } from './target.ts';

/** Where Linux, and desktops on it, mount disks that people plug in. */
const MOUNT_POINTS = /^\/(?:media|mnt|run\/media)(?:\/|$)/;

/**
 * The folders inside a folder, by default the home folder, as the account that runs Hearth sees them; hidden ones are
 * left out. Throws `backup.folder_invalid`, `backup.folder_missing`, `backup.folder_unreadable`.
 */
export function listFolders(path: string = homedir()): FolderListing {
  const folder = realFolder(path);
  try {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ name, path: join(folder, name) }))
      .sort((a, b) => a.name.localeCompare(b.name));
    const parent = dirname(folder);
    return {
      path: folder,
      parent: parent === folder ? null : parent,
      free_bytes: freeBytes(folder),
      folders,
      places: listPlaces(),
    };
  } catch (error) {
    throw fail('backup.folder_unreadable', undefined, error);
  }
}

/**
 * Creates a folder, also those above it, and lists it. Throws `backup.folder_invalid`, `backup.folder_inside` for one
 * in the vault, `backup.folder_read_only`.
 */
export function makeFolder(path: string, vaultRoot: string): FolderListing {
  if (!isAbsolute(path)) throw fail('backup.folder_invalid');
  if (isWithin(path, vaultRoot)) throw fail('backup.folder_inside');
  try {
    createFolder(path);
  } catch (error) {
    throw fail('backup.folder_read_only', undefined, error);
  }
  return listFolders(path);
}

function realFolder(path: string): string {
  if (!isAbsolute(path)) throw fail('backup.folder_invalid');
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw fail('backup.folder_unreadable', undefined, error);
  }
  throw fail('backup.folder_missing');
}

/** The home folder and the disks of this computer, with their free space. */
function listPlaces(): FolderPlace[] {
  const home = homedir();
  const disks = disksOf().map((path) => ({ kind: 'disk' as const, path, name: basename(path) || path }));
  return [{ kind: 'home' as const, path: home, name: basename(home) }, ...disks].map((place) => ({
    ...place,
    free_bytes: freeBytes(place.path),
  }));
}

function disksOf(): string[] {
  switch (platform()) {
    case 'darwin':
      return namesIn('/Volumes').map((name) => join('/Volumes', name));
    case 'win32':
      return Array.from({ length: 26 }, (_, at) => `${String.fromCharCode(65 + at)}:\\`).filter(existsSync);
    default:
      return mountPoints(readText('/proc/self/mounts'));
  }
}

/** The mount points of disks in a table of mounts, as in `/proc/self/mounts` (fstab(5): spaces are written `\040`). */
export const mountPoints = (table: string): string[] => [
  ...new Set(
    table
      .split('\n')
      .map((line) => (line.split(' ')[1] ?? '').replace(/\\(\d{3})/g, (_, code: string) => octal(code)))
      .filter((path) => MOUNT_POINTS.test(path)),
  ),
];

const octal = (code: string): string => String.fromCharCode(Number.parseInt(code, 8));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
