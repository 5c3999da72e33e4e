import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../database/connection.ts';
import { createForeignWrites, watchRows } from '../database/row-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import { isVaultPath, lstatOrNull, type VaultPaths } from './paths.ts';
import type { VaultRepository } from './repository.ts';
import type { Belonging } from './rights.ts';

/** Files of a folder that belong alike; of documents the stored size: whether the file still has it is told by a check. */
export interface FileGroup { belonging: Belonging; files: number; size: number }
/** What lies directly in a folder: folders, files by whose they are, and entries that no row speaks of. */
export interface FolderFacts { folders: string[]; groups: FileGroup[]; loose: string[] }

/** File systems stamp a change as coarsely as this (exFAT): a younger stamp may hide a later change. */
const COARSEST_STAMP_MS = 3000;
const MOST_KEPT = 50_000;

/** The entry itself has a name that no vault path can hold only where the disk says so. */
export const absoluteOf = (paths: Pick<VaultPaths, 'root' | 'resolve'>, path: string): string => (isVaultPath(path) ? paths.resolve(path) : `${paths.root}/${path}`);

/**
 * Looks at folders, and keeps what it saw until the folder on the disk (its own stamp changes with every entry that comes or goes) or a row that
 * speaks of a file in it changes. A folder that is not there is an empty one.
 */
export function createFolderFacts({ db, paths, repository, clock }: { db: Database; paths: Pick<VaultPaths, 'root' | 'resolve'>; repository: VaultRepository; clock: Clock }): (path: string) => Promise<FolderFacts> {
  const kept = new Map<string, { stamp: string; facts: FolderFacts }>();
  const hasForeignWrites = createForeignWrites(db);
  watchRows(db, { table: 'documents', columns: ['file_path', 'file_size', 'patient_id', 'uploaded_by_user_id'], noted: ([path]) => void kept.delete(dirname(String(path))) });
  for (const table of ['imaging_studies', 'imaging_series']) watchRows(db, { table, columns: ['folder_path'], noted: () => kept.clear() });
  watchRows(db, { table: 'imaging_studies', columns: ['bundle_path', 'patient_id'], noted: () => kept.clear() });

  return async (path) => {
    const absolute = absoluteOf(paths, path);
    const entry = lstatOrNull(absolute);
    const stamp = entry === null ? '' : `${entry.dev} ${entry.ino} ${entry.mtimeMs} ${entry.ctimeMs}`;
    if (hasForeignWrites()) kept.clear();
    const known = kept.get(path);
    if (known?.stamp === stamp) return known.facts;
    const entries = await readdir(absolute, { withFileTypes: true }).catch(goneIsEmpty);
    const names = entries.filter((one) => !one.isDirectory()).map((one) => one.name);
    const study = names.length === 0 ? undefined : repository.studyAbove(path)[0];
    const sizes = study === undefined ? null : new Map(await Promise.all(names.map(async (name): Promise<[string, number]> => [name, await lstat(`${absolute}/${name}`).then((found) => found.size, () => 0)])));
    // Rows are looked at last and at once: a change that comes later finds what is kept here.
    const facts: FolderFacts = { folders: entries.filter((one) => one.isDirectory()).map((one) => one.name), groups: [], loose: [] };
    const groups = new Map<string, FileGroup>();
    const count = (belonging: Belonging, size: number): void => {
      const key = `${belonging.patientId} ${belonging.uploaderId}`;
      const group = groups.get(key) ?? { belonging, files: 0, size: 0 };
      groups.set(key, { belonging, files: group.files + 1, size: group.size + size });
    };
    const rows = repository.documentsIn(path, names);
    for (const name of names) {
      const row = rows.get(name);
      if (row) count({ patientId: row.patient_id, uploaderId: row.uploaded_by_user_id }, row.file_size);
      else if (study && sizes) count({ patientId: study.patient_id, uploaderId: null }, sizes.get(name) ?? 0);
      else facts.loose.push(name);
    }
    facts.groups = [...groups.values()];
    if (kept.size >= MOST_KEPT) kept.clear();
    if (entry !== null && clock.now() - entry.mtimeMs > COARSEST_STAMP_MS && !hasForeignWrites()) kept.set(path, { stamp, facts });
    return facts;
  };
}

/** A folder may go while it is looked at. */
export function goneIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
