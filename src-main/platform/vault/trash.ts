import { TRASH_DAYS } from '../../../src-shared/contract/trash.ts';
import { basename, dirname, extname } from 'node:path';
import type { Database } from '../database/connection.ts';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import type { Journal } from './journal.ts';
import { FOLDERS, numberedName } from './layout.ts';
import { lstatOrNull, type VaultPaths } from './paths.ts';
import {
  collectRows,
  deleteRows,
  partSnapshot,
  restoreRows,
  type RowValues,
  type StayingTable,
  type TableRows,
} from './snapshot.ts';
import { filesOf, moveTakenFolders, type TrashFile } from './trash-files.ts';
import { resolveMerged } from './merged-names.ts';
import {
  ALL_RIGHTS,
  existsWithContent,
  linkedAgain,
  requireWritableDocument,
  type RestoreRights,
} from './restore-rights.ts';

const DAY_MS = 86_400_000;

/** The time at which an item deleted at this timestamp is purged. */
export const undoUntil = (deletedAt: string): string => toTimestamp(Date.parse(`${deletedAt}Z`) + TRASH_DAYS * DAY_MS);

interface Deletion {
  label: string;
  patientId: number | null;
  deletedByUserId: number | null;
}
/** Records that can be deleted on their own, with their tables. */
const TABLES = {
  document: 'documents',
  patient: 'patients',
  event: 'events',
  lab_result: 'lab_results',
  encounter: 'encounters',
  medication: 'medications',
  vaccination: 'vaccinations',
} as const;
export type TrashedRecord = keyof typeof TABLES;
const OF_DOCUMENT: ReadonlySet<string> = new Set<TrashedRecord>([
  'lab_result',
  'encounter',
  'medication',
  'vaccination',
]);
interface TrashRow {
  id: number;
  kind: TrashedRecord | 'file' | 'name';
  rows: string;
  files: string;
  patient_id: number | null;
  deleted_by_user_id: number | null;
  deleted_at: string;
}
/** A document whose content was added to the vault again meanwhile: it stays in the trash as a separate item. */
export interface NotRestored {
  document_id: number;
  original_filename: string;
  trash_id: number;
}

/** Each call is one transaction, or part of the caller's, and journals its file moves. */
export interface Trash {
  /**
   * Adds a record with all its rows and files, and documents deleted with it. Rows of a `staying` table remain and lose
   * their reference until the restore. Returns the trash id; throws `<kind>.not_found` if the row does not exist.
   */
  addRows(
    kind: TrashedRecord,
    id: number,
    deletion: Deletion,
    options?: { alongDocuments?: readonly number[]; staying?: StayingTable | null },
  ): number;
  /** Adds a name entry with its spellings; a restore links records to it again. Throws `name.not_found`. */
  addName(table: string, id: number, aliasIds: readonly number[], deletion: Deletion): number;
  /** Returns table and id of the name in an item; null for other items. */
  nameIn(trashId: number): { table: string; id: number } | null;
  /** Adds a single file, such as a duplicate from the inbox or the replaced file of a document. */
  addFile(path: string, deletion: Deletion & { fileHash: string | null }): number;
  /** Existing documents that `restore` would change: it restores one of their rows or their event. */
  affectedDocuments(trashId: number): number[];
  /**
   * Restores an item, under a numbered name if its path is in use. Documents of an event or patient whose content
   * exists again stay in the trash. Throws `trash.not_found`; `trash.path_conflict` when the content of a single
   * document, or the code of a name, exists again; `trash.parent_deleted` when the parent is missing. Content in
   * documents that the caller may not know about has no influence, and records that they may not change stay as they
   * are.
   */
  restore(trashId: number, rights?: RestoreRights): { document_ids: number[]; notRestored: NotRestored[] };
  /** Purges an item. Throws `trash.not_found`. */
  purge(trashId: number): void;
  /** Purges items deleted more than `TRASH_DAYS` ago; returns their number. */
  purgeExpired(): number;
}

interface Deps {
  db: Database;
  paths: VaultPaths;
  journal: Journal;
  clock: Clock;
}
interface TrashItem {
  row: TrashRow;
  files: TrashFile[];
}
interface AddRowsOptions {
  alongDocuments?: readonly number[];
  staying?: StayingTable | null;
}

export function createTrash(deps: Deps): Trash {
  const inTransaction = <T>(work: () => T): T => runAndMove(deps, work);
  return {
    addRows: (kind, id, deletion, options = {}) => inTransaction(() => addRows(deps, kind, id, deletion, options)),
    addName: (table, id, aliasIds, deletion) => inTransaction(() => addName(deps, table, id, aliasIds, deletion)),
    addFile: (path, deletion) => inTransaction(() => insertItem(deps, 'file', deletion, [], [path])),
    nameIn: (trashId) => nameIn(deps, trashId),
    affectedDocuments: (trashId) => affectedDocuments(deps, trashId),
    restore: (trashId, rights = ALL_RIGHTS) => inTransaction(() => restoreItem(deps, trashId, rights)),
    purge: (trashId) => purgeItem(deps, trashId),
    purgeExpired: () => purgeExpired(deps),
  };
}

/** Runs a transaction, then applies the file moves that were planned in it. */
function runAndMove<T>({ db, journal }: Deps, work: () => T): T {
  const result = db.transaction(work);
  journal.apply();
  return result;
}

const INSERT_ITEM = `INSERT INTO trash
  (kind, label, patient_id, file_hash, rows, files, size, deleted_by_user_id, deleted_at)
  VALUES (?, ?, ?, ?, ?, '[]', ?, ?, ?)`;

const setFiles = ({ db }: Deps, trashId: number, files: readonly TrashFile[]): void =>
  void db.prepare('UPDATE trash SET files = ? WHERE id = ?').run(JSON.stringify(files), trashId);

/** Adds an item with rows that were deleted, and plans the moves of its files. */
function insertItem(
  deps: Deps,
  kind: TrashRow['kind'],
  deletion: Deletion & { fileHash: string | null },
  rows: TableRows[],
  paths: readonly string[],
): number {
  const { db, journal, clock } = deps;
  // A file whose planned move is still blocked is moved on from its current path.
  const present = paths
    .map((path) => ({ path, entry: lstatOrNull(deps.paths.resolve(path)) }))
    .filter(({ path, entry }) => entry?.isFile() ?? journal.hasPendingMoveTo(path));
  const { lastInsertRowid } = db.prepare(INSERT_ITEM).run(
    kind,
    deletion.label,
    deletion.patientId,
    deletion.fileHash,
    JSON.stringify(rows),
    present.reduce((sum, { entry }) => sum + (entry?.size ?? 0), 0),
    deletion.deletedByUserId,
    toTimestamp(clock.now()),
  );
  const id = Number(lastInsertRowid);
  const files = present.map(({ path }, index): TrashFile => ({
    from: path,
    to: `${FOLDERS.trash}/${id}/${index}${extname(path)}`,
  }));
  setFiles(deps, id, files);
  for (const file of files) journal.planMove(file.from, file.to);
  return id;
}

function addRows(
  deps: Deps,
  kind: TrashedRecord,
  id: number,
  deletion: Deletion,
  { alongDocuments = [], staying = null }: AddRowsOptions,
): number {
  const { db } = deps;
  const roots = [{ table: TABLES[kind], id }, ...alongDocuments.map((along) => ({ table: 'documents', id: along }))];
  const rows = collectRows(db, roots, staying);
  if (rows.length === 0) throw fail(`${kind}.not_found`);
  const documents = documentRows(rows);
  deleteRows(db, rows);
  const fileHash = documents.length === 1 ? String(documents[0]!['file_hash']) : null;
  return insertItem(deps, kind, { ...deletion, fileHash }, rows, filesOf(db, rows));
}

function addName(deps: Deps, table: string, id: number, aliasIds: readonly number[], deletion: Deletion): number {
  const aliases = aliasIds.map((alias) => ({ table: 'name_aliases', id: alias }));
  const rows = collectRows(deps.db, [{ table, id }, ...aliases]);
  if (rows.length === 0) throw fail('name.not_found');
  deleteRows(deps.db, rows);
  return insertItem(deps, 'name', { ...deletion, fileHash: null }, rows, []);
}

function requireItem({ db }: Deps, trashId: number): TrashItem {
  const row = db
    .prepare('SELECT id, kind, rows, files, patient_id, deleted_by_user_id, deleted_at FROM trash WHERE id = ?')
    .get(trashId) as TrashRow | undefined;
  if (!row) throw fail('trash.not_found');
  return { row, files: JSON.parse(row.files) as TrashFile[] };
}

function nameIn(deps: Deps, trashId: number): { table: string; id: number } | null {
  const { row } = requireItem(deps, trashId);
  const [root] = JSON.parse(row.rows) as TableRows[];
  return row.kind === 'name' && root ? { table: root.table, id: Number(root.rows[0]?.['@rowid']) } : null;
}

function affectedDocuments(deps: Deps, trashId: number): number[] {
  const { row } = requireItem(deps, trashId);
  // The rows of a document or patient are restored with it. A name may affect thousands of documents, but only their
  // search text changes.
  if (row.kind === 'document' || row.kind === 'patient' || row.kind === 'name') return [];
  const rows = JSON.parse(row.rows) as TableRows[];
  const ids = rows.flatMap((part) => part.rows.map((values) => documentIdIn(part, values)));
  return deps.db
    .prepare('SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?))')
    .pluck()
    .all(JSON.stringify([...new Set(ids)].filter((id) => typeof id === 'number'))) as number[];
}

function restoreItem(deps: Deps, trashId: number, rights: RestoreRights): ReturnType<Trash['restore']> {
  const { db, journal } = deps;
  const { rows, files, notRestored } = splitRestorable(deps, requireItem(deps, trashId), rights);
  const documents = documentRows(rows);
  const folders = moveTakenFolders(deps, rows, files);
  const isInFolder = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder.from}/`));
  const free = freePaths(deps, [
    ...documents.map((document) => String(document['file_path'])).filter((path) => path !== ''),
    ...files.map((file) => file.from).filter((path) => !isInFolder(path)),
  ]);
  const pathOf = (path: string): string => {
    const folder = folders.find(({ from }) => path.startsWith(`${from}/`));
    return folder ? folder.to + path.slice(folder.from.length) : free(path);
  };
  for (const document of documents) document['file_path'] = pathOf(String(document['file_path']));
  restoreRows(db, rows);
  requireParent(db, rows);
  for (const file of files) journal.planMove(file.to, pathOf(file.from));
  db.prepare('DELETE FROM trash WHERE id = ?').run(trashId);
  return { document_ids: documents.map((document) => Number(document['id'])), notRestored };
}

interface RestorableParts {
  rows: TableRows[];
  files: TrashFile[];
  notRestored: NotRestored[];
}

/**
 * The part of an item that can be restored. Documents whose content exists again become separate items.
 * @throws `trash.path_conflict` if nothing would remain of the item
 */
function splitRestorable(deps: Deps, { row, files }: TrashItem, rights: RestoreRights): RestorableParts {
  const { db } = deps;
  const rows = resolveMerged(db, JSON.parse(row.rows) as TableRows[]);
  if (row.kind === 'name') {
    requireFreeCode(db, rows);
    return { rows: linkedAgain(db, rows, rights.mayChange), files, notRestored: [] };
  }
  if (OF_DOCUMENT.has(row.kind)) requireWritableDocument(db, rows[0]?.rows[0], rights.mayChange);
  const duplicates = documentRows(rows).filter((document) => existsWithContent(db, document, rights.mayKnow));
  if (duplicates.length === 0) return { rows, files, notRestored: [] };
  if (row.kind === 'document') throw fail('trash.path_conflict');
  return separateDocuments(deps, row, rows, files, duplicates);
}

/** Makes each of these documents, with its file, a separate item; returns the remaining part of the original item. */
function separateDocuments(
  deps: Deps,
  item: TrashRow,
  rows: TableRows[],
  files: readonly TrashFile[],
  documents: readonly RowValues[],
): RestorableParts {
  const ids = new Set(documents.map((document) => Number(document['id'])));
  const { ownRows, rest } = partSnapshot(deps.db, rows, 'documents', ids);
  const separatedFiles = new Set<TrashFile>();
  const notRestored = documents.map((document): NotRestored => {
    const id = Number(document['id']);
    const own = ownRows.get(id) ?? [];
    const trashId = insertSeparated(deps, item, document, own);
    const paths = new Set(filesOf(deps.db, own));
    const separated = files.filter(({ from }) => paths.has(from));
    moveFilesToItem(deps, separated, trashId);
    for (const file of separated) separatedFiles.add(file);
    return { document_id: id, original_filename: String(document['original_filename']), trash_id: trashId };
  });
  return { rows: rest, files: files.filter((file) => !separatedFiles.has(file)), notRestored };
}

function insertSeparated({ db }: Deps, item: TrashRow, document: RowValues, rows: TableRows[]): number {
  const { lastInsertRowid } = db
    .prepare(INSERT_ITEM)
    .run(
      'document',
      String(document['original_filename']),
      item.patient_id,
      document['file_hash'],
      JSON.stringify(rows),
      document['file_size'],
      item.deleted_by_user_id,
      item.deleted_at,
    );
  return Number(lastInsertRowid);
}

function moveFilesToItem(deps: Deps, files: readonly TrashFile[], trashId: number): void {
  const moved = files.map(({ from, to: current }, index): TrashFile => {
    const to = `${FOLDERS.trash}/${trashId}/${index}${extname(current)}`;
    deps.journal.planMove(current, to);
    return { from, to };
  });
  setFiles(deps, trashId, moved);
}

const purgeItem = (deps: Deps, trashId: number): void =>
  runAndMove(deps, () => {
    for (const file of requireItem(deps, trashId).files) deps.journal.planMove(file.to, null);
    deps.db.prepare('DELETE FROM trash WHERE id = ?').run(trashId);
  });

function purgeExpired(deps: Deps): number {
  const before = toTimestamp(deps.clock.now() - TRASH_DAYS * DAY_MS);
  const expired = deps.db.prepare('SELECT id FROM trash WHERE deleted_at < ?').pluck().all(before) as number[];
  for (const id of expired) purgeItem(deps, id);
  return expired.length;
}

/** The document of a stored row. A row with `relink` has one only if it is a document itself. */
function documentIdIn({ table, relink }: TableRows, values: RowValues): RowValues[string] {
  if (relink === undefined) return values['document_id'];
  return table === 'documents' ? values['@rowid'] : null;
}

const documentRows = (rows: TableRows[]): RowValues[] =>
  rows.filter((part) => part.table === 'documents' && part.relink === undefined).flatMap((part) => part.rows);

/** The record itself must be restored, which fails if its parent was deleted. */
function requireParent(db: Database, rows: TableRows[]): void {
  const [root] = rows;
  if (root && db.prepare(`SELECT 1 FROM "${root.table}" WHERE rowid = ?`).get(root.rows[0]?.['@rowid']) === undefined)
    throw fail('trash.parent_deleted');
}

/** Assigns each file its old path, or the first free numbered name. */
function freePaths({ db, paths, journal }: Deps, requestedPaths: readonly string[]): (path: string) => string {
  const assigned = new Map<string, string>();
  const reserved = new Set<string>();
  const isUsed = (path: string): boolean =>
    db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined ||
    journal.mentions(path) ||
    lstatOrNull(paths.resolve(path)) !== null ||
    reserved.has(path);
  for (const path of new Set(requestedPaths)) {
    let n = 1;
    while (isUsed(`${dirname(path)}/${numberedName(basename(path), n)}`)) n += 1;
    const freePath = n === 1 ? path : `${dirname(path)}/${numberedName(basename(path), n)}`;
    assigned.set(path, freePath);
    reserved.add(freePath);
  }
  return (path) => assigned.get(path) ?? path;
}

/** @throws `trash.path_conflict` if another entry of the same home uses the code of the name now */
function requireFreeCode(db: Database, [root]: TableRows[]): void {
  const row = root?.rows[0];
  if (root === undefined || row === undefined) return;
  const holder = db
    .prepare(
      `SELECT 1 FROM "${root.table}" WHERE canonical_code = @code AND home_patient_id IS @patient
        AND home_user_id IS @user`,
    )
    .get({
      code: row['canonical_code'],
      patient: row['home_patient_id'] ?? null,
      user: row['home_user_id'] ?? null,
    });
  if (holder !== undefined) throw fail('trash.path_conflict');
}
