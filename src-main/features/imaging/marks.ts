import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { framedObjects, type FrameDeps } from './frames.ts';

type Deps = Pick<FrameDeps, 'files'> & { db: Database; clock: Clock };
type Mark = ReplyInput<typeof contract.addMark>;
type NewMark = Input<typeof contract.addMark>['body'];
type MarkChanges = Input<typeof contract.changeMark>['body'];

/** More are not read by anybody. */
const MAX_MARKS = 1000;

interface MarkRow {
  id: number;
  study_id: number;
  series_id: number;
  instance_id: number;
  frame: number;
  kind: Mark['kind'];
  points: string;
  measured: string | null;
  label: string | null;
  created_at: string;
  updated_at: string;
}

const ROWS = `SELECT m.id, s.study_id, o.series_id, m.instance_id, m.frame, m.kind, m.points, m.measured, m.label,
  m.created_at, m.updated_at FROM imaging_marks AS m JOIN imaging_instances AS o ON o.id = m.instance_id
  JOIN imaging_series AS s ON s.id = o.series_id WHERE s.study_id = @study`;

/** The measurements and key images of a study, in the order of its frames. */
export function listMarks(deps: Deps, study: number): { items: Mark[] } {
  const rows = deps.db.prepare(`${ROWS} ORDER BY o.series_id, m.id`).all({ study }) as MarkRow[];
  const firsts = new Map<number, Map<number, number>>();
  const firstOf = ({ series_id, instance_id }: MarkRow): number => {
    let ofSeries = firsts.get(series_id);
    if (!ofSeries) {
      ofSeries = new Map(framedObjects(deps, study, series_id).map(({ id, first }) => [id, first]));
      firsts.set(series_id, ofSeries);
    }
    return ofSeries.get(instance_id) ?? 0;
  };
  const items = rows.map((row) => toMark(row, firstOf(row) + row.frame));
  return { items: items.sort((a, b) => a.series_id - b.series_id || a.index - b.index || a.id - b.id) };
}

const toMark = (
  { id, study_id, series_id, kind, label, created_at, updated_at, ...row }: MarkRow,
  index: number,
): Mark => ({
  ...{ id, study_id, series_id, index, kind, label, created_at, updated_at },
  points: JSON.parse(row.points) as Mark['points'],
  measured: row.measured === null ? null : (JSON.parse(row.measured) as Mark['measured']),
});

const requireMark = (deps: Deps, study: number, id: number): Mark =>
  orNotFound(
    listMarks(deps, study).items.find((mark) => mark.id === id),
    'imaging.mark_not_found',
  );

/**
 * Saves a measurement or key image with the object of its frame: indices change when other objects arrive.
 * @throws `imaging.series_not_found`, `imaging.frame_not_found`, `imaging.too_many_marks`
 */
export function addMark(deps: Deps, study: number, body: NewMark, { userId }: UserCaller): Mark {
  const { db, clock } = deps;
  const object = framedObjects(deps, study, body.series_id).find(
    ({ first, frames }) => first <= body.index && body.index < first + frames,
  );
  if (!object) throw fail('imaging.frame_not_found');
  const count = db.prepare(`SELECT count(*) FROM (${ROWS})`).pluck().get({ study }) as number;
  if (count >= MAX_MARKS) throw fail('imaging.too_many_marks');
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO imaging_marks (instance_id, frame, kind, points, measured, label, created_by_user_id, created_at,
        updated_at) VALUES (@instance, @frame, @kind, @points, @measured, @label, @user, @now, @now)`,
    )
    .run({
      instance: object.id,
      frame: body.index - object.first,
      kind: body.kind,
      points: JSON.stringify(body.points),
      measured: body.measured ? JSON.stringify(body.measured) : null,
      label: body.label ?? null,
      user: userId,
      now: toTimestamp(clock.now()),
    });
  return requireMark(deps, study, Number(lastInsertRowid));
}

/** Moves or names a mark. @throws `imaging.mark_not_found` */
export function changeMark(deps: Deps, study: number, id: number, changes: MarkChanges): Mark {
  const before = requireMark(deps, study, id);
  const { points, measured, label } = { ...before, ...withoutUndefined(changes) };
  deps.db
    .prepare('UPDATE imaging_marks SET points = ?, measured = ?, label = ?, updated_at = ? WHERE id = ?')
    .run(JSON.stringify(points), measured ? JSON.stringify(measured) : null, label, toTimestamp(deps.clock.now()), id);
  return requireMark(deps, study, id);
}

const withoutUndefined = (changes: MarkChanges): Partial<Mark> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** @throws `imaging.mark_not_found` */
export function removeMark(deps: Deps, study: number, id: number): { status: 'deleted' } {
  requireMark(deps, study, id);
  deps.db.prepare('DELETE FROM imaging_marks WHERE id = ?').run(id);
  return { status: 'deleted' };
}
