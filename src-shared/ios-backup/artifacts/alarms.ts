import type { EventRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { columnsOf } from './source.ts';
import { appleTime, flagOf, intOf, numberOf } from './column-values.ts';

type Alarm = EventRow['alarms'][number];
/** The fields of an event that its alarms depend on. `travel`: travel time in seconds. */
interface AlarmOwner {
  id: number;
  calendar: number;
  isAllDay: boolean;
  travel: number | null;
}

/** iCloud writes `ACTION:NONE` as an alarm at this time. */
const NO_ALARM_AT = '1976-04-01T00:55:45';
/** Five years. An alarm at an absolute time has the interval 0x7fffffff. */
const MAX_INTERVAL_SECONDS = 5 * 366 * 86_400;
/** Users set at most two alarms; the limit guards against a hostile database. */
const MAX_ALARMS = 20;

/**
 * Reads all alarms and returns a lookup of the alarms of an event, as the phone rings them: intervals count from the
 * time to leave, and a default alarm takes its interval from the account. Alarms at a place, disabled alarms and
 * snoozed alarms are left out. Source: `CalendarDatabase` of iOS 18 (`_CalAlarmCacheProcessAddedEvent`), schemas of
 * iOS 8 to 26.
 */
export async function readAlarms(db: SqliteDatabase): Promise<(owner: AlarmOwner) => Alarm[]> {
  const a = await columnsOf(db, 'Alarm', 'a');
  if (!a.exists) return () => [];
  const defaults = await readDefaultAlarms(db);
  const byOwner = new Map<number, SqliteRow[]>();
  const sql = `SELECT ${a.pick('owner', 'calendaritem_owner_id', 'owner_id')}, ${a.pick('date', 'trigger_date')},
      ${a.pick('interval', 'trigger_interval')}, ${a.pick('standard', 'default_alarm', 'is_default_alarm')},
      ${a.pick('off', 'disabled')}, ${a.pick('proximity', 'proximity')}, ${a.pick('putOff', 'orig_alarm_id')}
    FROM Alarm AS a`;
  for (const row of await db.query(sql)) {
    const owner = intOf(row.owner) ?? -1;
    if (owner <= 0 || flagOf(row.off) || (intOf(row.proximity) ?? 0) > 0 || (intOf(row.putOff) ?? 0) > 0) continue;
    const list = byOwner.get(owner);
    if (!list) byOwner.set(owner, [row]);
    else if (list.length < MAX_ALARMS) list.push(row);
  }
  return (owner) => {
    const alarms = (byOwner.get(owner.id) ?? []).flatMap((row) => alarmOf(row, owner, defaults) ?? []);
    const byWhen = new Map(alarms.map((alarm) => [alarm.at ?? alarm.seconds, alarm]));
    return [...byWhen.values()].sort(
      (one, other) =>
        (one.seconds ?? Infinity) - (other.seconds ?? Infinity) || (one.at ?? '').localeCompare(other.at ?? ''),
    );
  };
}

function alarmOf(row: SqliteRow, { calendar, isAllDay, travel }: AlarmOwner, defaults: Defaults): Alarm | null {
  // Some releases write the smallest positive number instead of NULL.
  const at = Math.abs(numberOf(row.date) ?? 0) < 1 ? null : appleTime(row.date);
  if (at !== null) return at === NO_ALARM_AT ? null : { seconds: null, at };
  const own = numberOf(row.interval) === null ? null : intOf(row.interval);
  const interval = flagOf(row.standard) ? defaults.of(calendar, isAllDay, own) : own;
  if (interval === null || Math.abs(interval) > MAX_INTERVAL_SECONDS) return null;
  return { seconds: interval - Math.max(0, isAllDay ? 0 : (travel ?? 0)), at: null };
}

interface Defaults {
  of(calendar: number, isAllDay: boolean, own: number | null): number | null;
}

/**
 * Reads the default alarms of accounts by calendar. Older databases have one default per account, whose interval is in
 * the alarm's own row.
 */
async function readDefaultAlarms(db: SqliteDatabase): Promise<Defaults> {
  const c = await columnsOf(db, 'Calendar', 'c'),
    s = await columnsOf(db, 'Store', 's');
  if (!c.has('store_id') || !s.has('default_all_day_alarm_offset')) return { of: (_calendar, _isAllDay, own) => own };
  const rows = await db.query(
    `SELECT c.ROWID AS id, ${s.pick('timed', 'default_alarm_offset')},
        ${s.pick('days', 'default_all_day_alarm_offset')}
      FROM Calendar AS c
      JOIN Store AS s ON s.ROWID = c.store_id`,
  );
  const byCalendar = new Map(rows.map((row) => [intOf(row.id) ?? -1, row]));
  return {
    of: (calendar, isAllDay) => {
      const row = byCalendar.get(calendar);
      return row ? intOf(isAllDay ? row.days : row.timed) : null;
    },
  };
}
