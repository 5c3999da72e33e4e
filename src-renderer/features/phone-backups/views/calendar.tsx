import { useState } from 'react';
import type { CalendarRow, EventRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { now } from '../../../client/clock.ts';
import { Select } from '../../../ui/field.tsx';
import { saveBlob } from '../export/download.ts';
import { icsOf } from '../export/ics.ts';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { eventsPdf } from '../pdf/event-pdf.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useRowSelection } from '../use-row-selection.ts';
import { useSearchState } from '../use-search-state.ts';
import { EventSheet } from './event-sheet.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** More events than this can only be saved as a calendar file. */
const MAX_EVENTS = 5000;

type TitleOf = (event: EventRow) => string;

/** Events of the calendars by time. */
export default function CalendarView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter, calendar: search.calendar } };
  const rows = useRowsOf(source, 'calendars', request);
  const { total } = rows;
  const calendars = rows.head?.calendars ?? [];
  const calendarOf: TitleOf = ({ calendar_identifier: id }) =>
    calendars.find((each) => each.calendar_identifier === id)?.title ?? '';
  const [openEvent, setOpenEvent] = useState<EventRow | null>(null);
  const selection = useRowSelection<EventRow>((row) => row.event_identifier);
  const loadEvents = async (): Promise<readonly EventRow[]> =>
    selection.size > 0 ? selection.items : allRows(source, 'calendars', request);
  const makePdf = async (): Promise<PdfExport> => eventsPdf(await loadEvents(), calendarOf, source.device, labels);
  const exports = [
    { name: t('as_ics'), run: async () => saveIcs(await loadEvents()) },
    { name: t('as_csv'), run: async () => saveEventsCsv(await loadEvents(), calendarOf) },
  ];
  return (
    <>
      <Toolbar
        title={t('view.calendar')}
        count={total}
        source={source}
        labels={labels}
        pdf={total && (selection.size > 0 || total <= MAX_EVENTS) ? makePdf : null}
        exports={total ? exports : []}
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        {calendars.length > 1 && <CalendarSelect calendars={calendars} labels={labels} />}
      </Toolbar>
      <RowTable
        rows={rows}
        selection={selection}
        label={t('view.calendar')}
        idOf={(row) => row.event_identifier}
        onOpen={setOpenEvent}
        labels={labels}
        empty={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.calendar') }),
          text: t('none_text'),
        }}
        columns={eventColumns(calendarOf, labels)}
      />
      {openEvent && (
        <EventSheet
          event={openEvent}
          calendar={calendarOf(openEvent)}
          labels={labels}
          onClose={() => setOpenEvent(null)}
        />
      )}
    </>
  );
}

function saveIcs(events: readonly EventRow[]): void {
  const madeAt = new Date(now()).toISOString().slice(0, 19);
  saveBlob(new Blob([icsOf(events, madeAt)], { type: 'text/calendar' }), 'calendar.ics');
}

function saveEventsCsv(events: readonly EventRow[], calendarOf: TitleOf): void {
  saveCsv(
    'calendar.csv',
    ['starts_at', 'ends_at', 'all_day', 'title', 'location', 'notes', 'calendar', 'recurrence'],
    events.map((row) => [
      row.starts_at,
      row.ends_at,
      row.is_all_day,
      row.title,
      row.location,
      row.notes,
      calendarOf(row),
      row.recurrence,
    ]),
  );
}

function CalendarSelect({ calendars, labels: { t } }: { calendars: readonly CalendarRow[]; labels: PhoneLabels }) {
  const { search, set } = useSearchState();
  return (
    <Select
      className="phone-album"
      aria-label={t('calendar')}
      value={search.calendar ?? ''}
      onChange={(event) => set({ calendar: event.target.value || undefined })}
      options={[
        { value: '', label: t('all_calendars') },
        ...calendars.map(({ calendar_identifier: id, title }) => ({ value: id, label: title ?? id })),
      ]}
    />
  );
}

function timeText(
  { starts_at: start, ends_at: end, is_all_day: isDay }: EventRow,
  { day, time, t }: PhoneLabels,
): string {
  if (start === null) return t('date_unknown');
  if (isDay) return t('whole_day');
  return `${time(start)}${end !== null && end !== start && day(end) === day(start) ? `–${time(end)}` : ''}`;
}

function eventColumns(calendarOf: TitleOf, labels: PhoneLabels): Column<EventRow>[] {
  const { t, formats } = labels;
  return [
    {
      name: t('date'),
      width: '130px',
      cell: (row) =>
        row.is_all_day && row.starts_at ? formats.date(row.starts_at.slice(0, 10)) : labels.day(row.starts_at),
      title: (row) => labels.exact(row.starts_at),
    },
    { name: t('time'), width: '110px', cell: (row) => timeText(row, labels) },
    {
      name: t('event_title'),
      width: 'minmax(0, 2fr)',
      cell: (row) => row.title ?? t('untitled'),
      title: (row) => row.notes ?? undefined,
    },
    { name: t('place'), width: 'minmax(0, 1.2fr)', cell: (row) => row.location },
    {
      name: t('calendar'),
      width: 'minmax(0, 1fr)',
      cell: (row) => [calendarOf(row), row.recurrence && t('recurring')].filter(Boolean).join(' · '),
    },
  ];
}
