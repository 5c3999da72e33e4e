import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { absoluteOf, goneIsEmpty, isListed, listedSize, type FolderFactsReader } from './folder-facts.ts';
import { DOCUMENT_FOLDERS, FOLDERS } from '../../platform/vault/layout.ts';
import { isVaultPath, type VaultPaths } from '../../platform/vault/paths.ts';
import type { FiledDocument, StudyFolder, VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, type Rights } from '../../platform/access/rights.ts';
import { isMovable } from '../../platform/vault/scope.ts';

export interface TreeDeps {
  paths: Pick<VaultPaths, 'root' | 'resolve'>;
  repository: VaultRepository;
  rights: Rights;
  signal: AbortSignal;
  folders: FolderFactsReader;
}

let collator: Intl.Collator | null = null;
/** In the order of people, who put 9 before 10. The rules of the language are loaded with the first tree. */
const compareNames = (a: string, b: string): number =>
  (collator ??= new Intl.Collator('en', { numeric: true })).compare(a, b);
const NO_DOCUMENT = { document_id: null, document_name: null, more: false } as const;
/** Yields to the event loop after this many entries. */
const ENTRIES_PER_TURN = 500;

/**
 * Returns the document folders with the entries that the caller may see, `depth` levels deep; sizes include all levels.
 * Rejects when the client disconnects.
 */
export async function readTree(deps: TreeDeps, depth: number): Promise<VaultEntry> {
  const children: VaultEntry[] = [];
  for (const folder of DOCUMENT_FOLDERS) {
    const entry = await readFolder(deps, folder, depth - 1);
    // All users see these folders, even if they are empty.
    children.push(entry ?? folderEntry(folder, [], false));
  }
  return folderEntry('', children, false);
}

/** Reads a folder; null if the caller may see neither its content nor the folder itself. */
export async function readFolder(deps: TreeDeps, path: string, depth: number): Promise<VaultEntry | null> {
  deps.signal.throwIfAborted();
  if (depth <= 0) return readSums(deps, path);
  // Names come from the disk, so they may be invalid in vault paths.
  const found = await readdir(absoluteOf(deps.paths, path), { withFileTypes: true }).catch(goneIsEmpty);
  const entries = found.filter(isListed);
  const rows = deps.repository.documentsIn(
    path,
    entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name),
  );
  const study = entries.length === rows.size ? undefined : deps.repository.studyAbove(path)[0];
  const children: VaultEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const child = entry.isDirectory()
      ? await readFolder(deps, `${path}/${entry.name}`, depth - 1)
      : await fileEntry(deps, `${path}/${entry.name}`, entry, rows.get(entry.name), study);
    if (child) children.push(child);
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await yieldToEventLoop();
  }
  if (children.length === 0 && !deps.rights.mayPlace('read', path)) return null;
  return folderEntry(path, children, isWritable(deps, path));
}

interface Sums {
  size: number;
  files: number;
  foreign: number;
  hasChildren: boolean;
}

/** Reads a folder's totals without its entries. */
async function readSums(deps: TreeDeps, path: string): Promise<VaultEntry | null> {
  const sums = await sumsOf(deps, path);
  if (!sums.hasChildren && !deps.rights.mayPlace('read', path)) return null;
  const { hasChildren: more, ...totals } = sums;
  return { ...folderEntry(path, [], isWritable(deps, path)), ...totals, more };
}

async function sumsOf(deps: TreeDeps, path: string): Promise<Sums> {
  deps.signal.throwIfAborted();
  const { folders, groups, loose } = deps.folders.cached(path) ?? (await deps.folders.read(path));
  const sums: Sums = { size: 0, files: 0, foreign: 0, hasChildren: false };
  const add = (size: number, files: number, foreign: number): void => {
    sums.size += size;
    sums.files += files;
    sums.foreign += foreign;
    sums.hasChildren = true;
  };
  for (const { belonging, files, size } of groups) if (deps.rights.may('read', belonging)) add(size, files, 0);
  const isForeign = !path.startsWith(`${FOLDERS.inbox}/`) && path !== FOLDERS.inbox;
  for (const [index, name] of loose.entries()) {
    if (!deps.rights.mayPlace('read', `${path}/${name}`)) continue;
    const size = await sizeOf(deps, `${path}/${name}`);
    if (size !== null) add(size, 1, isForeign ? 1 : 0);
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await yieldToEventLoop();
  }
  for (const name of folders) {
    const below = `${path}/${name}`;
    const { hasChildren, size, files, foreign } = await sumsOf(deps, below);
    if (hasChildren || deps.rights.mayPlace('read', below)) add(size, files, foreign);
  }
  return sums;
}

const isWritable = ({ rights }: TreeDeps, path: string): boolean =>
  isVaultPath(path) && isMovable(path, 'dir') && rights.mayPlace('write', path);

function foldersFirst(a: VaultEntry, b: VaultEntry): number {
  if (a.type === b.type) return compareNames(a.name, b.name);
  return a.type === 'dir' ? -1 : 1;
}

function folderEntry(path: string, children: VaultEntry[], writable: boolean): VaultEntry {
  const sum = (count: (entry: VaultEntry) => number): number =>
    children.reduce((total, child) => total + count(child), 0);
  children.sort(foldersFirst);
  return {
    ...NO_DOCUMENT,
    name: nameOf(path),
    type: 'dir',
    path,
    state: null,
    writable,
    size: sum((child) => child.size),
    files: sum((child) => child.files),
    foreign: sum((child) => child.foreign),
    children,
  };
}

/** Reads an entry other than a folder; null if the caller may not see it. */
export function readFile(deps: TreeDeps, path: string, entry: Pick<Dirent, 'isFile'>): Promise<VaultEntry | null> {
  const row = deps.repository.documentAt(path);
  return fileEntry(deps, path, entry, row, row ? undefined : deps.repository.studyAbove(path)[0]);
}

function stateOf(
  path: string,
  row: FiledDocument | undefined,
  study: StudyFolder | undefined,
): NonNullable<VaultEntry['state']> {
  if (row) return 'document';
  if (study) return 'imaging';
  return path.startsWith(`${FOLDERS.inbox}/`) ? 'waiting' : 'foreign';
}

async function fileEntry(
  deps: TreeDeps,
  path: string,
  entry: Pick<Dirent, 'isFile'>,
  row: FiledDocument | undefined,
  study: StudyFolder | undefined,
): Promise<VaultEntry | null> {
  const { rights } = deps;
  if (!entry.isFile()) return null;
  const belongingOfOthers = () =>
    study ? { patientId: study.patient_id, uploaderId: null } : rights.belongingOfPlace(path);
  const belonging = row ? belongingOfDocument(row) : belongingOfOthers();
  if (!rights.may('read', belonging)) return null;
  // A document is listed with its stored size; only a check compares it with the file.
  const size = row?.file_size ?? (await sizeOf(deps, path));
  if (size === null) return null;
  const state = stateOf(path, row, study);
  return {
    ...NO_DOCUMENT,
    name: nameOf(path),
    type: 'file',
    path,
    children: [],
    size,
    state,
    files: 1,
    foreign: state === 'foreign' ? 1 : 0,
    document_id: row?.id ?? null,
    document_name: row?.original_filename ?? null,
    writable: state !== 'imaging' && isVaultPath(path) && isMovable(path, 'file') && rights.may('write', belonging),
  };
}

const sizeOf = ({ paths }: TreeDeps, path: string): Promise<number | null> => listedSize(`${paths.root}/${path}`);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
