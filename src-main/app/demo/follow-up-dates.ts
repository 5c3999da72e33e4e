import { fromTimestamp, toCivilDate } from '../../platform/kernel/clock.ts';

const DAY_MS = 86_400_000;
/** A follow-up that is overdue for longer looks forgotten rather than overdue. */
const MAX_OVERDUE_DAYS = 60;

/** The days from one civil date to another. */
const daysBetween = (from: string, to: string): number =>
  Math.round((fromTimestamp(`${to}T12:00:00`) - fromTimestamp(`${from}T12:00:00`)) / DAY_MS);

/**
 * To which date the sample household moved a follow-up, so that it is as far away today as it was on the last day of
 * its papers; null if it keeps the date that is printed. An appointment that is still ahead stays, and so does one that
 * has been overdue for a short time.
 */
export function movedFollowUp(printed: string, lastDay: string, today: string): string | null {
  const distance = daysBetween(lastDay, printed);
  const ahead = daysBetween(today, printed);
  if (distance > 0 ? ahead > 0 : ahead >= -MAX_OVERDUE_DAYS) return null;
  return toCivilDate(fromTimestamp(`${today}T12:00:00`) + distance * DAY_MS);
}
