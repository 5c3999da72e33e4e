/** The renderer's only look at the clock: today's civil date in the reader's time zone, `YYYY-MM-DD`. */
export function today(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Milliseconds since the epoch, for what must be compared with a moment. */
export const now = (): number => Date.now();

/** Full years between a birth date and a day, both `YYYY-MM-DD`. */
export function ageOn(birth: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);
}
