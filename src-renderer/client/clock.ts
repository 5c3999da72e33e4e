/** Today's civil date in the local time zone, `YYYY-MM-DD`. The renderer reads the clock only in this module. */
export function today(): string {
  const date = new Date();
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Milliseconds since the epoch, for comparisons with timestamps. */
export const now = (): number => Date.now();

/** The age in full years on a day; both dates are `YYYY-MM-DD`. */
export function ageOn(birth: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);
}
