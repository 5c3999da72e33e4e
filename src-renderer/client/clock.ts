/** Today's civil date in the local time zone, `YYYY-MM-DD`. The renderer reads the clock only in this module. */
export const today = (): string => civilOf(new Date());

/** The civil date of a UTC timestamp in the local time zone, `YYYY-MM-DD`. */
export const localDay = (timestamp: string): string => civilOf(new Date(fromTimestamp(timestamp)));

/** The instant of an API timestamp, which is UTC without a zone, in milliseconds since the epoch. */
export const fromTimestamp = (timestamp: string): number => Date.parse(`${timestamp}Z`);

function civilOf(date: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Milliseconds since the epoch, for comparisons with timestamps. */
export const now = (): number => Date.now();

/** The age in full years on a day; both dates are `YYYY-MM-DD`. */
export function ageOn(birth: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);
}
