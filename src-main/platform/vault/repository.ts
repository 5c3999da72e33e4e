import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { Database } from '../database/connection.ts';
import { withParents } from './paths.ts';

/** What a row says of a path. `settled` once the pipeline has put the file where it belongs. */
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
/** `/` is followed by `0`: what begins with `a/b/` lies between `a/b/` and `a/b0`, which the index can seek. */
const BELOW = (column: string): string =>
  `(${column} = $path OR (${column} > $path || '/' AND ${column} < $path || '0'))`;

export type VaultRepository = ReturnType<typeof createVaultRepository>;

/** The rows that speak of paths: documents, imaging studies and series. */
export function createVaultRepository(db: Database) {
  const rewrite = (table: string, column: string, also = '') =>
    db.prepare(
      `UPDATE ${table} SET ${column} = $to || substr(${column}, length($path) + 1)${also} WHERE ${BELOW(column)}`,
    );
  return {
    documentById: (id: number) => db.prepare(`${FILED} WHERE id = ?`).get(id) as FiledDocument | undefined,
    documentAt: (path: string) => db.prepare(`${FILED} WHERE file_path = ?`).get(path) as FiledDocument | undefined,
    /** Of the entries of a folder with these names, by name. */
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
    /** At this path or below it, in the order of ids. */
    documentsBelow: (path: string) =>
      db.prepare(`${FILED} WHERE ${BELOW('file_path')} ORDER BY id`).all({ path }) as FiledDocument[],
    patientBySlug: (slug: string) =>
      db.prepare('SELECT id FROM patients WHERE slug = ?').pluck().get(slug) as number | undefined,
    /** Folders of studies and series at these paths or above: whoever owns them owns what lies in them. */
    studyAbove: (path: string) =>
      db
        .prepare(`WITH above AS (SELECT value AS path FROM json_each($paths))
      SELECT s.id, s.patient_id, above.path, 0 AS series FROM above JOIN imaging_studies AS s ON s.folder_path = above.path OR s.bundle_path = above.path
      UNION ALL SELECT s.id, s.patient_id, above.path, 1 FROM above JOIN imaging_series AS i ON i.folder_path = above.path JOIN imaging_studies AS s ON s.id = i.study_id`)
        .all({ paths: JSON.stringify(withParents(path)) }) as StudyFolder[],
    studiesBelow: (path: string) =>
      db
        .prepare(`SELECT id, patient_id FROM imaging_studies WHERE ${BELOW('folder_path')} OR ${BELOW('bundle_path')}`)
        .all({ path }) as { id: number; patient_id: number | null }[],
    /** Within a transaction: everything that is told to lie at `path` or below lies at `to` or below now. */
    rewritePaths(path: string, to: string, now: string): void {
      rewrite('documents', 'file_path', ', updated_at = $now').run({ path, to, now });
      rewrite('imaging_studies', 'folder_path').run({ path, to });
      rewrite('imaging_studies', 'bundle_path').run({ path, to });
      rewrite('imaging_series', 'folder_path').run({ path, to });
    },
  };
}
