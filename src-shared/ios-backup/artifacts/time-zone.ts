/** A time zone. */
export interface Zone {
  /** The name that `Intl` accepts. */
  name: string;
  /** Minutes east of UTC at an instant. */
  offset: (instant: number) => number;
}

const DAY_MS = 86_400_000,
  MINUTE_MS = 60_000;
/** The longest name of the IANA database has 32 characters. */
const MAX_NAME_BYTES = 64;
/** Limits of the caches. There are about 600 zone names; further ones are invented. */
const MAX_ZONES = 1000,
  MAX_DAYS = 50_000;
/** NSTimeZone's name of a zone that is only an offset: `GMT+0200`. */
const OFFSET_NAME = /^(?:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?$/;

const zones = new Map<string, Zone | null>();

/** Resolves a zone by its IANA name or by NSTimeZone's name of an offset; null if this computer does not know it. */
export function zoneOf(name: string): Zone | null {
  const cached = zones.get(name);
  if (cached !== undefined) return cached;
  if (name === '' || name.length > MAX_NAME_BYTES) return null;
  if (zones.size >= MAX_ZONES) zones.clear();
  const [, sign, hours = '', minutes = '00'] = OFFSET_NAME.exec(name) ?? [];
  const zone = createZone(sign === undefined ? name : `${sign}${hours.padStart(2, '0')}:${minutes}`);
  zones.set(name, zone);
  return zone;
}

function createZone(name: string): Zone | null {
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
  const offsetAt = (instant: number): number => {
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
  // `Intl` takes some microseconds per call, and there are millions of rows: cache the offset of days on which the
  // clocks did not change, and null for the others.
  const byDay = new Map<number, number | null>();
  return {
    name,
    offset(instant) {
      const day = Math.floor(instant / DAY_MS);
      let ofDay = byDay.get(day);
      if (ofDay === undefined) {
        if (byDay.size >= MAX_DAYS) byDay.clear();
        const first = offsetAt(day * DAY_MS);
        ofDay = first === offsetAt((day + 1) * DAY_MS) ? first : null;
        byDay.set(day, ofDay);
      }
      return ofDay ?? offsetAt(instant);
    },
  };
}

/** This computer's own zone, which may change while Hearth runs. */
const LOCAL_ZONE: Pick<Zone, 'offset'> = { offset: (instant) => -new Date(instant).getTimezoneOffset() };

/**
 * Returns the day, `YYYY-MM-DD`, of an instant (milliseconds since 1970) in a zone; in the computer's own if the zone
 * is null or unknown.
 */
export function civilDay(instant: number, zone: string | null): string {
  const { offset } = (zone === null ? null : zoneOf(zone)) ?? LOCAL_ZONE;
  return new Date(instant + offset(instant) * MINUTE_MS).toISOString().slice(0, 10);
}
