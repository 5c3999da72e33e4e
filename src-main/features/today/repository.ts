import type { Database } from '../../platform/database/connection.ts';

const marks = (values: unknown[]): string => values.map(() => '?').join(',');
type Row = Record<string, unknown>;
interface Abnormal {
  patient_id: number;
  patient_name: string;
  document_id: number;
  document_date: string | null;
}

function newestFirst(a: Abnormal, b: Abnormal): number {
  if (a.document_date === b.document_date) return b.document_id - a.document_id;
  return (a.document_date ?? '') < (b.document_date ?? '') ? 1 : -1;
}

const hasAbnormal = (db: Database, documentId: number): boolean =>
  db.prepare('SELECT 1 FROM lab_results WHERE document_id = ? AND is_abnormal = 1 LIMIT 1').get(documentId) !==
  undefined;

export type TodayRepository = ReturnType<typeof createTodayRepository>;

/** Reads documents of these patients that need attention. */
export function createTodayRepository(db: Database) {
  return {
    /**
     * The newest document of each patient with results that are judged by a range, if one of them is abnormal; the
     * newest first. An older abnormal result says nothing about today once a newer report is in range.
     */
    abnormal: (patientIds: number[]): Abnormal[] =>
      // Scans the date index for each patient until the first hit; patients without any abnormal result are skipped.
      patientIds
        .filter(
          (id) =>
            db
              .prepare(
                `SELECT 1 FROM lab_results WHERE patient_id = ? AND is_abnormal = 1 AND document_id IS NOT NULL
                  LIMIT 1`,
              )
              .get(id) !== undefined,
        )
        .flatMap(
          (id) =>
            db
              .prepare(`SELECT d.id AS document_id, d.event_date AS document_date, p.id AS patient_id,
            p.display_name AS patient_name FROM record_documents AS d JOIN patients AS p ON p.id = d.patient_id
          WHERE d.patient_id = ? AND EXISTS (SELECT 1 FROM lab_results AS l
          WHERE l.document_id = d.id AND (l.is_abnormal = 1 OR l.reference_range_low IS NOT NULL
            OR l.reference_range_high IS NOT NULL)) ORDER BY d.event_date DESC, d.id DESC LIMIT 1`)
              .all(id) as Abnormal[],
        )
        .filter(({ document_id: id }) => hasAbnormal(db, id))
        .sort(newestFirst),
    /** Values of a test by its printed name in one unit, oldest first, without those that may have been read wrongly. */
    series: (
      patientId: number,
      { name, unit }: { name: string; unit: string | null },
      limit: number,
    ): { test_date: string | null; value: number }[] =>
      (
        db
          .prepare(
            `SELECT test_date, value FROM lab_results
              WHERE patient_id = ? AND test_name_original = ? AND unit IS ? AND value IS NOT NULL
              AND (doubt IS NULL OR doubt = '[]') ORDER BY test_date DESC, id DESC LIMIT ?`,
          )
          .all(patientId, name, unit, limit) as { test_date: string | null; value: number }[]
      ).toReversed(),
    /** Open follow-ups, those with the date nearest to today first, and the number of all. */
    followUps(patientIds: number[], today: string, limit: number): { rows: Row[]; total: number } {
      const open = `FROM encounters AS e JOIN record_documents AS d ON d.id = e.document_id
        JOIN patients AS p ON p.id = d.patient_id
        WHERE e.follow_up_date IS NOT NULL AND e.follow_up_done_date IS NULL
          AND d.patient_id IN (${marks(patientIds)})`;
      const rows = db
        .prepare(`SELECT e.document_id, e.id AS encounter_id, p.id AS patient_id, p.display_name AS patient_name, e.follow_up_date,
            e.follow_up_instructions, d.event_date AS document_date
          ${open} ORDER BY abs(julianday(e.follow_up_date) - julianday(?)), e.id LIMIT ?`)
        .all(...patientIds, today, limit) as Row[];
      return {
        rows,
        total: db
          .prepare(`SELECT count(*) ${open}`)
          .pluck()
          .get(...patientIds) as number,
      };
    },
  };
}
