import type { Database } from '../../platform/database/connection.ts';

/** A measurement or key image with its place in the study; `points` and `measured` are JSON. */
export interface MarkRow {
  id: number;
  study_id: number;
  series_id: number;
  instance_id: number;
  frame: number;
  kind: string;
  points: string;
  measured: string | null;
  label: string | null;
  created_at: string;
  updated_at: string;
}

type NewMarkRow = Pick<MarkRow, 'frame' | 'kind' | 'points' | 'measured' | 'label'> & {
  instance: number;
  user: number;
  now: string;
};
type ChangedMarkRow = Pick<MarkRow, 'id' | 'points' | 'measured' | 'label'> & { now: string };

const ROWS = `SELECT m.id, s.study_id, o.series_id, m.instance_id, m.frame, m.kind, m.points, m.measured, m.label,
  m.created_at, m.updated_at FROM imaging_marks AS m JOIN imaging_instances AS o ON o.id = m.instance_id
  JOIN imaging_series AS s ON s.id = o.series_id WHERE s.study_id = @study`;

/** Marks of a study, by series and in the order in which they were made. */
export const findMarks = (db: Database, study: number): MarkRow[] =>
  db.prepare(`${ROWS} ORDER BY o.series_id, m.id`).all({ study }) as MarkRow[];

/** The number of marks of a study. */
export const countMarks = (db: Database, study: number): number =>
  db.prepare(`SELECT count(*) FROM (${ROWS})`).pluck().get({ study }) as number;

/** Returns the id of the new mark. */
export const insertMark = (db: Database, row: NewMarkRow): number =>
  Number(
    db
      .prepare(
        `INSERT INTO imaging_marks (instance_id, frame, kind, points, measured, label, created_by_user_id, created_at,
          updated_at) VALUES (@instance, @frame, @kind, @points, @measured, @label, @user, @now, @now)`,
      )
      .run(row).lastInsertRowid,
  );

/** Replaces the points, the measured values and the label of a mark. */
export const updateMark = (db: Database, row: ChangedMarkRow): void =>
  void db
    .prepare(
      'UPDATE imaging_marks SET points = @points, measured = @measured, label = @label, updated_at = @now WHERE id = @id',
    )
    .run(row);

/** Deletes a mark; nothing happens without it. */
export const deleteMark = (db: Database, id: number): void =>
  void db.prepare('DELETE FROM imaging_marks WHERE id = ?').run(id);
