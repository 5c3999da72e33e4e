import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMayEdit, usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { TimelineReply } from '../../../src-shared/contract/timeline.ts';
import { requestedRange, zoomSpan, type Span } from './axis.ts';
import { Chart, KEY_ZOOM, type SelectedCell } from './chart.tsx';
import { EventDialog } from './event-dialog.tsx';
import { useTimeline } from './queries.ts';
import { CellSheet } from './cell-sheet.tsx';
import { EventSheet } from './event-sheet.tsx';
import { HouseholdTimeline } from './household.tsx';
import { TimelineHead } from './head.tsx';
import { useTimelineSearch, type Search } from './use-search.ts';
import { Table } from './table.tsx';
import { useSpan, type ChangeSpan } from './use-span.ts';
import './timeline.css';
import './narrow.css';
import './print.css';

/** Number of table rows, without the axis and below it. */
const TABLE_LINES = 200;
const LINES_BELOW_AXIS = 12;

/** The timeline of a patient, or one lane for each person. */
export default function TimelinePage() {
  const patients = usePatients();
  const patientId = useSearch({ from: '/frame/timeline' }).patient;
  const patient = patientId ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  return patient === undefined ? <HouseholdTimeline /> : <PatientTimeline key={patient} patient={patient} />;
}

/** The whole timeline, which provides the extent, and the part around the visible span. */
function useTimelineData(patient: string, search: Search) {
  const whole = useTimeline(patient, null, search.specialty);
  const [span, changeSpan] = useSpan(search, whole.data?.extent ?? null);
  const part = useTimeline(patient, span && requestedRange(span), search.specialty);
  return {
    whole: whole.data,
    reply: part.data ?? whole.data,
    failure: part.error ?? whole.error,
    isUpdating: part.isPlaceholderData,
    retry: () => {
      void whole.refetch();
      void part.refetch();
    },
    span,
    changeSpan,
  };
}

function PatientTimeline({ patient }: { patient: string }) {
  const mayEdit = useMayEdit();
  const { search, set } = useTimelineSearch();
  const { whole, reply, failure, isUpdating, retry, span, changeSpan } = useTimelineData(patient, search);
  const [cell, setCell] = useState<SelectedCell | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  const event = search.event ? Number(search.event) : null;
  const showEvent = (id: number | null): void => {
    setCell(null);
    set({ event: id === null ? undefined : String(id) });
  };
  const showCell = (next: SelectedCell): void => {
    set({ event: undefined });
    setCell(next);
  };
  const createEvent = mayEdit ? () => setIsCreating(true) : null;
  useTimelineKeys(changeSpan, createEvent);
  return (
    <div className="page timeline" aria-busy={isUpdating}>
      <TimelineHead
        search={search}
        specialties={whole?.specialties ?? []}
        hasSpan={span !== null}
        isBare={whole !== undefined && !whole.extent && search.specialty === undefined}
        onSearch={set}
        onSpan={changeSpan}
        onCreate={createEvent}
      />
      <TimelineState whole={whole} failure={failure} onRetry={retry} onCreate={createEvent} />
      {reply && span && (
        <TimelineViews
          reply={reply}
          span={span}
          view={search.view}
          event={event}
          cell={cell}
          onSpan={changeSpan}
          onEvent={showEvent}
          onCell={showCell}
        />
      )}
      {reply && reply.undated_events.length > 0 && <UndatedEvents events={reply.undated_events} onEvent={showEvent} />}
      {event !== null && <EventSheet key={event} id={event} mayEdit={mayEdit} onClose={() => showEvent(null)} />}
      {cell && span && (
        <CellSheet
          key={`${cell.kind} ${cell.cell.key}`}
          selected={cell}
          patient={patient}
          specialty={search.specialty}
          onClose={() => setCell(null)}
          onSpan={changeSpan}
        />
      )}
      {isCreating && (
        <EventDialog patient={Number(patient)} event={null} onClose={() => setIsCreating(false)} onSaved={showEvent} />
      )}
    </div>
  );
}

/** `n` creates an event; `+`, `-` and `0` zoom. */
function useTimelineKeys(changeSpan: ChangeSpan, createEvent: (() => void) | null): void {
  useShortcuts({
    n: () => createEvent?.(),
    '+': () => changeSpan((span) => zoomSpan(span, KEY_ZOOM, 0.5)),
    '-': () => changeSpan((span) => zoomSpan(span, 1 / KEY_ZOOM, 0.5)),
    0: () => changeSpan(() => null),
  });
}

/** An error, the loading state, or the empty timeline. */
function TimelineState({
  whole,
  failure,
  onRetry,
  onCreate,
}: {
  whole: TimelineReply | undefined;
  failure: Error | null;
  onRetry: () => void;
  onCreate: (() => void) | null;
}) {
  const { t } = useTranslation(['timeline', 'app']);
  const vocabulary = useVocabulary();
  return (
    <>
      {failure && (
        <ErrorState message={vocabulary.error(failure)} retryLabel={t('app:action.retry')} onRetry={onRetry} />
      )}
      {!whole && !failure && (
        <div className="panel">
          <SkeletonLines count={6} label={t('loading')} />
        </div>
      )}
      {whole && !whole.extent && (
        <EmptyState
          title={t('empty')}
          actions={onCreate ? <Button onClick={onCreate}>{t('new_event')}</Button> : undefined}
        >
          {t('empty_text')}
        </EmptyState>
      )}
    </>
  );
}

/** The axis, unless only the table is wanted, and the table. */
function TimelineViews({
  reply,
  span,
  view,
  event,
  cell,
  onSpan,
  onEvent,
  onCell,
}: {
  reply: TimelineReply;
  span: Span;
  view: string | undefined;
  event: number | null;
  cell: SelectedCell | null;
  onSpan: ChangeSpan;
  onEvent: (id: number) => void;
  onCell: (cell: SelectedCell) => void;
}) {
  const { t } = useTranslation('timeline');
  return (
    <>
      {view !== 'table' && (
        <section className="panel tl-panel">
          <Chart
            reply={reply}
            span={span}
            event={event}
            selectedCell={cell}
            onSpan={onSpan}
            onEvent={({ id }) => onEvent(id)}
            onCell={onCell}
          />
        </section>
      )}
      <Table
        key={view ?? 'axis'}
        reply={reply}
        span={span}
        initialCount={view === 'table' ? TABLE_LINES : LINES_BELOW_AXIS}
        onEvent={onEvent}
      />
      {reply.totals.undated_documents > 0 && (
        <p className="cap tl-foot">{t('not_shown', { count: reply.totals.undated_documents })}</p>
      )}
    </>
  );
}

function UndatedEvents({
  events,
  onEvent,
}: {
  events: TimelineReply['undated_events'];
  onEvent: (id: number) => void;
}) {
  const { t } = useTranslation('timeline');
  return (
    <p className="cap tl-foot">
      {t('undated_events')}{' '}
      {events.map(({ id, title }) => (
        <button key={id} type="button" className="tl-link" onClick={() => onEvent(id)}>
          {title}
        </button>
      ))}
    </p>
  );
}
