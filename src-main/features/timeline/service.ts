import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { DocumentNaming } from '../../../src-shared/contract/document-naming.ts';
import type { timeline as contract } from '../../../src-shared/contract/timeline.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { intervalsOf, unitOf, type Counted } from './intervals.ts';
import {
  createTimelineRepository,
  type DocumentRow,
  type Range,
  type SpecialtyFilter,
  type TimelineRepository,
} from './repository.ts';

type Query = Input<typeof contract.get>['query'];
type Reply = ReplyInput<typeof contract.get>;

/** Up to this many items of a kind are returned individually. */
const MAX_SINGLE_ITEMS = 400;

interface TimelineDeps {
  db: Database;
  access: AccessRules;
  namings: (ids: readonly number[]) => ReadonlyMap<number, DocumentNaming>;
}
interface Deps extends Omit<TimelineDeps, 'db'> {
  repository: TimelineRepository;
}

export type TimelineService = ReturnType<typeof createTimeline>;

/** The timeline of a patient: events, documents, results and imaging. */
export function createTimeline({ db, ...dependencies }: TimelineDeps) {
  const deps: Deps = { ...dependencies, repository: createTimelineRepository(db) };
  return {
    get: (query: Query, user: UserCaller): Reply => readTimeline(deps, query, user),
  };
}

function readTimeline(deps: Deps, { patient_id, from, to, specialty }: Query, user: UserCaller): Reply {
  const { access, repository } = deps;
  if (from !== undefined && to !== undefined && to < from) throw fail('timeline.invalid_range');
  const patientIds = patient_id === undefined ? access.visiblePatients(user.userId) : [patient_id];
  const extent = extentOf(repository, patientIds);
  const undatedDocuments = sum(patientIds.map((id) => repository.undatedDocuments(id)));
  const undated = {
    undated_events: patientIds.flatMap((id) => repository.undatedEvents(id)),
    specialties: repository.specialties(patientIds),
  };
  if (!extent)
    return {
      extent,
      range: null,
      events: [],
      documents: [],
      labs: [],
      imaging: [],
      unit: 'day',
      intervals: [],
      totals: { documents: 0, results: 0, imaging: 0, undated_documents: undatedDocuments },
      ...undated,
    };
  const range = rangeOf(extent, from, to);
  const { totals, ...items } = readRange(deps, patientIds, extent, range, specialty);
  return { extent, range, ...items, totals: { ...totals, undated_documents: undatedDocuments }, ...undated };
}

/** Reads a range: items individually if there are few of a kind, otherwise counted by interval. */
function readRange(
  { repository, namings }: Deps,
  patientIds: readonly number[],
  extent: Range,
  range: Range,
  specialty: Query['specialty'],
) {
  const filter = specialty ? repository.specialtyFilter(specialty) : null;
  const each = <T>(read: (patientId: number, range: Range, filter: SpecialtyFilter) => T[]): T[] =>
    patientIds.flatMap((id) => read(id, range, filter));
  const documents = each(repository.documentsByDay),
    results = each(repository.resultsByDay),
    imaging = each(repository.imagingByDay);
  const totals = {
    documents: sum(documents.map((day) => day.documents)),
    results: sum(results.map((day) => day.results)),
    imaging: sum(imaging.map((day) => day.imaging)),
  };
  // Each day has at least one item, so with too many days the items need not be read.
  const labs = results.length > MAX_SINGLE_ITEMS ? null : each(repository.labs);
  const single = {
    documents: totals.documents > MAX_SINGLE_ITEMS ? null : withNamings(namings, each(repository.documents)),
    labs: labs && labs.length > MAX_SINGLE_ITEMS ? null : labs,
    imaging: totals.imaging > MAX_SINGLE_ITEMS ? null : each(repository.imaging),
  };
  const counted: Counted[] = [
    ...(single.documents ? [] : documents),
    ...(single.labs ? [] : results),
    ...(single.imaging ? [] : imaging),
  ];
  // Days outside the extent are empty and need no interval.
  const unit = unitOf(range.from > extent.from ? range.from : extent.from, range.to < extent.to ? range.to : extent.to);
  return { events: each(repository.events), ...single, unit, intervals: intervalsOf(unit, counted), totals };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function extentOf(repository: TimelineRepository, patientIds: readonly number[]): Range | null {
  const extents = patientIds.map((id) => repository.extent(id)).filter((extent) => extent !== null);
  if (extents.length === 0) return null;
  return {
    from: extents.map((extent) => extent.from).sort()[0] as string,
    to: extents
      .map((extent) => extent.to)
      .sort()
      .at(-1) as string,
  };
}

function withNamings(namings: Deps['namings'], documents: readonly DocumentRow[]): NonNullable<Reply['documents']> {
  const namingById = namings(documents.map(({ id }) => id));
  return documents.flatMap((document) => {
    const naming = namingById.get(document.id);
    return naming ? [{ ...naming, ...document }] : [];
  });
}

/** The requested range; an open end extends to the first or last day with content. */
function rangeOf(extent: Range, from: string | undefined, to: string | undefined): Range {
  const start = from ?? (to !== undefined && to < extent.from ? to : extent.from);
  return { from: start, to: to ?? (start > extent.to ? start : extent.to) };
}
