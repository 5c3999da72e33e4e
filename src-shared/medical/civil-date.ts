/** Returns the civil date YYYY-MM-DD; null if the day does not exist. Month and day are 1-based. */
export function civilDate(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Whether a text is the date of a day that exists: not `2021-02-31`, which `Date` takes for one in March. */
export function isCivilDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return civilDate(Number(year ?? 0), Number(month ?? 0), Number(day ?? 0)) !== null;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Returns the number of days from one civil date to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** Expands a two-digit year to this century if it is at most ten years after `today`, otherwise to the previous one. */
export function fullYear(twoDigits: number, today: string): number {
  const century = Math.floor(Number(today.slice(0, 4)) / 100) * 100;
  const year = century + twoDigits;
  return year > Number(today.slice(0, 4)) + 10 ? year - 100 : year;
}

/** Converts a day number to a civil date: the inverse of `dayNumber`, after Howard Hinnant's civil_from_days. */
export function civilFromDay(day: number): string {
  const era = Math.floor(day / 146097);
  const dayOfEra = day - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return (
    civilDate(
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
      month,
      dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
    ) ?? '0000-01-01'
  );
}

/**
 * Days since 1 March of the year 0 (proleptic Gregorian), after Howard Hinnant's days_from_civil. That day was a
 * Wednesday.
 */
export function dayNumber(date: string): number {
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + Number(date.slice(8, 10)) - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
}
