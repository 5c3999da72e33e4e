import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMayEdit, usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { requestedRange, zoomed } from './axis.ts';
import { Chart, type Chosen } from './chart.tsx';
import { EventDialog } from './event-dialog.tsx';
import { useTimeline } from './queries.ts';
import { CellSheet } from './cell-sheet.tsx';
import { EventSheet } from './event-sheet.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useSpan } from './use-span.ts';
import './timeline.css';

/** Lines of the table alone, and under the axis. */
const TABLE_LINES = 200;
const LINES_BELOW = 12;

/** A life on one axis. */
export default function TimelinePage() {
  const { t } = useTranslation('timeline');
  const patients = usePatients();
  const navigate = useNavigate();
  const patientId = useSearch({ from: '/frame/timeline' }).patient;
  const patient = patientId ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  if (patient !== undefined) return <OneLife key={patient} patient={patient} />;
  return (
    <div className="page timeline">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      <EmptyState
        title={t('whose')}
        actions={
          <span className="row tl-people">
            {patients.map(({ id, display_name }) => (
              <Button key={id} onClick={() => void navigate({ to: '/timeline', search: { patient: String(id) } })}>
                {display_name}
              </Button>
            ))}
          </span>
        }
      >
        {t('whose_text')}
      </EmptyState>
    </div>
  );
}

function OneLife({ patient }: { patient: string }) {
  const { t } = useTranslation(['timeline', 'app']);
  const vocabulary = useVocabulary();
  const mayEdit = useMayEdit();
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/timeline' });
  const whole = useTimeline(patient, null, search.specialty);
  const extent = whole.data?.extent ?? null;
  const [span, change] = useSpan(search, extent);
  const { data, error, refetch, isPlaceholderData } = useTimeline(
    patient,
    span && requestedRange(span),
    search.specialty,
  );
  const [cell, setCell] = useState<Chosen | null>(null);
  const [making, setMaking] = useState(false);
  const event = search.event ? Number(search.event) : null;
  const set = (part: Partial<typeof search>): void =>
    void navigate({ to: '/timeline', search: (before) => ({ ...before, ...part }), replace: true });
  const show = (id: number | null): void => {
    setCell(null);
    set({ event: id === null ? undefined : String(id) });
  };
  useShortcuts({
    n: () => {
      if (mayEdit) setMaking(true);
    },
    '+': () => change((now) => zoomed(now, 1.5, 0.5)),
    '-': () => change((now) => zoomed(now, 1 / 1.5, 0.5)),
    0: () => change(() => null),
  });
  const reply = data ?? whole.data;
  const failure = error ?? whole.error;
  return (
    <div className="page timeline" aria-busy={isPlaceholderData}>
      <div className="page-head">
        <h1>{t('title')}</h1>
        <Toolbar
          view={search.view === 'table' ? 'table' : 'axis'}
          specialties={whole.data?.specialties ?? []}
          specialty={search.specialty}
          mayEdit={mayEdit}
          disabled={!span}
          onView={(view) => set({ view: view === 'table' ? view : undefined })}
          onSpecialty={(specialty) => set({ specialty })}
          onNew={() => setMaking(true)}
          onZoom={(factor) => change((now) => zoomed(now, factor, 0.5))}
          onAll={() => change(() => null)}
        />
      </div>
      {failure && (
        <ErrorState
          message={vocabulary.error(failure)}
          retryLabel={t('app:action.retry')}
          onRetry={() => {
            void whole.refetch();
            void refetch();
          }}
        />
      )}
      {!whole.data && !failure && (
        <div className="panel">
          <SkeletonLines count={6} label={t('loading')} />
        </div>
      )}
      {whole.data && !extent && (
        <EmptyState
          title={t('empty')}
          actions={mayEdit ? <Button onClick={() => setMaking(true)}>{t('new_event')}</Button> : undefined}
        >
          {t('empty_text')}
        </EmptyState>
      )}
      {reply && span && (
        <>
          {search.view !== 'table' && (
            <section className="panel tl-panel">
              <Chart
                reply={reply}
                span={span}
                event={event}
                selectedId={cell}
                onSpan={change}
                onEvent={({ id }) => show(id)}
                onCell={(next) => {
                  set({ event: undefined });
                  setCell(next);
                }}
              />
            </section>
          )}
          <Table
            key={search.view ?? 'axis'}
            reply={reply}
            span={span}
            first={search.view === 'table' ? TABLE_LINES : LINES_BELOW}
            onEvent={show}
          />
          {reply.totals.undated_documents > 0 && (
            <p className="cap tl-foot">{t('not_shown', { count: reply.totals.undated_documents })}</p>
          )}
        </>
      )}
      {reply && reply.undated_events.length > 0 && (
        <p className="cap tl-foot">
          {t('undated_events')}{' '}
          {reply.undated_events.map(({ id, title }) => (
            <button key={id} type="button" className="tl-link" onClick={() => show(id)}>
              {title}
            </button>
          ))}
        </p>
      )}
      {event !== null && <EventSheet key={event} id={event} mayEdit={mayEdit} onClose={() => show(null)} />}
      {cell && span && (
        <CellSheet
          key={`${cell.kind} ${cell.cell.key}`}
          selected={cell}
          patient={patient}
          specialty={search.specialty}
          onClose={() => setCell(null)}
          onSpan={change}
        />
      )}
      {making && <EventDialog patient={Number(patient)} event={null} onClose={() => setMaking(false)} onSaved={show} />}
    </div>
  );
}
