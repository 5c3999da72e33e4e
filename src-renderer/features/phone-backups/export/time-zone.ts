import type { Zone } from '../../../../src-shared/ios-backup/artifacts/time-zone.ts';

/** Most programs know the rules of a zone; for the others, the changes of this many years are written. */
const YEARS_AFTER = 15;
const MAX_YEAR = 2037;
const HOUR = 3_600_000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(minutes) / 60))}${twoDigits(Math.abs(minutes) % 60)}`;
/** `20230306T090000`: the local time of an instant in a zone. */
export const localStamp = (instant: number, zone: Zone): string =>
  new Date(instant + zone.offset(instant) * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '');

/** VTIMEZONE with every change of the clocks from the year before `firstYear` on (RFC 5545 3.6.5). */
export function timeZoneLines(zone: Zone, firstYear: number, lastYear: number): string[] {
  const start = Date.UTC(firstYear - 1, 0, 1),
    end = Date.UTC(Math.max(Math.min(MAX_YEAR, firstYear + YEARS_AFTER), lastYear + 1), 0, 1);
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone.name}`];
  let before = zone.offset(start);
  lines.push(...observance('STANDARD', start, before, before));
  for (let at = start; at < end; at += 24 * HOUR) {
    const after = zone.offset(at + 24 * HOUR);
    if (after === before) continue;
    lines.push(
      ...observance(after > before ? 'DAYLIGHT' : 'STANDARD', changeBetween(zone, at, at + 24 * HOUR), before, after),
    );
    before = after;
  }
  return [...lines, 'END:VTIMEZONE'];
}

/** The instant of a change, to the minute. */
function changeBetween(zone: Zone, from: number, to: number): number {
  const before = zone.offset(from);
  let low = from,
    high = to;
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 2 / 60_000) * 60_000;
    if (middle <= low) break;
    if (zone.offset(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** DTSTART uses the offset before the transition (RFC 5545, 3.6.5). */
function observance(kind: 'STANDARD' | 'DAYLIGHT', instant: number, before: number, after: number): string[] {
  const begins = new Date(instant + before * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '');
  return [
    `BEGIN:${kind}`,
    `DTSTART:${begins}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${kind}`,
  ];
}
