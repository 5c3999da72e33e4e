import type { z } from 'zod';
import {
  TABLE_OF_LIST,
  type ArtifactEndpoints,
  type DetailName,
  type Details,
  type ListName,
  type RowsByTable,
  type TableName,
} from '../../../contract/phone-backups/artifact-table.ts';
import type { Characteristics } from '../../../contract/phone-backups/artifacts.ts';
import type { Endpoint, Reply } from '../../../contract/endpoint.ts';
import { occurrencesOf } from '../occurrences.ts';
import type { Filter, IndexReader, ListOptions, Page, Paged } from './reader.ts';
import { TABLES, type OwnDay } from './tables.ts';

/** The index of one backup. Without a reader every list is empty; `notFound` throws the error for a missing row. */
export interface ArtifactIndex {
  reader: IndexReader | null;
  notFound: () => never;
}

type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodType } ? z.output<Q> : unknown;
export type ArtifactQuery<N extends keyof ArtifactEndpoints> = QueryOf<ArtifactEndpoints[N]>;
export type ArtifactReply<N extends keyof ArtifactEndpoints> = Reply<ArtifactEndpoints[N]>;

/** Serves any endpoint of `ARTIFACT_TABLE` from the index. `guid` identifies the row of a detail endpoint. */
export function answerArtifact<N extends keyof ArtifactEndpoints>(
  index: ArtifactIndex,
  name: N,
  query: ArtifactQuery<N>,
  guid = '',
): ArtifactReply<N> {
  if (name in TABLE_OF_LIST)
    return listArtifact(index, name as ListName, query as ListQuery) as unknown as ArtifactReply<N>;
  const handle = DETAIL_HANDLERS[name as DetailName] as DetailHandler;
  return handle(index, query, guid) as ArtifactReply<N>;
}

interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}
/** The query of a list: `q`, `from`, `to` and the filters of its endpoint. */
export type ListQuery = Page & DayRange & { q?: string | undefined } & Readonly<Record<string, unknown>>;

/** A page of one list, filtered by what its query contains. */
export const listArtifact = <N extends ListName>(
  index: ArtifactIndex,
  name: N,
  query: ListQuery,
): Paged<RowsByTable[(typeof TABLE_OF_LIST)[N]]> => listFiltered(index, TABLE_OF_LIST[name], query);

function listFiltered<T extends TableName>(index: ArtifactIndex, table: T, query: ListQuery): Paged<RowsByTable[T]> {
  const { q, from, to, limit, offset, ...values } = query;
  return listTable(
    index,
    table,
    { limit, offset },
    { q, where: [...dayFilters(table, { from, to }), ...valueFilters(table, values)] },
  );
}

/** A page of a table; empty without a reader. */
export const listTable = <T extends TableName>(
  { reader }: ArtifactIndex,
  table: T,
  page: Page,
  options: ListOptions = {},
): Paged<RowsByTable[T]> => reader?.list(table, page, options) ?? { items: [], total: 0, ...page };

const equals = (column: string, value: string): Filter => ({ sql: `t."${column}" = ?`, values: [value] });

/** Conditions for query parameters, which name a column or a filter of the table. */
const valueFilters = (table: TableName, values: Readonly<Record<string, unknown>>): Filter[] =>
  Object.entries(values).flatMap(([name, value]): Filter[] => {
    if (value === undefined) return [];
    const sql = (TABLES[table].filters as Readonly<Record<string, string>>)[name];
    return [sql === undefined ? equals(name, String(value)) : { sql, values: [String(value)] }];
  });

const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);
/** The UTC time at which a civil day (plus `laterDays`) begins on this computer's clock. */
function startOfDay(day: string, laterDays = 0): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + laterDays);
  return new Date(Math.min(start.getTime(), LAST_MOMENT)).toISOString().slice(0, 19);
}

/** Conditions for times from the first to the last day, inclusive. */
function dayFilters(table: TableName, range: DayRange): Filter[] {
  const { at, ownDay } = TABLES[table];
  if (at === null) return [];
  return ownDay ? ownDayFilters(`t."${at}"`, ownDay, range) : timeFilters(`t."${at}"`, range);
}

const timeFilters = (column: string, { from, to }: DayRange): Filter[] => [
  ...(from === undefined ? [] : [{ sql: `${column} >= ?`, values: [startOfDay(from)] }]),
  ...(to === undefined ? [] : [{ sql: `${column} < ?`, values: [startOfDay(to, 1)] }]),
];

/**
 * Conditions for rows that have their own civil day. The first comparison lets SQLite use the index on the time,
 * because time zones differ by at most one day.
 */
const ownDayFilters = (column: string, { when, day }: OwnDay, { from, to }: DayRange): Filter[] => [
  ...(from === undefined
    ? []
    : [
        {
          sql: `${column} >= ? AND CASE WHEN ${when} THEN ${day} >= ? ELSE ${column} >= ? END`,
          values: [startOfDay(from, -1), from, startOfDay(from)],
        },
      ]),
  ...(to === undefined
    ? []
    : [
        {
          sql: `${column} < ? AND CASE WHEN ${when} THEN ${day} <= ? ELSE ${column} < ? END`,
          values: [startOfDay(to, 2), to, startOfDay(to, 1)],
        },
      ]),
];

type DetailHandler = (index: ArtifactIndex, query: unknown, guid: string) => unknown;

/** Endpoints of `ARTIFACT_TABLE` that are more than a list. */
const DETAIL_HANDLERS: {
  readonly [N in DetailName]: (index: ArtifactIndex, query: QueryOf<Details[N]>, guid: string) => Reply<Details[N]>;
} = {
  conversation: (index, query, guid) => ({
    conversation: rowOf(index, 'conversations', guid),
    ...listThread(index, 'messages', guid, query),
  }),
  chat: (index, query, guid) => ({
    chat: rowOf(index, 'chats', guid),
    ...listThread(index, 'chat_messages', guid, query),
  }),
  calendars: (index, query) => ({
    calendars: listTable(index, 'calendars', { limit: MAX_CALENDARS, offset: 0 }).items,
    ...listEvents(index, query),
  }),
  healthTypes: (index) => ({
    types: index.reader?.healthTypes() ?? [],
    characteristics: listTable(index, 'characteristics', { limit: 1, offset: 0 }).items[0] ?? UNKNOWN_OWNER,
  }),
};

function rowOf<T extends TableName>({ reader, notFound }: ArtifactIndex, table: T, key: string): RowsByTable[T] {
  return reader?.one(table, key) ?? notFound();
}

const UNKNOWN_OWNER: Characteristics = {
  date_of_birth: null,
  sex: null,
  blood_type: null,
  skin_type: null,
  wheelchair: null,
};

type ThreadQuery = Page & { order: 'asc' | 'desc'; at?: string | undefined };

/** The messages of a conversation, and the position of the message `at` among them. */
function listThread<T extends 'messages' | 'chat_messages'>(
  index: ArtifactIndex,
  table: T,
  guid: string,
  { at, order: direction, ...page }: ThreadQuery,
): Paged<RowsByTable[T]> & { place: number | null } {
  const sqlOrder = direction === 'desc' ? 'DESC' : 'ASC';
  const order = `t.parent, t.sent_at ${sqlOrder}, t.id ${sqlOrder}`;
  const where = [equals('parent', guid)];
  const count = (filter: Filter): number =>
    listTable(index, table, { limit: 1, offset: 0 }, { where: [...where, filter], order }).total;
  const isInThread = at !== undefined && count(equals('message_guid', at)) > 0;
  return {
    ...listTable(index, table, page, { where, order }),
    place: isInThread ? count(beforeMessage(table, guid, at, sqlOrder)) : null,
  };
}

/** Counts the messages before another one. Like SQLite, it sorts messages without a time first. */
const beforeMessage = (table: string, parent: string, message: string, order: 'ASC' | 'DESC'): Filter => ({
  sql: `(coalesce(t.sent_at, ''), t.id) ${order === 'ASC' ? '<' : '>'} (SELECT coalesce(s.sent_at, ''), s.id
    FROM "${table}" AS s WHERE s.parent = ? AND s.message_guid = ? LIMIT 1)`,
  values: [parent, message],
});

const MAX_CALENDARS = 1000;
const MAX_EVENTS = 100_000;
type EventQuery = ListQuery & { calendar?: string | undefined };

/** Events of a calendar; between two days, each occurrence of a recurring event. */
function listEvents(index: ArtifactIndex, query: EventQuery): Paged<RowsByTable['events']> {
  const { calendar, q, from, to, limit, offset } = query;
  if (from === undefined || to === undefined) return listFiltered(index, 'events', query);
  // A series may have begun long before the range; an event that is not recurring must overlap it.
  const mayOccur: Filter = {
    sql: `(t.recurrence IS NOT NULL OR t.series_identifier IS NOT NULL
      OR (t.starts_at <= ? AND coalesce(t.ends_at, t.starts_at) >= ?))`,
    values: [startOfDay(to, 2), startOfDay(from, -1)],
  };
  const where = [...valueFilters('events', { calendar }), mayOccur];
  const { items: events } = listTable(index, 'events', { limit: MAX_EVENTS, offset: 0 }, { q, where });
  const occurrences = occurrencesOf(events, from, to);
  return { items: occurrences.slice(offset, offset + limit), total: occurrences.length, limit, offset };
}
