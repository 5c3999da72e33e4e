/** Clocks of one zone. */
export interface Zone {
  /** As `Intl` takes it. */ name: string;
  /** Minutes east of UTC at an instant. */ offset: (instant: number) => number;
}

const DAY_MS = 86_400_000,
  MINUTE_MS = 60_000;
/** The longest name of the IANA database has 32 characters. */
const MAX_NAME_BYTES = 64;
/** There are about 600 names; more than this is somebody's invention. */
const MOST_KEPT = 1000,
  MOST_DAYS = 50_000;
/** NSTimeZone calls a zone without a place so: `GMT+0200`. */
const WITHOUT_PLACE = /^(?:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?$/;

const kept = new Map<string, Zone | null>();

/** Resolves a zone by its IANA name or by NSTimeZone's name of an offset; null if this computer does not know it. */
export function zoneOf(name: string): Zone | null {
  const known = kept.get(name);
  if (known !== undefined) return known;
  if (name === '' || name.length > MAX_NAME_BYTES) return null;
  if (kept.size >= MOST_KEPT) kept.clear();
  const [, sign, hours = '', minutes = '00'] = WITHOUT_PLACE.exec(name) ?? [];
  const made = clocksOf(sign === undefined ? name : `${sign}${hours.padStart(2, '0')}:${minutes}`);
  kept.set(name, made);
  return made;
}

function clocksOf(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const told = (instant: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const local = Date.UTC(
      parts.year ?? 1970,
      (parts.month ?? 1) - 1,
      parts.day,
      parts.hour,
      parts.minute,
      parts.second,
    );
    return Math.round((local - Math.floor(instant / 1000) * 1000) / MINUTE_MS);
  };
  // `Intl` takes some microseconds per call, and there are millions of rows: cache days on which no clock changed.
  const byDay = new Map<number, number | null>();
  return {
    name,
    offset(instant) {
      const day = Math.floor(instant / DAY_MS);
      let whole = byDay.get(day);
      if (whole === undefined) {
        if (byDay.size >= MOST_DAYS) byDay.clear();
        const first = told(day * DAY_MS);
        whole = first === told((day + 1) * DAY_MS) ? first : null;
        byDay.set(day, whole);
      }
      return whole ?? told(instant);
    },
  };
}

/** The clocks of this computer, which may change while it runs. */
const OWN: Pick<Zone, 'offset'> = { offset: (instant) => -new Date(instant).getTimezoneOffset() };

/**
 * Returns the day, `YYYY-MM-DD`, of an instant (milliseconds since 1970) in a zone; in the computer's own if the zone
 * is null or unknown.
 */
export function civilDay(instant: number, zone: string | null): string {
  const { offset } = (zone === null ? null : zoneOf(zone)) ?? OWN;
  return new Date(instant + offset(instant) * MINUTE_MS).toISOString().slice(0, 10);
}
