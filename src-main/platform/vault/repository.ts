import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { Database } from '../database/connection.ts';
import { withParents } from './paths.ts';

/** What a row says about a path. `settled` means that the pipeline has filed the document. */
export interface FiledDocument {
  id: number;
  file_path: string;
  file_size: number;
  original_filename: string;
  patient_id: number | null;
  uploaded_by_user_id: number | null;
  status: Extract<LiveMessage, { kind: 'document' }>['status'];
}
export interface StudyFolder {
  id: number;
  patient_id: number | null;
  path: string;
  series: boolean;
}

const FILED =
  'SELECT id, file_path, file_size, original_filename, patient_id, uploaded_by_user_id, status FROM documents';
/** `0` follows `/` in ASCII, so paths below `a/b/` are between `a/b/` and `a/b0`, and the index can seek them. */
const BELOW = (column: string): string =>
  `(${column} = $path OR (${column} > $path || '/' AND ${column} < $path || '0'))`;

export type VaultRepository = ReturnType<typeof createVaultRepository>;

/** Reads and writes rows that name paths: documents, imaging studies and series. */
export function createVaultRepository(db: Database) {
  const rewrite = (table: string, column: string, also = '') =>
    db.prepare(
      `UPDATE ${table} SET ${column} = $to || substr(${column}, length($path) + 1)${also} WHERE ${BELOW(column)}`,
    );
  return {
    documentById: (id: number) => db.prepare(`${FILED} WHERE id = ?`).get(id) as FiledDocument | undefined,
    /** Documents with the same content as this one, itself included, by id. */
    copiesOf: (id: number) =>
      db
        .prepare(
          `SELECT id FROM documents WHERE file_hash = (SELECT file_hash FROM documents WHERE id = ?) ORDER BY id`,
        )
        .pluck()
        .all(id) as number[],
    documentAt: (path: string) => db.prepare(`${FILED} WHERE file_path = ?`).get(path) as FiledDocument | undefined,
    /** Documents with these names in a folder, by name. */
    documentsIn: (folder: string, names: readonly string[]): Map<string, FiledDocument> =>
      new Map(
        names.length === 0
          ? []
          : (
              db
                .prepare(`${FILED} WHERE file_path IN (SELECT $folder || '/' || value FROM json_each($names))`)
                .all({ folder, names: JSON.stringify(names) }) as FiledDocument[]
            ).map((row) => [row.file_path.slice(folder.length + 1), row]),
      ),
    /** Documents at or below this path, ordered by id. */
    documentsBelow: (path: string) =>
      db.prepare(`${FILED} WHERE ${BELOW('file_path')} ORDER BY id`).all({ path }) as FiledDocument[],
    patientBySlug: (slug: string) =>
      db.prepare('SELECT id FROM patients WHERE slug = ?').pluck().get(slug) as number | undefined,
    /** Folders of studies and series at or above these paths; their owner owns everything in them. */
    studyAbove: (path: string) =>
      db
        .prepare(`WITH above AS (SELECT value AS path FROM json_each($paths))
      SELECT s.id, s.patient_id, above.path, 0 AS series FROM above
        JOIN imaging_studies AS s ON s.folder_path = above.path OR s.bundle_path = above.path
      UNION ALL SELECT s.id, s.patient_id, above.path, 1 FROM above
        JOIN imaging_series AS i ON i.folder_path = above.path JOIN imaging_studies AS s ON s.id = i.study_id`)
        .all({ paths: JSON.stringify(withParents(path)) }) as StudyFolder[],
    studiesBelow: (path: string) =>
      db
        .prepare(`SELECT id, patient_id FROM imaging_studies WHERE ${BELOW('folder_path')} OR ${BELOW('bundle_path')}`)
        .all({ path }) as { id: number; patient_id: number | null }[],
    /** Within a transaction: rewrites every path at or below `path` to the same place at or below `to`. */
    rewritePaths(path: string, to: string, now: string): void {
      rewrite('documents', 'file_path', ', updated_at = $now').run({ path, to, now });
      rewrite('imaging_studies', 'folder_path').run({ path, to });
      rewrite('imaging_studies', 'bundle_path').run({ path, to });
      rewrite('imaging_series', 'folder_path').run({ path, to });
    },
  };
}
