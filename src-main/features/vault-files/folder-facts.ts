import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../platform/database/connection.ts';
import { createForeignWrites, watchRows } from '../../platform/database/row-changes.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { isVaultPath, lstatOrNull, type VaultPaths } from '../../platform/vault/paths.ts';
import type { FiledDocument, StudyFolder, VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, type Belonging } from '../../platform/vault/rights.ts';

/**
 * Files of a folder with the same owner. Documents count with their stored size: only a check compares it with the
 * file.
 */
export interface FileGroup {
  belonging: Belonging;
  files: number;
  size: number;
}
/** What lies directly in a folder: folders, files by whose they are, and entries that no row speaks of. */
export interface FolderFacts {
  folders: string[];
  groups: FileGroup[];
  loose: string[];
}

/** File systems stamp a change as coarsely as this (exFAT): a younger stamp may hide a later change. */
const COARSEST_STAMP_MS = 3000;
const MAX_CACHED_FOLDERS = 50_000;

/** Of an entry that the disk told of, which may have a name that no vault path can hold. */
export const absoluteOf = (paths: Pick<VaultPaths, 'root' | 'resolve'>, path: string): string =>
  isVaultPath(path) ? paths.resolve(path) : `${paths.root}/${path}`;

export interface FolderLook {
  /** Null when it has to be looked at anew. */
  known(path: string): FolderFacts | null;
  seen(path: string): Promise<FolderFacts>;
}

/**
 * Looks at folders, and keeps what it saw until the folder on the disk (its own stamp changes with every entry that
 * comes or goes) or a row that speaks of a file in it changes. A folder that is not there is an empty one. Make a look
 * for each question.
 */
export function createFolderFacts({
  db,
  paths,
  repository,
  clock,
}: {
  db: Database;
  paths: Pick<VaultPaths, 'root' | 'resolve'>;
  repository: VaultRepository;
  clock: Clock;
}): () => FolderLook {
  const kept = new Map<string, { stamp: string; facts: FolderFacts }>();
  const hasForeignWrites = createForeignWrites(db);
  const heed = (): boolean => {
    const changed = hasForeignWrites();
    if (changed) kept.clear();
    return changed;
  };
  watchRows(db, {
    table: 'documents',
    columns: ['file_path', 'file_size', 'patient_id', 'uploaded_by_user_id'],
    noted: ([path]) => void kept.delete(dirname(String(path))),
  });
  for (const table of ['imaging_studies', 'imaging_series'])
    watchRows(db, { table, columns: ['folder_path'], noted: () => kept.clear() });
  watchRows(db, { table: 'imaging_studies', columns: ['bundle_path', 'patient_id'], noted: () => kept.clear() });
  const entryOf = (path: string): Stats | null => lstatOrNull(`${paths.root}/${path}`);
  const stampOf = ({ dev, ino, mtimeMs, ctimeMs }: Stats): string => `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;

  async function look(path: string): Promise<FolderFacts> {
    const absolute = absoluteOf(paths, path);
    const entry = entryOf(path);
    const entries = await readdir(absolute, { withFileTypes: true }).catch(goneIsEmpty);
    const names = entries.filter((one) => !one.isDirectory()).map((one) => one.name);
    const study = names.length === 0 ? undefined : repository.studyAbove(path)[0];
    const sizes =
      study &&
      new Map(
        await Promise.all(
          names.map(async (name): Promise<[string, number]> => [
            name,
            await lstat(`${absolute}/${name}`).then(
              (found) => found.size,
              () => 0,
            ),
          ]),
        ),
      );
    // From here on at once: a change of rows that comes later finds what is kept.
    const isOvertaken = heed();
    const rows = repository.documentsIn(path, names);
    const facts = factsFrom(
      entries.filter((one) => one.isDirectory()).map((one) => one.name),
      names,
      rows,
      study,
      sizes,
    );
    if (kept.size >= MAX_CACHED_FOLDERS) kept.clear();
    if (entry !== null && !isOvertaken && clock.now() - entry.mtimeMs > COARSEST_STAMP_MS)
      kept.set(path, { stamp: stampOf(entry), facts });
    return facts;
  }

  return () => {
    heed();
    return {
      known(path) {
        const one = kept.get(path);
        const entry = one && entryOf(path);
        return one && entry && stampOf(entry) === one.stamp ? one.facts : null;
      },
      seen: look,
    };
  };
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

/** A folder may be deleted while it is read. */
export function goneIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}
