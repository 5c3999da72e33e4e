import type { Database } from '../database/connection.ts';
import { fail } from '../kernel/errors.ts';
import type { RowValues, TableRows } from './snapshot.ts';

/** Whether the caller has a right on records of this patient and uploader. */
export type MayAccess = (patientId: number | null, uploaderId: number | null) => boolean;

/** The caller's rights on records that exist now. */
export interface RestoreRights {
  mayKnow: MayAccess;
  mayChange: MayAccess;
}

export const ALL_RIGHTS: RestoreRights = { mayKnow: () => true, mayChange: () => true };

const DOCUMENT = 'SELECT patient_id, uploaded_by_user_id FROM documents WHERE id = ?';
const OF_DOCUMENT = `FROM documents AS d WHERE d.id = r.document_id`;

/** The query for the owner of a record that refers to a name. */
function ownerQuery(table: string): string {
  if (table === 'documents') return DOCUMENT;
  if (table === 'events') return 'SELECT patient_id, NULL AS uploaded_by_user_id FROM events WHERE id = ?';
  const own = table === 'encounters' || table === 'medications' ? 'NULL' : 'r.patient_id';
  return `SELECT coalesce(${own}, (SELECT d.patient_id ${OF_DOCUMENT})) AS patient_id,
    (SELECT d.uploaded_by_user_id ${OF_DOCUMENT}) AS uploaded_by_user_id FROM "${table}" AS r WHERE r.id = ?`;
}

function isAllowed(db: Database, query: string, id: unknown, may: MayAccess): boolean {
  const owner = db.prepare(query).get(id) as
    | { patient_id: number | null; uploaded_by_user_id: number | null }
    | undefined;
  return owner === undefined || may(owner.patient_id, owner.uploaded_by_user_id);
}

/** A name is given back only to the records that the caller may change now. */
export const linkedAgain = (db: Database, rows: readonly TableRows[], mayChange: MayAccess): TableRows[] =>
  rows.map((part) =>
    part.relink === undefined
      ? part
      : {
          ...part,
          rows: part.rows.filter((row) => isAllowed(db, ownerQuery(part.table), row['@rowid'], mayChange)),
        },
  );

/**
 * A row returns to its document only if the caller may change that now; it may have been given to another patient.
 * @throws `trash.parent_deleted`, as if the document did not exist
 */
export function requireWritableDocument(db: Database, row: RowValues | undefined, mayChange: MayAccess): void {
  if (!isAllowed(db, DOCUMENT, row?.['document_id'] ?? 0, mayChange)) throw fail('trash.parent_deleted');
}

/**
 * Whether the content exists in a document that the caller may know about (ADR 0061). A document that waits for the
 * report of a study has none: its hash only names the study.
 */
export const existsWithContent = (db: Database, document: RowValues, mayKnow: MayAccess): boolean =>
  document['file_path'] !== '' &&
  (
    db
      .prepare('SELECT patient_id, uploaded_by_user_id FROM documents WHERE file_hash = ?')
      .all(document['file_hash']) as { patient_id: number | null; uploaded_by_user_id: number | null }[]
  ).some(({ patient_id, uploaded_by_user_id }) => mayKnow(patient_id, uploaded_by_user_id));
