import type { EventRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { Block } from '../worker/pdf-export/blocks.ts';
import { civilDay } from '../../../../src-shared/ios-backup/artifacts/time-zone.ts';
import { eventFacts } from '../event-facts.ts';
import { createPdfExport, type PdfDevice, type PdfLabels, type PdfExport } from './pdf-head.ts';

/** Calendar events as a PDF: time, place, reminders, notes and attendees of each. */
export function eventsPdf(
  events: readonly EventRow[],
  calendarOf: (event: EventRow) => string,
  device: PdfDevice,
  labels: PdfLabels,
): PdfExport {
  const { t, formats } = labels,
    [only] = events;
  const titleOf = (event: EventRow): string => event.title ?? t('untitled');
  const title = only && events.length === 1 ? titleOf(only) : t('view.calendar');
  const blocks = events.flatMap((event): Block[] => {
    return [
      ...(events.length > 1 ? [{ kind: 'heading' as const, text: titleOf(event) }] : []),
      { kind: 'facts', rows: eventFacts(event, calendarOf(event), labels) },
    ];
  });
  const last = events
    .filter(({ starts_at: start }) => start !== null)
    .toSorted((a, b) => (a.starts_at ?? '').localeCompare(b.starts_at ?? ''))
    .at(-1);
  return createPdfExport(
    {
      title,
      lines:
        events.length > 1 ? [t('pdf_export.rows', { count: events.length, number: formats.count(events.length) })] : [],
      at: last?.starts_at ?? null,
      day: last ? dayOf(last) : null,
      what: t('pdf_export.origin_event', { title }),
      blocks,
    },
    device,
    labels,
  );
}

/** An all-day event has the same day everywhere; other events have the day of their own zone. */
function dayOf({ starts_at: start, is_all_day: isDay, timezone }: EventRow): string | null {
  if (start === null) return null;
  return isDay ? start.slice(0, 10) : civilDay(Date.parse(`${start}Z`), timezone);
}
