import type { CalendarRow, EventRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { readAlarms } from './alarms.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader, type Columns } from './source.ts';
import { appleMs, calendarTime, flagOf, intOf, textOf, toTime, uuidOf } from './column-values.ts';

/** `CalendarItem.entity_type` of an event; 3 is a reminder. */
const EVENT = 2;
/** `Recurrence.frequency`. */
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** Letters of `Recurrence.specifier` and the matching rule parts (RFC 5545, 3.3.10). */
const SPECIFIERS: Record<string, string> = {
  M: 'BYMONTHDAY',
  O: 'BYMONTH',
  W: 'BYWEEKNO',
  Y: 'BYYEARDAY',
  S: 'BYSETPOS',
};
const STATUSES: Record<number, string> = {
  0: 'pending',
  1: 'accepted',
  2: 'declined',
  3: 'tentative',
  4: 'delegated',
  5: 'completed',
  6: 'in_process',
  7: 'unknown',
};

/** The data that event rows refer to, by their row numbers. */
interface EventContext {
  calendars: ReadonlyMap<number, CalendarRow>;
  uids: ReadonlyMap<number, string>;
  rules: ReadonlyMap<number, string>;
  excludedDates: ReadonlyMap<number, string[]>;
  attendees: ReadonlyMap<number, EventRow['attendees']>;
  alarmsOf: Awaited<ReturnType<typeof readAlarms>>;
}

/** Calendars and their events, with recurrence rules in the syntax of RFC 5545. */
export const calendar: ArtifactReader = {
  name: 'calendar',
  async *read(source, tools) {
    const db = await source.database('HomeDomain', 'Library/Calendar/Calendar.sqlitedb');
    if (!db) return;
    try {
      const item = await columnsOf(db, 'CalendarItem', 'i');
      if (!item.exists) return;
      tools.expect(await countOf(db, 'CalendarItem'));
      const calendars = await readCalendars(db);
      const context: EventContext = {
        calendars,
        uids: await readUids(db, item),
        rules: await readRecurrenceRules(db),
        excludedDates: await readExcludedDates(db),
        attendees: await readAttendees(db),
        alarmsOf: await readAlarms(db),
      };
      const sql = selectEvents(item, await columnsOf(db, 'Location', 'l'));
      for await (const rows of rowsOf(db, sql, (row) => eventOf(row, context), tools)) yield { table: 'events', rows };
      yield { table: 'calendars', rows: [...calendars.values()] };
    } finally {
      await db.close();
    }
  },
};

/** The name of a place with its address, which often begins with the name. */
function placeOf(name: string | null, address: string | null): string | null {
  if (name === null || address === null) return name ?? address;
  return address.startsWith(name) ? address : `${name}, ${address}`;
}

function selectEvents(item: Columns, location: Columns): string {
  const hasLocations = location.exists && item.has('location_id');
  return `SELECT i.ROWID AS id, ${item.pick('title', 'summary')}, ${item.pick('notes', 'description')},
      ${hasLocations ? location.expr('title') : item.expr('location')} AS place,
      ${hasLocations ? location.pick('address', 'address') : 'NULL AS address'},
      ${item.pick('start', 'start_date')}, ${item.pick('end', 'end_date')}, ${item.pick('zone', 'start_tz')},
      ${item.pick('allDay', 'all_day')}, ${item.pick('calendar', 'calendar_id')},
      ${item.pick('original', 'orig_item_id')}, ${item.pick('originalStart', 'orig_date')},
      ${item.pick('url', 'url', 'conference_url_detected', 'conference_url')},
      ${item.pick('travel', 'travel_time')}, ${item.pick('type', 'entity_type')}
    FROM CalendarItem AS i
    ${hasLocations ? 'LEFT JOIN Location AS l ON l.ROWID = i.location_id' : ''}
    ORDER BY i.ROWID`;
}

async function readUids(db: SqliteDatabase, item: Columns): Promise<Map<number, string>> {
  const rows = await db.query(
    `SELECT i.ROWID AS id, ${item.pick('uid', 'unique_identifier', 'UUID')} FROM CalendarItem AS i`,
  );
  return new Map(rows.map((row) => [intOf(row.id) ?? -1, uuidOf(row.uid) ?? String(intOf(row.id))]));
}

/** Converts a row to an event and counts it for its calendar; null for a reminder. */
function eventOf(
  row: SqliteRow,
  { calendars, uids, rules, excludedDates, attendees, alarmsOf }: EventContext,
): EventRow | null {
  if (row.type !== null && intOf(row.type) !== EVENT) return null;
  const owner = calendars.get(intOf(row.calendar) ?? -1);
  if (owner) owner.event_count += 1;
  const id = intOf(row.id) ?? -1;
  const original = intOf(row.original);
  const isDetached = original !== null && original > 0;
  return {
    event_identifier: uids.get(id) ?? String(id),
    calendar_identifier: owner?.calendar_identifier ?? null,
    title: textOf(row.title),
    location: placeOf(textOf(row.place), textOf(row.address)),
    notes: textOf(row.notes),
    starts_at: calendarTime(row.start),
    ends_at: calendarTime(row.end),
    is_all_day: flagOf(row.allDay),
    timezone: zoneOf(row.zone),
    url: textOf(row.url),
    recurrence: rules.get(id) ?? null,
    excluded_dates: excludedDates.get(id) ?? [],
    series_identifier: isDetached ? (uids.get(original) ?? null) : null,
    original_starts_at: isDetached ? calendarTime(row.originalStart) : null,
    attendees: attendees.get(id) ?? [],
    alarms: alarmsOf({
      id,
      calendar: intOf(row.calendar) ?? -1,
      isAllDay: flagOf(row.allDay),
      travel: intOf(row.travel),
    }),
  };
}

/** Apple writes `_float` for an event with the same local time in every zone. */
const zoneOf = (value: SqliteRow[string] | undefined): string | null => {
  const zone = textOf(value);
  return zone === null || zone === '_float' ? null : zone;
};

async function readCalendars(db: SqliteDatabase): Promise<Map<number, CalendarRow>> {
  const c = await columnsOf(db, 'Calendar', 'c');
  const byId = new Map<number, CalendarRow>();
  if (!c.exists) return byId;
  const store = await columnsOf(db, 'Store', 's');
  const joined = store.exists && c.has('store_id');
  const sql = `SELECT c.ROWID AS id, ${c.pick('uuid', 'UUID', 'external_id')}, ${c.pick('title', 'title')},
      ${c.pick('color', 'color')}, ${joined ? store.expr('name') : 'NULL'} AS account
    FROM Calendar AS c
    ${joined ? 'LEFT JOIN Store AS s ON s.ROWID = c.store_id' : ''}`;
  for (const row of await db.query(sql))
    byId.set(intOf(row.id) ?? -1, {
      calendar_identifier: uuidOf(row.uuid) ?? String(intOf(row.id)),
      title: textOf(row.title),
      color: textOf(row.color),
      account: textOf(row.account),
      event_count: 0,
    });
  return byId;
}

/** Reads recurrence rules by event. */
async function readRecurrenceRules(db: SqliteDatabase): Promise<Map<number, string>> {
  const r = await columnsOf(db, 'Recurrence', 'r');
  const rules = new Map<number, string>();
  if (!r.exists) return rules;
  const sql = `SELECT ${r.pick('owner', 'owner_id', 'event_id')}, ${r.pick('frequency', 'frequency')},
      ${r.pick('interval', 'interval')}, ${r.pick('count', 'count')}, ${r.pick('until', 'end_date')},
      ${r.pick('week', 'week_start')}, ${r.pick('specifier', 'specifier')}
    FROM Recurrence AS r`;
  for (const row of await db.query(sql)) {
    const frequency = FREQUENCIES[(intOf(row.frequency) ?? 0) - 1];
    if (frequency === undefined) continue;
    const parts = [`FREQ=${frequency}`];
    const interval = intOf(row.interval) ?? 1;
    if (interval > 1) parts.push(`INTERVAL=${interval}`);
    const count = intOf(row.count) ?? 0;
    const until = toTime(appleMs(row.until));
    if (count > 0) parts.push(`COUNT=${count}`);
    else if (until !== null) parts.push(`UNTIL=${until.replaceAll(/[-:]/g, '')}Z`);
    parts.push(...specifierParts(textOf(row.specifier)));
    const week = DAYS[(intOf(row.week) ?? 0) - 1];
    if (week !== undefined && frequency === 'WEEKLY') parts.push(`WKST=${week}`);
    rules.set(intOf(row.owner) ?? -1, parts.join(';'));
  }
  return rules;
}

/** Splits `D=0MO,0WE;M=15`: weekdays with the number of their week (0: every), days of the month and so on. */
function specifierParts(specifier: string | null): string[] {
  return (specifier ?? '').split(';').flatMap((part) => {
    const [letter = '', list = ''] = part.split('=');
    if (letter.trim() === 'D') {
      const days = list
        .split(',')
        .map((day) => /^\s*([+-]?\d*)(SU|MO|TU|WE|TH|FR|SA)\s*$/.exec(day))
        .filter((day) => day !== null)
        .map(([, week, day]) => `${Number(week) === 0 ? '' : Number(week)}${day}`);
      return days.length > 0 ? [`BYDAY=${days.join(',')}`] : [];
    }
    const name = SPECIFIERS[letter.trim()];
    const numbers = list
      .split(',')
      .map((number) => number.trim())
      .filter((number) => /^[+-]?\d{1,3}$/.test(number))
      .map(Number);
    return name !== undefined && numbers.length > 0 ? [`${name}=${numbers.join(',')}`] : [];
  });
}

async function readExcludedDates(db: SqliteDatabase): Promise<Map<number, string[]>> {
  const x = await columnsOf(db, 'ExceptionDate', 'x');
  const byOwner = new Map<number, string[]>();
  if (!x.exists) return byOwner;
  for (const row of await db.query(
    `SELECT ${x.pick('owner', 'owner_id', 'event_id')}, x.date AS date FROM ExceptionDate AS x ORDER BY x.date`,
  )) {
    const date = calendarTime(row.date);
    if (date !== null) byOwner.set(intOf(row.owner) ?? -1, [...(byOwner.get(intOf(row.owner) ?? -1) ?? []), date]);
  }
  return byOwner;
}

async function readAttendees(db: SqliteDatabase): Promise<Map<number, EventRow['attendees']>> {
  const p = await columnsOf(db, 'Participant', 'p');
  const byOwner = new Map<number, EventRow['attendees']>();
  if (!p.exists) return byOwner;
  const identity = await columnsOf(db, 'Identity', 'd');
  const joined = identity.exists && p.has('identity_id');
  const sql = `SELECT ${p.pick('owner', 'owner_id')}, ${p.pick('email', 'email')}, ${p.pick('status', 'status')},
      ${joined ? identity.expr('display_name') : 'NULL'} AS name,
      ${joined ? identity.expr('address') : 'NULL'} AS address
    FROM Participant AS p
    ${joined ? 'LEFT JOIN Identity AS d ON d.ROWID = p.identity_id' : ''}`;
  for (const row of await db.query(sql)) {
    const address = textOf(row.email) ?? textOf(row.address)?.replace(/^mailto:/i, '') ?? null;
    const list = byOwner.get(intOf(row.owner) ?? -1) ?? [];
    byOwner.set(intOf(row.owner) ?? -1, [
      ...list,
      { name: textOf(row.name), address, status: STATUSES[intOf(row.status) ?? 7] ?? null },
    ]);
  }
  return byOwner;
}
