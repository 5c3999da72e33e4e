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
import { resolveMerged } from './merged-names.ts';

const DAY_MS = 86_400_000;

/** When an item deleted at this timestamp goes for good. */
export const undoUntil = (deletedAt: string): string => toTimestamp(Date.parse(`${deletedAt}Z`) + TRASH_DAYS * DAY_MS);

interface Deletion {
  label: string;
  patientId: number | null;
  deletedByUserId: number | null;
}
interface TrashFile {
  from: string;
  to: string;
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
interface TrashRow {
  id: number;
  kind: TrashedRecord | 'file' | 'name';
  rows: string;
  files: string;
  patient_id: number | null;
  deleted_by_user_id: number | null;
  deleted_at: string;
}
/** A document whose content was added to the vault again meanwhile: it stays in the trash as an item of its own. */
export interface NotRestored {
  document_id: number;
  original_filename: string;
  trash_id: number;
}

/** Each call is one transaction, or part of the caller's, and journals its file moves. */
export interface Trash {
  /**
   * Adds a record with all its rows and files, and documents deleted with it. Rows of a `staying` table are kept and
   * lose their reference until the restore. Returns the trash id; throws `<kind>.not_found` when the row does not
   * exist.
   */
  addRows(
    kind: TrashedRecord,
    id: number,
    deletion: Deletion,
    options?: { alongDocuments?: readonly number[]; staying?: StayingTable | null },
  ): number;
  /** Adds a name entry with its spellings; a restore points records back to it. Throws `name.not_found`. */
  addName(table: string, id: number, aliasIds: readonly number[], deletion: Deletion): number;
  /** Returns table and id of the name in an item; null for other items. */
  nameIn(trashId: number): { table: string; id: number } | null;
  /** Adds a single file, such as a duplicate from the inbox or the replaced file of a document. */
  addFile(path: string, deletion: Deletion & { fileHash: string | null }): number;
  /** Existing documents to which `restore` would give something back: a row or their event. */
  affectedDocuments(trashId: number): number[];
  /**
   * Restores an item, under a numbered name where its path is taken. Documents of an event or patient whose content
   * exists again stay in the trash. Throws `trash.not_found`; `trash.path_conflict` when the content of a single
   * document, or the code of a name, exists again; `trash.parent_gone` when the parent is missing.
   */
  restore(trashId: number): { document_ids: number[]; notRestored: NotRestored[] };
  /** Purges an item. Throws `trash.not_found`. */
  purge(trashId: number): void;
  /** Purges items deleted more than 30 days ago; returns their number. */
  purgeExpired(): number;
}

export function createTrash(deps: { db: Database; paths: VaultPaths; journal: Journal; clock: Clock }): Trash {
  const { db, paths, journal, clock } = deps;
  const transaction = <T>(work: () => T): T => {
    const result = db.transaction(work);
    journal.apply();
    return result;
  };

  function put(
    kind: TrashRow['kind'],
    deletion: Deletion & { fileHash: string | null },
    rows: TableRows[],
    from: string[],
  ): number {
    // A file whose planned move is still blocked is moved on from its current path.
    const present = from
      .map((path) => ({ path, entry: lstatOrNull(paths.resolve(path)) }))
      .filter(({ path, entry }) => entry?.isFile() ?? journal.hasPendingMoveTo(path));
    const size = present.reduce((sum, { entry }) => sum + (entry?.size ?? 0), 0);
    const insert =
      db.prepare(`INSERT INTO trash (kind, label, patient_id, file_hash, rows, files, size, deleted_by_user_id, deleted_at)
      VALUES (?, ?, ?, ?, ?, '[]', ?, ?, ?)`);
    const id = Number(
      insert.run(
        kind,
        deletion.label,
        deletion.patientId,
        deletion.fileHash,
        JSON.stringify(rows),
        size,
        deletion.deletedByUserId,
        toTimestamp(clock.now()),
      ).lastInsertRowid,
    );
    const files = present.map(({ path }, index): TrashFile => ({
      from: path,
      to: `${FOLDERS.trash}/${id}/${index}${extname(path)}`,
    }));
    db.prepare('UPDATE trash SET files = ? WHERE id = ?').run(JSON.stringify(files), id);
    for (const file of files) journal.planMove(file.from, file.to);
    return id;
  }

  function load(trashId: number): { row: TrashRow; files: TrashFile[] } {
    const row = db
      .prepare('SELECT id, kind, rows, files, patient_id, deleted_by_user_id, deleted_at FROM trash WHERE id = ?')
      .get(trashId) as TrashRow | undefined;
    if (!row) throw fail('trash.not_found');
    return { row, files: JSON.parse(row.files) as TrashFile[] };
  }

  /** Makes each of these documents, with its file, an item of its own; returns what remains of the original item. */
  function partDocuments(
    item: TrashRow,
    rows: TableRows[],
    files: readonly TrashFile[],
    documents: readonly RowValues[],
  ): { rows: TableRows[]; files: TrashFile[]; notRestored: NotRestored[] } {
    const { own, rest } = partSnapshot(
      db,
      rows,
      'documents',
      new Set(documents.map((document) => Number(document['id']))),
    );
    const insert = db.prepare(
      `INSERT INTO trash (kind, label, patient_id, file_hash, rows, files, size, deleted_by_user_id, deleted_at)
        VALUES ('document', ?, ?, ?, ?, '[]', ?, ?, ?)`,
    );
    const notRestored = documents.map((document): NotRestored => {
      const id = Number(document['id']),
        name = String(document['original_filename']);
      const trashId = Number(
        insert.run(
          name,
          item.patient_id,
          document['file_hash'],
          JSON.stringify(own.get(id)),
          document['file_size'],
          item.deleted_by_user_id,
          item.deleted_at,
        ).lastInsertRowid,
      );
      const file = files.find(({ from }) => from === document['file_path']);
      if (file) {
        const to = `${FOLDERS.trash}/${trashId}/0${extname(file.to)}`;
        journal.planMove(file.to, to);
        db.prepare('UPDATE trash SET files = ? WHERE id = ?').run(JSON.stringify([{ from: file.from, to }]), trashId);
      }
      return { document_id: id, original_filename: name, trash_id: trashId };
    });
    const parted = new Set(documents.map((document) => document['file_path']));
    return { rows: rest, files: files.filter(({ from }) => !parted.has(from)), notRestored };
  }

  const purge = (trashId: number): void =>
    transaction(() => {
      const { files } = load(trashId);
      for (const file of files) journal.planMove(file.to, null);
      db.prepare('DELETE FROM trash WHERE id = ?').run(trashId);
    });

  return {
    addRows: (kind, id, deletion, { alongDocuments = [], staying = null } = {}) =>
      transaction(() => {
        const rows = collectRows(
          db,
          [{ table: TABLES[kind], id }, ...alongDocuments.map((along) => ({ table: 'documents', id: along }))],
          staying,
        );
        if (rows.length === 0) throw fail(`${kind}.not_found`);
        const documents = documentRows(rows);
        deleteRows(db, rows);
        return put(
          kind,
          { ...deletion, fileHash: documents.length === 1 ? String(documents[0]!['file_hash']) : null },
          rows,
          documents.map((row) => String(row['file_path'])),
        );
      }),
    addName: (table, id, aliasIds, deletion) =>
      transaction(() => {
        const rows = collectRows(db, [
          { table, id },
          ...aliasIds.map((alias) => ({ table: 'name_aliases', id: alias })),
        ]);
        if (rows.length === 0) throw fail('name.not_found');
        deleteRows(db, rows);
        return put('name', { ...deletion, fileHash: null }, rows, []);
      }),
    nameIn(trashId) {
      const { row } = load(trashId);
      const [root] = JSON.parse(row.rows) as TableRows[];
      return row.kind === 'name' && root ? { table: root.table, id: Number(root.rows[0]?.['@rowid']) } : null;
    },
    addFile: (path, deletion) => transaction(() => put('file', deletion, [], [path])),
    affectedDocuments: (trashId) => {
      const { row } = load(trashId);
      // Rows of a document or patient are restored with it. A name may affect thousands of documents, and only their
      // search text changes.
      if (row.kind === 'document' || row.kind === 'patient' || row.kind === 'name') return [];
      const rows = JSON.parse(row.rows) as TableRows[];
      const ids = rows.flatMap((part) => part.rows.map((values) => documentIdIn(part, values)));
      return db
        .prepare('SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?))')
        .pluck()
        .all(JSON.stringify([...new Set(ids)].filter((id) => typeof id === 'number'))) as number[];
    },
    restore: (trashId) =>
      transaction(() => {
        const item = load(trashId);
        const { row } = item;
        const whole = resolveMerged(db, JSON.parse(row.rows) as TableRows[]);
        const taken = documentRows(whole).filter((document) => isTakenContent(db, document));
        if (taken.length > 0 && row.kind === 'document') throw fail('trash.path_conflict');
        const { rows, files, notRestored } =
          taken.length === 0
            ? { rows: whole, files: item.files, notRestored: [] }
            : partDocuments(row, whole, item.files, taken);
        const documents = documentRows(rows);
        const placeOf = freePlaces(deps, [
          ...documents.map((document) => String(document['file_path'])),
          ...files.map((file) => file.from),
        ]);
        for (const document of documents) document['file_path'] = placeOf(String(document['file_path']));
        if (row.kind === 'name') refuseTakenCode(db, rows);
        restoreRows(db, rows);
        refuseMissingParent(db, rows);
        for (const file of files) journal.planMove(file.to, placeOf(file.from));
        db.prepare('DELETE FROM trash WHERE id = ?').run(trashId);
        return { document_ids: documents.map((document) => Number(document['id'])), notRestored };
      }),
    purge,
    purgeExpired() {
      const before = toTimestamp(clock.now() - TRASH_DAYS * DAY_MS);
      const expired = db.prepare('SELECT id FROM trash WHERE deleted_at < ?').pluck().all(before) as number[];
      for (const id of expired) purge(id);
      return expired.length;
    },
  };
}

/** The document of a stored row. A row that is only linked again has one if it is a document itself. */
function documentIdIn({ table, relink }: TableRows, values: RowValues): RowValues[string] {
  if (relink === undefined) return values['document_id'];
  return table === 'documents' ? values['@rowid'] : null;
}

const documentRows = (rows: TableRows[]): RowValues[] =>
  rows.filter((part) => part.table === 'documents' && part.relink === undefined).flatMap((part) => part.rows);

/** The record itself must be restored, which fails when its parent is gone. */
function refuseMissingParent(db: Database, rows: TableRows[]): void {
  const [root] = rows;
  if (root && db.prepare(`SELECT 1 FROM "${root.table}" WHERE rowid = ?`).get(root.rows[0]?.['@rowid']) === undefined)
    throw fail('trash.parent_deleted');
}

/** Assigns each file its old path, or the first numbered name that is free. */
function freePlaces(
  { db, paths, journal }: { db: Database; paths: VaultPaths; journal: Journal },
  wanted: readonly string[],
): (path: string) => string {
  const places = new Map<string, string>();
  const given = new Set<string>();
  const isTaken = (path: string): boolean =>
    db.prepare('SELECT 1 FROM documents WHERE file_path = ?').get(path) !== undefined ||
    journal.mentions(path) ||
    lstatOrNull(paths.resolve(path)) !== null ||
    given.has(path);
  for (const path of new Set(wanted)) {
    let n = 1;
    while (isTaken(`${dirname(path)}/${numberedName(basename(path), n)}`)) n += 1;
    const place = n === 1 ? path : `${dirname(path)}/${numberedName(basename(path), n)}`;
    places.set(path, place);
    given.add(place);
  }
  return (path) => places.get(path) ?? path;
}

const isTakenContent = (db: Database, document: RowValues): boolean =>
  db.prepare('SELECT 1 FROM documents WHERE file_hash = ?').get(document['file_hash']) !== undefined;

/** Refuses a name whose code another entry uses now. */
function refuseTakenCode(db: Database, [root]: TableRows[]): void {
  if (
    root &&
    db.prepare(`SELECT 1 FROM "${root.table}" WHERE canonical_code = ?`).get(root.rows[0]?.['canonical_code']) !==
      undefined
  )
    throw fail('trash.path_conflict');
}
