import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import type { TextPassage } from './passages.ts';

/** A passage whose meaning is near to that of a question. */
export interface MeantPassage {
  documentId: number;
  page: number;
  firstLine: number;
  lastLine: number;
  /** Cosine of the angle between both vectors. */
  similarity: number;
}

export interface Neighbors {
  nearest: MeantPassage[];
  /** Of all passages of the patient. */
  count: number;
  mean: number;
  deviation: number;
}

export const createVectorRepository = (db: Database) =>
  bindFirst(db, {
    nextWithout: nextDocuments,
    begin: beginDocument,
    finish: finishDocument,
    forgetOthers: forgetOtherModels,
    has: hasVectors,
    nearest: findNearest,
  });
export type VectorRepository = ReturnType<typeof createVectorRepository>;

const NEXT_AT_ONCE = 50;

/** Documents of records without vectors of this model, newest first; one whose patient is undecided waits. */
const nextDocuments = (db: Database, model: string, except: readonly number[]): number[] =>
  db
    .prepare(
      `SELECT d.id FROM record_documents AS d
        LEFT JOIN document_vectors AS v ON v.document_id = d.id AND v.model = ? AND v.passages IS NOT NULL
        WHERE v.document_id IS NULL AND d.patient_id IS NOT NULL AND d.status NOT IN ('pending', 'processing')
          AND d.id NOT IN (SELECT value FROM json_each(?))
          AND EXISTS (SELECT 1 FROM document_pages AS p WHERE p.document_id = d.id)
        ORDER BY d.id DESC LIMIT ?`,
    )
    .pluck()
    .all(model, JSON.stringify(except), NEXT_AT_ONCE) as number[];

/** Notes that vectors are made. The note disappears when the pages change meanwhile. */
const beginDocument = (db: Database, documentId: number, model: string): void =>
  db.transaction(() => {
    db.prepare('DELETE FROM document_vectors WHERE document_id = ?').run(documentId);
    db.prepare('INSERT INTO document_vectors (document_id, model) SELECT id, ? FROM documents WHERE id = ?').run(
      model,
      documentId,
    );
  });

/** Stores the vectors, unless the document was deleted or read again since `begin`. */
const finishDocument = (
  db: Database,
  documentId: number,
  model: string,
  passages: readonly (TextPassage & { vector: Buffer })[],
): void =>
  db.transaction(() => {
    const { changes } = db
      .prepare('UPDATE document_vectors SET passages = ? WHERE document_id = ? AND model = ? AND passages IS NULL')
      .run(passages.length, documentId, model);
    if (changes === 0) return;
    const insert = db.prepare(
      'INSERT INTO passage_vectors (document_id, page, first_line, last_line, vector) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { page, firstLine, lastLine, vector } of passages)
      insert.run(documentId, page, firstLine, lastLine, vector);
  });

const FORGOTTEN_AT_ONCE = 100;

/** Deletes vectors of other models, of some documents; false if there were none. */
const forgetOtherModels = (db: Database, model: string | null): boolean => {
  const others = db
    .prepare('SELECT document_id FROM document_vectors WHERE model IS NOT ? LIMIT ?')
    .pluck()
    .all(model, FORGOTTEN_AT_ONCE) as number[];
  if (others.length === 0) return false;
  db.transaction(() =>
    db
      .prepare('DELETE FROM document_vectors WHERE document_id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(others)),
  );
  return true;
};

const hasVectors = (db: Database, patientId: number, model: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM document_vectors AS v JOIN record_documents AS d ON d.id = v.document_id
        WHERE v.model = ? AND v.passages > 0 AND d.patient_id = ? LIMIT 1`,
    )
    .get(model, patientId) !== undefined;

interface NearRow {
  document_id: number;
  page: number;
  first_line: number;
  last_line: number;
  similarity: number;
  count: number;
  mean: number;
  square: number;
}

/** The passages of one patient that are nearest, and how near all of them are. Needs the vector functions. */
function findNearest(db: Database, patientId: number, model: string, vector: Buffer, limit: number): Neighbors {
  const rows = db
    .prepare(
      `WITH measured AS MATERIALIZED (
        SELECT p.document_id, p.page, p.first_line, p.last_line,
          1 - vec_distance_cosine(vec_int8(p.vector), vec_int8(?)) AS similarity
        FROM record_documents AS d JOIN document_vectors AS v ON v.document_id = d.id AND v.model = ?
        JOIN passage_vectors AS p ON p.document_id = d.id
        WHERE d.patient_id = ? AND length(p.vector) = ?)
      SELECT m.*, a.count, a.mean, a.square FROM measured AS m, (SELECT count(*) AS count, avg(similarity) AS mean,
        avg(similarity * similarity) AS square FROM measured) AS a
      WHERE m.similarity IS NOT NULL ORDER BY m.similarity DESC LIMIT ?`,
    )
    .all(vector, model, patientId, vector.length, limit) as NearRow[];
  const { count = 0, mean = 0, square = 0 } = rows[0] ?? {};
  return {
    nearest: rows.map(({ document_id, page, first_line, last_line, similarity }) => ({
      ...{ documentId: document_id, page, firstLine: first_line, lastLine: last_line, similarity },
    })),
    ...{ count, mean, deviation: Math.sqrt(Math.max(0, square - mean * mean)) },
  };
}
