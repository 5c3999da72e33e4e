import type { EventRow } from '../../../../src-shared/contract/phone-artifacts.ts';
import type { Block } from '../../../workers/paper/blocks.ts';
import { writtenPaper, type PaperDevice, type PaperWords, type WrittenPaper } from './paper-head.ts';

/** Entries of a calendar as a paper: each with its time, place, notes and who took part. */
export function eventsPaper(events: readonly EventRow[], calendarOf: (event: EventRow) => string, device: PaperDevice, words: PaperWords): WrittenPaper {
  const { t, formats } = words, [only] = events;
  const titleOf = (event: EventRow): string => event.title ?? t('untitled');
  const title = only && events.length === 1 ? titleOf(only) : t('view.calendar');
  const blocks = events.flatMap((event): Block[] => {
    const rows: [string, string | null][] = [
      [t('time'), whenOf(event, words)], [t('place'), event.location], [t('calendar'), calendarOf(event)], [t('paper.repeats'), event.recurrence], [t('paper.zone'), event.recurrence === null ? null : event.timezone],
      [t('paper.people'), event.attendees.map(({ name, address }) => [name, address].filter(Boolean).join(' · ')).join('\n')], [t('labelled.url'), event.url], [t('note'), event.notes],
    ];
    return [...(events.length > 1 ? [{ kind: 'heading' as const, text: titleOf(event) }] : []), { kind: 'facts', rows: rows.flatMap(([name, value]) => (value ? [[name, value] as const] : [])) }];
  });
  const at = events.map(({ starts_at: start }) => start).filter((start) => start !== null).sort().at(-1) ?? null;
  return writtenPaper({ title, lines: events.length > 1 ? [t('paper.rows', { count: events.length, number: formats.count(events.length) })] : [], at, what: t('paper.origin_event', { title }), blocks }, device, words);
}

function whenOf({ starts_at: start, ends_at: end, is_all_day: isDay }: EventRow, { t, day, time, formats }: PaperWords): string {
  if (start === null) return t('date_unknown');
  // Days are civil days, whatever the zone of the reader.
  if (isDay) return `${formats.date(start.slice(0, 10))}${end !== null && end.slice(0, 10) > start.slice(0, 10) ? ` – ${formats.date(end.slice(0, 10))}` : ''} · ${t('whole_day')}`;
  if (end === null || end === start) return `${day(start)} ${time(start)}`;
  return day(start) === day(end) ? `${day(start)} ${time(start)} – ${time(end)}` : `${day(start)} ${time(start)} – ${day(end)} ${time(end)}`;
}
