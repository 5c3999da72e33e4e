import type { Database } from '../database/connection.ts';
import type { Journal } from './journal.ts';
import { lstatOrNull, type VaultPaths } from './paths.ts';
import type { RowValues, TableRows } from './snapshot.ts';

/** A file of a deleted item: its place before, and now. */
export interface TrashFile {
  from: string;
  to: string;
}

const rowsIn = (rows: readonly TableRows[], table: string): RowValues[] =>
  rows.filter((part) => part.table === table && part.relink === undefined).flatMap((part) => part.rows);

/**
 * The files that belong to deleted rows: those of documents, and those of imaging studies. Call it after the rows were
 * deleted, because a bundle that another study shares stays.
 */
export function filesOf(db: Database, rows: readonly TableRows[]): string[] {
  const folders = new Map(rowsIn(rows, 'imaging_series').map((series) => [series['@rowid'], series['folder_path']]));
  const isShared = db.prepare('SELECT 1 FROM imaging_studies WHERE bundle_path = ?');
  const bundles = new Map(
    rowsIn(rows, 'imaging_studies')
      .filter(({ bundle_path }) => isShared.get(bundle_path) === undefined)
      .map((study) => [study['@rowid'], study['bundle_path']]),
  );
  const inFolders = (table: string, of: string, name: string, known: ReadonlyMap<unknown, unknown>): string[] =>
    rowsIn(rows, table).flatMap((row) => {
      const folder = known.get(row[of]);
      return typeof folder === 'string' ? [`${folder}/${String(row[name])}`] : [];
    });
  return [
    ...new Set([
      ...rowsIn(rows, 'documents')
        .map((row) => String(row['file_path']))
        .filter((path) => path !== ''),
      ...inFolders('imaging_instances', 'series_id', 'file_name', folders),
      ...inFolders('imaging_bundle_files', 'study_id', 'name', bundles),
    ]),
  ];
}

interface Deps {
  db: Database;
  paths: VaultPaths;
  journal: Journal;
}

/**
 * Gives the studies of an item, within the rows, the first free folder if another one took theirs meanwhile. Returns
 * where the files of each folder go.
 */
export function moveTakenFolders(
  { db, paths, journal }: Deps,
  rows: readonly TableRows[],
  files: readonly TrashFile[],
): TrashFile[] {
  const isNamed = db.prepare('SELECT 1 FROM imaging_studies WHERE folder_path = @path OR bundle_path = @path');
  const studies = rowsIn(rows, 'imaging_studies');
  const folders = studies
    .flatMap((study) => [study['folder_path'], study['bundle_path']])
    .filter((path): path is string => typeof path === 'string')
    .filter((path) => files.some(({ from }) => from.startsWith(`${path}/`)));
  const moves = [...new Set(folders)].map((from): TrashFile => {
    for (let n = 1; ; n += 1) {
      const to = n === 1 ? from : `${from}-${n}`;
      const isTaken =
        isNamed.get({ path: to }) !== undefined || journal.mentions(to) || lstatOrNull(paths.resolve(to)) !== null;
      if (!isTaken) return { from, to };
    }
  });
  for (const { from, to } of moves) {
    const moved = (path: unknown): unknown =>
      typeof path === 'string' && (path === from || path.startsWith(`${from}/`)) ? to + path.slice(from.length) : path;
    for (const row of [...studies, ...rowsIn(rows, 'imaging_series')]) {
      row['folder_path'] = moved(row['folder_path']);
      if ('bundle_path' in row) row['bundle_path'] = moved(row['bundle_path']);
    }
  }
  return moves;
}
