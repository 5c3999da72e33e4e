import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { Database } from '../../platform/database/connection.ts';
import { databaseVersion } from '../../platform/database/query-cache.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { fileKeyFor } from '../../platform/kernel/process-keys.ts';
import { contentSizeOf } from '../../platform/vault/vault-files.ts';
import { isVaultPath, lstatOrNull, type VaultPaths } from '../../platform/vault/paths.ts';
import type { FiledDocument, StudyFolder, VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, type Belonging } from '../../platform/access/rights.ts';

/** Files of a folder with the same owner. Documents are counted with their stored size, which only a check verifies. */
export interface FileGroup {
  belonging: Belonging;
  files: number;
  size: number;
}
/** The direct contents of a folder: folders, files by owner, and entries without a row. */
export interface FolderFacts {
  folders: string[];
  groups: FileGroup[];
  loose: string[];
}

/** The coarsest resolution of modification times (exFAT): a more recent time may hide a later change. */
const MAX_TIME_RESOLUTION_MS = 3000;
const MAX_CACHED_FOLDERS = 50_000;

/** The absolute path of an entry on disk, whose name may be invalid in vault paths. */
export const absoluteOf = (paths: Pick<VaultPaths, 'root' | 'resolve'>, path: string): string =>
  isVaultPath(path) ? paths.resolve(path) : `${paths.root}/${path}`;

interface CacheDeps {
  db: Database;
  paths: Pick<VaultPaths, 'root' | 'resolve'>;
  repository: VaultRepository;
  clock: Clock;
}

/** Reads folders through the cache. */
export interface FolderFactsReader {
  /** Null if the folder has to be read. */
  cached(path: string): FolderFacts | null;
  read(path: string): Promise<FolderFacts>;
}

/**
 * Caches the facts of folders until the database or the folder on disk changes (each added or removed entry changes its
 * modification time). A missing folder counts as empty.
 */
export const createFolderCache = (deps: CacheDeps): FolderFactsReader => new FolderCache(deps);

class FolderCache implements FolderFactsReader {
  readonly #deps: CacheDeps;
  readonly #facts = new Map<string, { stamp: string; facts: FolderFacts }>();
  #version: string | null = null;

  constructor(deps: CacheDeps) {
    this.#deps = deps;
  }

  cached(path: string): FolderFacts | null {
    this.#clearAfterWrites();
    const cached = this.#facts.get(path);
    const entry = cached && this.#statsOf(path);
    return cached && entry && stampOf(entry) === cached.stamp ? cached.facts : null;
  }

  async read(path: string): Promise<FolderFacts> {
    const { db, paths, repository } = this.#deps;
    const absolute = absoluteOf(paths, path);
    const version = databaseVersion(db);
    const entry = this.#statsOf(path);
    const entries = (await readdir(absolute, { withFileTypes: true }).catch(goneIsEmpty)).filter(isListed);
    const folders = entries.filter((child) => child.isDirectory()).map((child) => child.name);
    const names = entries.filter((child) => !child.isDirectory()).map((child) => child.name);
    const study = names.length === 0 ? undefined : repository.studyAbove(path)[0];
    const sizes = study && new Map(await Promise.all(names.map(async (name) => fileSize(absolute, name))));
    const facts = factsFrom(folders, names, repository.documentsIn(path, names), study, sizes);
    // Rows may have changed while the folder was read.
    this.#clearAfterWrites();
    if (entry !== null && version !== null && version === this.#version) this.#store(path, entry, facts);
    return facts;
  }

  #clearAfterWrites(): void {
    const version = databaseVersion(this.#deps.db);
    if (version !== this.#version) this.#facts.clear();
    this.#version = version;
  }

  #store(path: string, entry: Stats, facts: FolderFacts): void {
    if (this.#facts.size >= MAX_CACHED_FOLDERS) this.#facts.clear();
    if (this.#deps.clock.now() - entry.mtimeMs > MAX_TIME_RESOLUTION_MS)
      this.#facts.set(path, { stamp: stampOf(entry), facts });
  }

  #statsOf(path: string): Stats | null {
    return lstatOrNull(`${this.#deps.paths.root}/${path}`);
  }
}

const stampOf = ({ dev, ino, mtimeMs, ctimeMs }: Stats): string => `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;

async function fileSize(folder: string, name: string): Promise<[name: string, size: number]> {
  return [name, (await listedSize(`${folder}/${name}`)) ?? 0];
}

/** The size of what is in a file; null if it is gone. Never opens what was replaced by a link or a pipe. */
export async function listedSize(absolute: string): Promise<number | null> {
  try {
    const found = await lstat(absolute);
    return found.isFile() && fileKeyFor(absolute) !== null ? contentSizeOf(absolute) : found.size;
  } catch {
    return null;
  }
}

function factsFrom(
  folders: string[],
  names: readonly string[],
  rows: ReadonlyMap<string, FiledDocument>,
  study: StudyFolder | undefined,
  sizes: ReadonlyMap<string, number> | undefined,
): FolderFacts {
  const groups = new Map<string, FileGroup>();
  const loose: string[] = [];
  const count = (belonging: Belonging, size: number): void => {
    const key = `${belonging.patientId} ${belonging.uploaderId}`;
    const group = groups.get(key) ?? { belonging, files: 0, size: 0 };
    groups.set(key, { belonging, files: group.files + 1, size: group.size + size });
  };
  for (const name of names) {
    const row = rows.get(name);
    if (row) count(belongingOfDocument(row), row.file_size);
    else if (study && sizes) count({ patientId: study.patient_id, uploaderId: null }, sizes.get(name) ?? 0);
    else loose.push(name);
  }
  return { folders, groups: [...groups.values()], loose };
}

/** Links, sockets and devices were not put there by Hearth, which never opens, moves or deletes them. */
export const isListed = (entry: Pick<Dirent, 'isFile' | 'isDirectory'>): boolean =>
  entry.isFile() || entry.isDirectory();

/** A folder may be deleted while it is read. */
export function goneIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
