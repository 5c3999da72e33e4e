import type { Characteristics } from '../../../contract/phone-backups/artifacts.ts';
import { occurrencesOf } from '../occurrences.ts';
import type { RowsByTable, TableName } from '../source.ts';
import type { Filter, IndexReader, Page, Paged } from './reader.ts';

interface Span {
  from?: string | undefined;
  to?: string | undefined;
}

const UNKNOWN_OWNER: Characteristics = {
  date_of_birth: null,
  sex: null,
  blood_type: null,
  skin_type: null,
  wheelchair: null,
};

const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);
/** The moment at which a civil day, or one so many days later, begins on the clocks of this computer. */
function beginOf(day: string, later = 0): string {
  const begin = new Date(`${day}T00:00:00`);
  begin.setDate(begin.getDate() + later);
  return new Date(Math.min(begin.getTime(), LAST_MOMENT)).toISOString().slice(0, 19);
}

/** Of times from the first day to the last on the clocks of this computer, both included. */
const within = (column: string, { from, to }: Span): Filter[] => [
  ...(from === undefined ? [] : [{ sql: `t."${column}" >= ?`, values: [beginOf(from)] }]),
  ...(to === undefined ? [] : [{ sql: `t."${column}" < ?`, values: [beginOf(to, 1)] }]),
];

/** Rows that know their civil day themselves: those for which `when` is true, by what `day` makes of them. */
interface OwnDay {
  when: string;
  day: string;
}
const SAMPLE: OwnDay = { when: 'true', day: 't.day' };
const PHOTO: OwnDay = {
  when: 't.timezone_offset_minutes IS NOT NULL',
  day: "date(t.taken_at, t.timezone_offset_minutes || ' minutes')",
};
const EVENT: OwnDay = { when: 't.is_all_day = 1', day: 'substr(t.starts_at, 1, 10)' };

/** The same of such rows. The index is on their times: no clock is further than a day from another. */
const onDays = (column: string, { when, day }: OwnDay, { from, to }: Span): Filter[] => [
  ...(from === undefined
    ? []
    : [
        {
          sql: `t."${column}" >= ? AND CASE WHEN ${when} THEN ${day} >= ? ELSE t."${column}" >= ? END`,
          values: [beginOf(from, -1), from, beginOf(from)],
        },
      ]),
  ...(to === undefined
    ? []
    : [
        {
          sql: `t."${column}" < ? AND CASE WHEN ${when} THEN ${day} <= ? ELSE t."${column}" < ? END`,
          values: [beginOf(to, 2), to, beginOf(to, 1)],
        },
      ]),
];
const equals = (column: string, value: string | undefined): Filter[] =>
  value === undefined ? [] : [{ sql: `t."${column}" = ?`, values: [value] }];

/** What was indexed of one backup, as lists of the wire. Without an index every list is empty; `missing` throws of a row that is not there. */
export function artifactLists(reader: IndexReader | null, missing: () => never) {
  const list = <T extends TableName>(
    table: T,
    page: Page,
    options: Parameters<IndexReader['list']>[2] = {},
  ): Paged<RowsByTable[T]> =>
    reader?.list(table, page, options) ?? { items: [], total: 0, limit: page.limit, offset: page.offset };
  const one = <T extends TableName>(table: T, key: string): RowsByTable[T] => {
    const row = reader?.one(table, key);
    return row ?? missing();
  };
  type Thread = Page & { order: 'asc' | 'desc'; at?: string | undefined };
  const thread = (table: 'messages' | 'chat_messages', guid: string, { at, ...page }: Thread) => {
    const way = page.order === 'desc' ? 'DESC' : 'ASC',
      order = `t.parent, t.sent_at ${way}, t.id ${way}`,
      where = equals('parent', guid);
    const count = (more: Filter[]): number =>
      list(table, { limit: 1, offset: 0 }, { where: [...where, ...more], order }).total;
    // A message without a time stands where SQL puts it: before all others.
    const before = (message: string): Filter => ({
      sql: `(coalesce(t.sent_at, ''), t.id) ${way === 'ASC' ? '<' : '>'} (SELECT coalesce(s.sent_at, ''), s.id FROM "${table}" AS s WHERE s.parent = ? AND s.message_guid = ? LIMIT 1)`,
      values: [guid, message],
    });
    return {
      ...list(table, page, { where, order }),
      place: at === undefined || count(equals('message_guid', at)) === 0 ? null : count([before(at)]),
    };
  };
  return {
    list,
    chat: (guid: string, page: Thread) => ({ chat: one('chats', guid), ...thread('chat_messages', guid, page) }),
    conversation: (guid: string, page: Thread) => ({
      conversation: one('conversations', guid),
      ...thread('messages', guid, page),
    }),
    photos: ({
      album,
      media_type,
      ...query
    }: Page & Span & { album?: string | undefined; media_type?: string | undefined }) =>
      list('photos', query, {
        where: [
          ...onDays('taken_at', PHOTO, query),
          ...equals('media_type', media_type),
          ...(album === undefined
            ? []
            : [
                {
                  sql: "EXISTS (SELECT 1 FROM json_each(t.metadata, '$.albums') AS a WHERE a.value = ?)",
                  values: [album],
                },
              ]),
        ],
      }),
    notes: ({ q, folder, ...page }: Page & { q?: string | undefined; folder?: string | undefined }) =>
      list('notes', page, { q, where: equals('folder', folder) }),
    calendars({
      calendar,
      q,
      from,
      to,
      ...page
    }: Page & Span & { calendar?: string | undefined; q?: string | undefined }) {
      const calendars = list('calendars', { limit: 1000, offset: 0 }).items;
      const where = equals('calendar_identifier', calendar);
      if (from === undefined || to === undefined)
        return {
          calendars,
          ...list('events', page, { q, where: [...where, ...onDays('starts_at', EVENT, { from, to })] }),
        };
      // A series may have begun long before; an event that is no series must touch the span.
      const candidates = list(
        'events',
        { limit: 100_000, offset: 0 },
        {
          q,
          where: [
            ...where,
            {
              sql: '(t.recurrence IS NOT NULL OR t.series_identifier IS NOT NULL OR (t.starts_at <= ? AND coalesce(t.ends_at, t.starts_at) >= ?))',
              values: [beginOf(to, 2), beginOf(from, -1)],
            },
          ],
        },
      ).items;
      const happening = occurrencesOf(candidates, from, to);
      return {
        calendars,
        items: happening.slice(page.offset, page.offset + page.limit),
        total: happening.length,
        limit: page.limit,
        offset: page.offset,
      };
    },
    visits: ({ q, ...query }: Page & Span & { q?: string | undefined }) =>
      list('visits', query, { q, where: within('visited_at', query) }),
    samples: ({ type, source, ...query }: Page & Span & { type?: string | undefined; source?: string | undefined }) =>
      list('samples', query, {
        where: [...equals('type', type), ...equals('source', source), ...onDays('started_at', SAMPLE, query)],
      }),
    healthTypes: () => ({
      types: reader?.healthTypes() ?? [],
      characteristics: list('characteristics', { limit: 1, offset: 0 }).items[0] ?? UNKNOWN_OWNER,
    }),
    search: (query: Parameters<IndexReader['search']>[0], artifact: Parameters<IndexReader['search']>[1], page: Page) =>
      reader?.search(query, artifact, page) ?? { items: [], total: 0, limit: page.limit, offset: page.offset },
  };
}
