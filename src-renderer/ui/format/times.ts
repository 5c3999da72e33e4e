/** Matches "3:30", "03.30", "3 h 30", "3:30 Uhr", "0330", "3" and, with half a day, "3:30 pm" and "3 p.m.". */
const TYPED = /^(\d{1,2})(?:\s*[:.h]?\s*(\d{2}))?\s*(?:h|uhr)?\s*(?:([ap])\.?\s?m\.?)?$/iu;

/**
 * Parses a time of day as users type it, with 12 or 24 hours.
 * @returns the time `HH:MM` of 24 hours, or null if the text is not a time
 */
export function parseTime(text: string): string | null {
  const [, hours = '', minutes = '0', half] = TYPED.exec(text.trim()) ?? [];
  const hour = Number(hours);
  if (hours === '' || Number(minutes) > 59) return null;
  if (half === undefined) return hour > 23 ? null : timeOf(hour, Number(minutes));
  if (hour < 1 || hour > 12) return null;
  return timeOf((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0), Number(minutes));
}

const timeOf = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** Writes a time `HH:MM` as the locale does: "03:30" or "03:30 AM"; '' for none. */
export function formatTimeForInput(time: string, locale: string): string {
  if (time === '') return '';
  const format = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
  return format.format(Date.UTC(2000, 0, 1, Number(time.slice(0, 2)), Number(time.slice(3, 5))));
}
