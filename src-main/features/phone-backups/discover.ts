import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BACKUP_PROBLEMS } from '../../../src-shared/contract/phone-backups/service.ts';
import { BackupError, openBackup, type BackupInfo, type SqliteReader } from '../../../src-shared/ios-backup/index.ts';
import { nodeCrypto } from './adapters/crypto.ts';
import { nodeBackupFiles } from './adapters/files.ts';

export type FolderState = 'readable' | 'absent' | 'not_permitted';
export type Problem = (typeof BACKUP_PROBLEMS)[number];

/** A backup as its plain files describe it. */
export interface Found {
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
/** Folders of a backup that are looked into at the same time. */
const AT_ONCE = 8;

/** Looking at a backup opens no database. */
const NOTHING_TO_OPEN: SqliteReader = {
  open: () => Promise.reject(new Error('a backup that is only looked at opens no database')),
};

/** What the folder's error means for a person. */
const stateOf = (error: unknown): FolderState =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'not_permitted' : 'absent';

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** A regular file, or a link to nothing that we follow: a manifest that is a link is none. */
const isBackup = async (folder: string): Promise<boolean> => {
  for (const name of MANIFESTS) if ((await lstat(join(folder, name)).catch(() => null))?.isFile()) return true;
  return false;
};

/**
 * Backups one or two folders below `base`. What lies inside a backup is not looked at again; links are not followed. Where two have
 * the same name, the one that changed last counts.
 */
export async function discover(base: string): Promise<{ state: FolderState; found: Found[] }> {
  if (base === '') return { state: 'absent', found: [] };
  let folders: string[];
  try {
    folders = await backupsBelow(base);
  } catch (error) {
    return { state: stateOf(error), found: [] };
  }
  const byId = new Map<string, Found>();
  for (const folder of folders) {
    const found = await look(basename(folder), folder);
    const known = byId.get(found.id);
    if (!known || known.modifiedAt < found.modifiedAt) byId.set(found.id, found);
  }
  return { state: 'readable', found: [...byId.values()] };
}

/** Backups in a folder that a person chose: the folder itself, or one or two folders below it. Nothing of them is read. */
export const backupsIn = async (folder: string): Promise<string[]> =>
  (await isBackup(folder)) ? [folder] : backupsBelow(folder);

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

async function look(id: string, folder: string): Promise<Found> {
  const { bytes, modifiedAt } = await measure(folder);
  const problems: Problem[] = [];
  let info: BackupInfo | null = null;
  try {
    ({ info } = await openBackup({ files: nodeBackupFiles(folder), sqlite: NOTHING_TO_OPEN, crypto: nodeCrypto }));
    problems.push(...info.problems);
    if (info.manifest === 'mbdb') problems.push('old_format');
    if (info.isFullBackup === false) problems.push('not_full');
  } catch (error) {
    if (!(error instanceof BackupError) && !(error as NodeJS.ErrnoException).code) throw error;
    problems.push('unreadable');
  }
  return { id, folder, info, problems, sizeBytes: bytes, modifiedAt };
}

/** Bytes of the files in the folder and in those of its blobs. */
async function measure(folder: string): Promise<{ bytes: number; modifiedAt: number }> {
  const inside = async (path: string): Promise<{ bytes: number; modifiedAt: number; folders: string[] }> => {
    const folders: string[] = [];
    let bytes = 0,
      modifiedAt = 0;
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) folders.push(join(path, entry.name));
      if (!entry.isFile()) continue;
      const stat = await lstat(join(path, entry.name)).catch(() => null);
      bytes += stat?.size ?? 0;
      modifiedAt = Math.max(modifiedAt, stat?.mtimeMs ?? 0);
    }
    return { bytes, modifiedAt, folders };
  };
  const top = await inside(folder);
  let bytes = top.bytes;
  for (let at = 0; at < top.folders.length; at += AT_ONCE)
    for (const part of await Promise.all(top.folders.slice(at, at + AT_ONCE).map(inside))) bytes += part.bytes;
  return { bytes, modifiedAt: top.modifiedAt };
}
