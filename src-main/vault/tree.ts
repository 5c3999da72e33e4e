import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { VaultEntry } from '../../src-shared/contract/vault.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';
import { isVaultPath, type VaultPaths } from './paths.ts';
import type { VaultRepository } from './repository.ts';
import { belongingOfDocument, type Rights } from './rights.ts';
import { isMovable } from './scope.ts';

export interface TreeDeps { paths: Pick<VaultPaths, 'root' | 'resolve'>; repository: VaultRepository; rights: Rights; signal: AbortSignal }

const collator = new Intl.Collator('en', { numeric: true });
const BARE = { document_id: null, document_name: null, more: false } as const;

/** The document folders and what the caller may see in them, `depth` levels deep; sizes count everything below. Rejects when the caller goes away. */
export async function readTree(deps: TreeDeps, depth: number): Promise<VaultEntry> {
  const children: VaultEntry[] = [];
  for (const folder of DOCUMENT_FOLDERS) {
    const entry = await readFolder(deps, folder, depth - 1);
    // The three of them are everybody's, however little one may see in them.
    children.push(entry ?? folderEntry(folder, [], false, depth - 1));
  }
  return folderEntry('', children, false, depth);
}

/** A folder; null when there is nothing in it that the caller may see and it is not his own. */
export async function readFolder(deps: TreeDeps, path: string, depth: number): Promise<VaultEntry | null> {
  deps.signal.throwIfAborted();
  // Below the folder that was asked for, names come from the disk itself: also such as no vault path can hold.
  const entries = await readdir(isVaultPath(path) ? deps.paths.resolve(path) : `${deps.paths.root}/${path}`, { withFileTypes: true }).catch(goneIsEmpty);
  const children: VaultEntry[] = [];
  for (const entry of entries) {
    const below = `${path}/${entry.name}`;
    const child = entry.isDirectory() ? await readFolder(deps, below, depth - 1) : await readFile(deps, below, entry);
    if (child) children.push(child);
  }
  if (children.length === 0 && !deps.rights.mayPlace('read', path)) return null;
  return folderEntry(path, children, isVaultPath(path) && isMovable(path, 'dir') && deps.rights.mayPlace('write', path), depth);
}

function folderEntry(path: string, children: VaultEntry[], writable: boolean, depth: number): VaultEntry {
  const sum = (count: (entry: VaultEntry) => number): number => children.reduce((total, child) => total + count(child), 0);
  children.sort((a, b) => (a.type === b.type ? collator.compare(a.name, b.name) : a.type === 'dir' ? -1 : 1));
  return {
    ...BARE, name: nameOf(path), type: 'dir', path, state: null, writable,
    size: sum((child) => child.size), files: sum((child) => child.files), foreign: sum((child) => child.foreign),
    children: depth > 0 ? children : [], more: depth <= 0 && children.length > 0,
  };
}

/** A file, or anything else that is no folder; null when the caller may not see it. */
export async function readFile({ paths, repository, rights }: TreeDeps, path: string, entry: Pick<Dirent, 'isFile'>): Promise<VaultEntry | null> {
  const row = repository.documentAt(path);
  const study = row ? undefined : repository.studyAbove(path)[0];
  const belonging = row ? belongingOfDocument(row) : study ? { patientId: study.patient_id, uploaderId: null } : rights.belongingOfPlace(path);
  if (!rights.may('read', belonging)) return null;
  // Of a document the stored size: whether the file still has it is told by a check.
  const size = row?.file_size ?? await lstat(`${paths.root}/${path}`).then((found) => found.size, () => null);
  if (size === null) return null;
  const state = row ? 'document' : study ? 'imaging' : path.startsWith(`${FOLDERS.inbox}/`) ? 'waiting' : 'foreign';
  return {
    ...BARE, name: nameOf(path), type: 'file', path, children: [], size, state, files: 1, foreign: state === 'foreign' ? 1 : 0,
    document_id: row?.id ?? null, document_name: row?.original_filename ?? null,
    writable: entry.isFile() && state !== 'imaging' && isVaultPath(path) && isMovable(path, 'file') && rights.may('write', belonging),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A folder may go while it is looked at. */
function goneIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
