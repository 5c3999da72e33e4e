import { useState } from 'react';
import { Select } from '../../../ui/field.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { icsOf } from '../export/ics.ts';
import { eventsPdf } from '../pdf/event-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { useRowSelection } from '../use-row-selection.ts';
import { EventSheet } from './event-sheet.tsx';
import { RowTable } from './row-table.tsx';
import type { EventRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { now } from '../../../client/clock.ts';
import type { PhoneLabels } from '../labels.ts';

/** More events than this can only be saved as a calendar file. */
const MAX_EVENTS = 5000;

const spanOf = (
  { starts_at: start, ends_at: end, is_all_day: isDay }: EventRow,
  { day, time, t }: PhoneLabels,
): string => {
  if (start === null) return t('date_unknown');
  if (isDay) return t('whole_day');
  return `${time(start)}${end !== null && end !== start && day(end) === day(start) ? `–${time(end)}` : ''}`;
};

/** Events of the calendars in the order of time. */
export default function CalendarView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter, calendar: search.calendar } };
  const rows = useRowsOf(source, 'calendars', request);
  const calendars = rows.head?.calendars ?? [];
  const titleOf = (id: string | null): string => calendars.find((each) => each.calendar_identifier === id)?.title ?? '';
  const [shown, setShown] = useState<EventRow | null>(null);
  const selection = useRowSelection<EventRow>((row) => row.event_identifier);
  const events = async (): Promise<readonly EventRow[]> =>
    selection.size > 0 ? selection.items : allRows(source, 'calendars', request);
  const save = async (type: 'ics' | 'csv'): Promise<void> => {
    const all = await events();
    const text =
      type === 'ics'
        ? icsOf(all, new Date(now()).toISOString().slice(0, 19))
        : csvOf(
            ['starts_at', 'ends_at', 'all_day', 'title', 'location', 'notes', 'calendar', 'recurrence'],
            all.map((row) => [
              row.starts_at,
              row.ends_at,
              row.is_all_day,
              row.title,
              row.location,
              row.notes,
              titleOf(row.calendar_identifier),
              row.recurrence,
            ]),
          );
    saveBlob(new Blob([text], { type: type === 'ics' ? 'text/calendar' : 'text/csv' }), `calendar.${type}`);
  };
  return (
    <>
      <Toolbar
        title={t('view.calendar')}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={
          rows.total && (selection.size > 0 || rows.total <= MAX_EVENTS)
            ? async () =>
                eventsPdf(await events(), (event) => titleOf(event.calendar_identifier), source.device, labels)
            : null
        }
        exports={
          rows.total
            ? [
                { name: t('as_ics'), run: () => save('ics') },
                { name: t('as_csv'), run: () => save('csv') },
              ]
            : []
        }
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        {calendars.length > 1 && (
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
        )}
      </Toolbar>
      <RowTable
        rows={rows}
        selection={selection}
        label={t('view.calendar')}
        idOf={(row) => row.event_identifier}
        onOpen={setShown}
        labels={labels}
        nothing={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.calendar') }),
          text: t('none_text'),
        }}
        columns={[
          {
            name: t('date'),
            width: '130px',
            cell: (row) =>
              row.is_all_day && row.starts_at ? formats.date(row.starts_at.slice(0, 10)) : labels.day(row.starts_at),
            title: (row) => labels.exact(row.starts_at),
          },
          { name: t('time'), width: '110px', cell: (row) => spanOf(row, labels) },
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
            cell: (row) =>
              [titleOf(row.calendar_identifier), row.recurrence && t('recurring')].filter(Boolean).join(' · '),
          },
        ]}
      />
      {shown && (
        <EventSheet
          event={shown}
          calendar={titleOf(shown.calendar_identifier)}
          labels={labels}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
