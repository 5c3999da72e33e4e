import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { timeline as contract } from '../../../src-shared/contract/timeline.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { intervalsOf, unitOf, type Counted } from './intervals.ts';
import { createTimelineRepository, type Range } from './repository.ts';

type Reply = ReplyInput<typeof contract.get>;

/** Up to this many items of a kind are returned singly. */
const MAX_SINGLE_ITEMS = 400;

export type TimelineService = ReturnType<typeof createTimeline>;

/** The timeline of a patient: events, documents, results and imaging. */
export function createTimeline({
  db,
  access,
  titles,
}: {
  db: Database;
  access: AccessRules;
  titles: (ids: readonly number[]) => Map<number, string | null>;
}) {
  const repository = createTimelineRepository(db);

  function extentOf(patientIds: readonly number[]): Range | null {
    const extents = patientIds.map(repository.extent).filter((extent) => extent !== null);
    if (extents.length === 0) return null;
    return {
      from: extents.map((extent) => extent.from).sort()[0] as string,
      to: extents
        .map((extent) => extent.to)
        .sort()
        .at(-1) as string,
    };
  }
  function titled(shown: ReturnType<typeof repository.documents>): typeof shown {
    const named = titles(shown.map(({ id }) => id));
    return shown.map((document) => ({ ...document, title: named.get(document.id) ?? document.title }));
  }
  const total = <K extends string>(rows: readonly { [P in K]?: number }[], column: K): number =>
    rows.reduce((sum, row) => sum + (row[column] ?? 0), 0);

  return {
    get({ patient_id, from, to, specialty }: Input<typeof contract.get>['query'], user: UserCaller): Reply {
      if (from !== undefined && to !== undefined && to < from) throw fail('timeline.invalid_range');
      const patientIds = patient_id === undefined ? access.visiblePatients(user.userId) : [patient_id];
      const extent = extentOf(patientIds);
      const specialties = repository.specialties(patientIds);
      const undated = patientIds.reduce((sum, id) => sum + repository.undatedDocuments(id), 0);
      const undatedEvents = patientIds.flatMap(repository.undatedEvents);
      const range = extent && rangeOf(extent, from, to);
      if (!range)
        return {
          extent,
          range: null,
          events: [],
          documents: [],
          labs: [],
          imaging: [],
          unit: 'day',
          intervals: [],
          totals: { documents: 0, results: 0, imaging: 0, undated_documents: undated },
          undated_events: undatedEvents,
          specialties,
        };

      const filter = specialty ? repository.specialtyIds(specialty) : null;
      const each = <T>(
        read: (patientId: number, range: Range, filter: ReturnType<typeof repository.specialtyIds>) => T[],
      ): T[] => patientIds.flatMap((id) => read(id, range, filter));
      const documents = each(repository.documentsByDay),
        results = each(repository.resultsByDay),
        imaging = each(repository.imagingByDay);
      const totals = {
        documents: total(documents, 'documents'),
        results: total(results, 'results'),
        imaging: total(imaging, 'imaging'),
        undated_documents: undated,
      };
      // Each day has at least one mark, so that many days cannot be shown singly.
      const labs = results.length > MAX_SINGLE_ITEMS ? null : each(repository.labs);
      const single = {
        documents: totals.documents > MAX_SINGLE_ITEMS ? null : titled(each(repository.documents)),
        labs: labs && labs.length > MAX_SINGLE_ITEMS ? null : labs,
        imaging: totals.imaging > MAX_SINGLE_ITEMS ? null : each(repository.imaging),
      };
      const counted: Counted[] = [
        ...(single.documents ? [] : documents),
        ...(single.labs ? [] : results),
        ...(single.imaging ? [] : imaging),
      ];
      // Days outside the extent are empty and need no interval.
      const unit = unitOf(
        range.from > extent.from ? range.from : extent.from,
        range.to < extent.to ? range.to : extent.to,
      );
      return {
        extent,
        range,
        events: each(repository.events),
        ...single,
        unit,
        intervals: intervalsOf(unit, counted),
        totals,
        undated_events: undatedEvents,
        specialties,
      };
    },
  };
}

/** The requested range; an open end extends to the first or last day with content. */
function rangeOf(extent: Range, from: string | undefined, to: string | undefined): Range {
  const start = from ?? (to !== undefined && to < extent.from ? to : extent.from);
  return { from: start, to: to ?? (start > extent.to ? start : extent.to) };
}
