import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BACKUP_PROBLEMS } from '../../../src-shared/contract/phone-backups/service.ts';
import { assignBackupIds, type BackupInfo } from '../../../src-shared/ios-backup/index.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import type { InfoReader } from './info-reader.ts';

export type FolderState = 'readable' | 'absent' | 'not_permitted';
export type Problem = (typeof BACKUP_PROBLEMS)[number];

/** A backup as described by its unencrypted files. */
export interface DiscoveredBackup {
  id: string;
  /** Absolute. */
  folder: string;
  info: BackupInfo | null;
  problems: Problem[];
  sizeBytes: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

const MANIFESTS = ['Manifest.db', 'Manifest.mbdb'];
/** Number of folders of a backup that are measured at the same time. */
const MAX_PARALLEL = 8;

/** Translates the error of reading the folder. */
const stateOf = (error: unknown): FolderState =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'not_permitted' : 'absent';

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Whether the folder has a manifest; symbolic links do not count. */
const isBackup = async (folder: string): Promise<boolean> => {
  for (const name of MANIFESTS) if ((await lstat(join(folder, name)).catch(() => null))?.isFile()) return true;
  return false;
};

/**
 * Finds backups one or two levels below `base`. Folders inside a backup are not searched and links are not followed.
 * `knownIds` are the ids of an earlier search, by folder.
 */
export async function discover(
  base: string,
  readInfo: InfoReader['read'],
  knownIds: ReadonlyMap<string, string> = new Map(),
): Promise<{ state: FolderState; backups: DiscoveredBackup[] }> {
  if (base === '') return { state: 'absent', backups: [] };
  let folders: string[];
  try {
    folders = await backupsBelow(base);
  } catch (error) {
    return { state: stateOf(error), backups: [] };
  }
  const backups: DiscoveredBackup[] = [];
  for (const { id, path } of withIds(base, folders, knownIds)) backups.push(await describeBackup(id, path, readInfo));
  return { state: 'readable', backups };
}

/** Finds the backups in a folder that the user selected: the folder itself, or up to two levels below it. */
export const backupsIn = async (folder: string): Promise<{ id: string; path: string }[]> =>
  (await isBackup(folder)) ? [{ id: basename(folder), path: folder }] : withIds(folder, await backupsBelow(folder));

function withIds(
  base: string,
  folders: readonly string[],
  knownIds: ReadonlyMap<string, string> = new Map(),
): { id: string; path: string }[] {
  const ids = assignBackupIds(
    folders.map((path) => ({
      name: basename(path),
      parent: dirname(path) === join(base) ? null : basename(dirname(path)),
      knownId: knownIds.get(path),
    })),
  );
  return folders.map((path, i) => ({ id: ids[i] ?? '', path }));
}

async function backupsBelow(base: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await foldersIn(base)) {
    const folder = join(base, name);
    if (await isBackup(folder)) {
      found.push(folder);
      continue;
    }
    for (const inner of await foldersIn(folder).catch(() => []))
      if (await isBackup(join(folder, inner))) found.push(join(folder, inner));
  }
  return found;
}

async function describeBackup(id: string, folder: string, readInfo: InfoReader['read']): Promise<DiscoveredBackup> {
  const { bytes, modifiedAt } = await measure(folder);
  const problems: Problem[] = [];
  let info: BackupInfo | null = null;
  try {
    info = await readInfo(folder);
    problems.push(...info.problems);
    if (info.manifest === 'mbdb') problems.push('old_format');
    if (info.isFullBackup === false) problems.push('not_full');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push(error.code === 'phone.too_demanding' ? 'too_demanding' : 'unreadable');
  }
  return { id, folder, info, problems, sizeBytes: bytes, modifiedAt };
}

/** The total size of the files in the backup, and the time of the last change in its top-level folder. */
async function measure(folder: string): Promise<{ bytes: number; modifiedAt: number }> {
  const top = await measureFolder(folder);
  let { bytes } = top;
  for (let at = 0; at < top.folders.length; at += MAX_PARALLEL) {
    const parts = await Promise.all(top.folders.slice(at, at + MAX_PARALLEL).map(measureFolder));
    for (const part of parts) bytes += part.bytes;
  }
  return { bytes, modifiedAt: top.modifiedAt };
}

async function measureFolder(path: string): Promise<{ bytes: number; modifiedAt: number; folders: string[] }> {
  const folders: string[] = [];
  let bytes = 0;
  let modifiedAt = 0;
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) folders.push(join(path, entry.name));
    if (!entry.isFile()) continue;
    const stat = await lstat(join(path, entry.name)).catch(() => null);
    bytes += stat?.size ?? 0;
    modifiedAt = Math.max(modifiedAt, stat?.mtimeMs ?? 0);
  }
  return { bytes, modifiedAt, folders };
}
