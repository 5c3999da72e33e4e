import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { TARGET_STATES } from '../../../src-shared/contract/vault-backups.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createFolder, writeFileAtomic } from '../../platform/vault/atomic.ts';

export type TargetState = (typeof TARGET_STATES)[number];
/** A backup folder and the id in its marker file. */
export interface Target {
  folder: string;
  id: string;
}

const MARKER = 'hearth-backups.json';
export const OBJECTS = 'objects';
export const SNAPSHOTS = 'snapshots';
/** Name of the folder that is created if the selected one already contains other files. */
const OWN_FOLDER = 'hearth-backups';

const README = `Backups of a Hearth vault.

snapshots/  one list of files for each backup: path, size and SHA-256 of each
objects/    the files themselves, each named by its SHA-256; backups share equal files

Restore with Hearth (Settings, Backups) or with: hearth restore ${SNAPSHOTS}/NAME.json --vault NEW-FOLDER
Without Hearth: copy objects/ab/ab12… to the path that the list gives it.
`;

/**
 * Prepares an existing folder for backups, unless it already is prepared. Throws `backup.folder_invalid`,
 * `backup.folder_inside`, `backup.folder_missing`, `backup.folder_read_only`. `vaultRoot` is absolute with links
 * resolved.
 */
export function claimTarget(folder: string, vaultRoot: string, newId: string): Target {
  if (!isAbsolute(folder)) throw fail('backup.folder_invalid');
  if (!isFolder(folder)) throw fail('backup.folder_missing');
  const real = realpathSync(folder);
  if (isWithin(real, vaultRoot)) throw fail('backup.folder_inside');
  const markerId = readMarker(real);
  if (markerId !== null) return { folder: real, id: markerId };
  try {
    const own = readdirSync(real).length === 0 ? real : join(real, OWN_FOLDER);
    createFolder(own);
    const before = readMarker(own);
    if (before !== null) return { folder: own, id: before };
    for (const part of [OBJECTS, SNAPSHOTS]) createFolder(join(own, part));
    writeFileAtomic(join(own, 'README.txt'), README, newId);
    writeFileAtomic(join(own, MARKER), JSON.stringify({ format: 1, id: newId }), newId);
    return { folder: own, id: newId };
  } catch (error) {
    throw fail('backup.folder_read_only', undefined, error);
  }
}

/**
 * State of the folder. The marker file distinguishes the disk from the mount point of an unplugged one, so nothing is
 * created here.
 */
export function targetState(target: Target | null): TargetState {
  if (target === null) return 'unset';
  if (!isFolder(target.folder)) return 'absent';
  if (readMarker(target.folder) !== target.id) return 'foreign';
  try {
    accessSync(join(target.folder, OBJECTS), constants.W_OK);
    accessSync(join(target.folder, SNAPSHOTS), constants.W_OK);
    return 'ready';
  } catch {
    return 'read_only';
  }
}

/** The folder, if it is ready; otherwise throws the code of its state. */
export function requireTarget(target: Target | null): Target {
  const state = targetState(target);
  switch (state) {
    case 'ready':
      return target as Target;
    case 'unset':
      throw fail('backup.folder_not_set');
    case 'absent':
      throw fail('backup.folder_missing');
    case 'foreign':
      throw fail('backup.wrong_disk');
    case 'read_only':
      throw fail('backup.folder_read_only');
  }
}

/** Free bytes of the disk that backups go to; null where it cannot be reached. */
export function freeBytesOf(target: Target | null): number | null {
  try {
    if (target === null) return null;
    const { bavail, bsize } = statfsSync(target.folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** The id in the marker file of a folder; null without one. */
export function readMarker(folder: string): string | null {
  try {
    const { format, id } = JSON.parse(readFileSync(join(folder, MARKER), 'utf8')) as { format?: unknown; id?: unknown };
    return format === 1 && typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** Whether a path is a folder or something in it; both are absolute. */
export function isWithin(path: string, root: string): boolean {
  const toPath = relative(root, path);
  return toPath === '' || (toPath !== '..' && !toPath.startsWith(`..${sep}`) && !isAbsolute(toPath));
}
