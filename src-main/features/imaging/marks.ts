import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import { POINTS_OF_MARKS, type imaging as contract } from '../../../src-shared/contract/imaging.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { framedObjects, type FrameDeps } from './frames.ts';
import { countMarks, deleteMark, findMarks, insertMark, updateMark, type MarkRow } from './mark-repository.ts';

type Deps = Pick<FrameDeps, 'files'> & { db: Database; clock: Clock };
type Mark = ReplyInput<typeof contract.addMark>;
type NewMark = Input<typeof contract.addMark>['body'];
type MarkChanges = Input<typeof contract.changeMark>['body'];

/** More are not read by anybody. */
const MAX_MARKS = 1000;

/** The measurements and key images of a study, in the order of its frames. */
export function listMarks(deps: Deps, study: number): { items: Mark[] } {
  const rows = findMarks(deps.db, study);
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
  ...{ id, study_id, series_id, index, label, created_at, updated_at },
  kind: kind as Mark['kind'],
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
 * @throws `imaging.series_not_found`, `imaging.frame_not_found`, `imaging.mark_points`, `imaging.too_many_marks`
 */
export function addMark(deps: Deps, study: number, body: NewMark, { userId }: UserCaller): Mark {
  const { db, clock } = deps;
  const object = framedObjects(deps, study, body.series_id).find(
    ({ first, frames }) => first <= body.index && body.index < first + frames,
  );
  if (!object) throw fail('imaging.frame_not_found');
  requirePoints(body);
  if (countMarks(db, study) >= MAX_MARKS) throw fail('imaging.too_many_marks');
  const id = insertMark(db, {
    instance: object.id,
    frame: body.index - object.first,
    kind: body.kind,
    points: JSON.stringify(body.points),
    measured: body.measured ? JSON.stringify(body.measured) : null,
    label: body.label ?? null,
    user: userId,
    now: toTimestamp(clock.now()),
  });
  return requireMark(deps, study, id);
}

/** A viewer can draw nothing of fewer points. */
function requirePoints({ kind, points }: Pick<Mark, 'kind' | 'points'>): void {
  const count = POINTS_OF_MARKS[kind];
  if (points.length !== count) throw fail('imaging.mark_points', { count });
}

/** Moves or names a mark. @throws `imaging.mark_not_found`, `imaging.mark_points` */
export function changeMark(deps: Deps, study: number, id: number, changes: MarkChanges): Mark {
  const before = requireMark(deps, study, id);
  if (changes.points) requirePoints({ kind: before.kind, points: changes.points });
  const { points, measured, label } = { ...before, ...withoutUndefined(changes) };
  updateMark(deps.db, {
    id,
    points: JSON.stringify(points),
    measured: measured ? JSON.stringify(measured) : null,
    label,
    now: toTimestamp(deps.clock.now()),
  });
  return requireMark(deps, study, id);
}

const withoutUndefined = (changes: MarkChanges): Partial<Mark> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** @throws `imaging.mark_not_found` */
export function removeMark(deps: Deps, study: number, id: number): { status: 'deleted' } {
  requireMark(deps, study, id);
  deleteMark(deps.db, id);
  return { status: 'deleted' };
}
