/** Scheduled backups to keep: the last one of each of this many days, weeks and months. */
export interface Retention {
  keep_daily: number;
  keep_weekly: number;
  keep_monthly: number;
}

/** A backup with the civil date of its creation in local time. */
export interface Dated {
  id: number;
  date: string;
}

const DAY_MS = 86_400_000;

/** `2026-11-21` → the Monday of its week: the same text for the whole week (ISO 8601). */
export function weekOf(date: string): string {
  const day = Date.parse(`${date}T00:00:00Z`);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Ids of the backups to remove. `newestFirst` contains successful scheduled backups. The last one of each day, week and
 * month is kept. Days without a backup are not counted, so a machine that was off for a month loses none.
 */
export function expired(newestFirst: readonly Dated[], { keep_daily, keep_weekly, keep_monthly }: Retention): number[] {
  const retained = new Set<number>();
  const retain = (maxPeriods: number, periodOf: (date: string) => string): void => {
    const lastOf = new Map<string, number>();
    for (const { id, date } of newestFirst) if (!lastOf.has(periodOf(date))) lastOf.set(periodOf(date), id);
    for (const id of [...lastOf.values()].slice(0, maxPeriods)) retained.add(id);
  };
  retain(keep_daily, (date) => date);
  retain(keep_weekly, weekOf);
  retain(keep_monthly, (date) => date.slice(0, 7));
  // The newest backup is always kept.
  if (newestFirst[0]) retained.add(newestFirst[0].id);
  return newestFirst.filter(({ id }) => !retained.has(id)).map(({ id }) => id);
}
