import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../src-shared/contract/patients.ts';
import type { TimelineReply, TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { today } from '../../client/clock.ts';
import { PersonMark } from '../../client/people.tsx';
import { useMayEdit, usePatients } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { requestedRange, type Span } from './axis.ts';
import { CellRow } from './cell-row.tsx';
import { CellSheet } from './cell-sheet.tsx';
import { cellsOf, type Kind } from './cells.ts';
import { AxisFrame, type SelectedCell } from './chart.tsx';
import { EventRow } from './event-row.tsx';
import { EventSheet } from './event-sheet.tsx';
import { TimelineHead } from './head.tsx';
import { lanesOf } from './lanes.ts';
import { useTimelines } from './queries.ts';
import { Table } from './table.tsx';
import { useTimelineSearch } from './use-search.ts';
import { useSpan } from './use-span.ts';
import './household.css';

const KINDS: readonly Kind[] = ['documents', 'results', 'imaging'];
/** Height of the marks of one kind in a lane, in pixels. */
const MARKS_HEIGHT = 30;
/** Number of table rows of each person at first. */
const TABLE_LINES = 50;

/** A cell of the lane of a patient. */
type LaneCell = SelectedCell & { patient: number };

/** The lives of all people below each other, on one axis. */
export function HouseholdTimeline() {
  const { t } = useTranslation(['timeline', 'app']);
  const vocabulary = useVocabulary();
  const mayEdit = useMayEdit();
  const { search, set } = useTimelineSearch();
  const { lanes, extent, failure, isLoading, retry, span, changeSpan, specialties } = useLanes(search);
  const [cell, setCell] = useState<LaneCell | null>(null);
  const event = search.event ? Number(search.event) : null;
  const showEvent = (id: number | null): void => {
    setCell(null);
    set({ event: id === null ? undefined : String(id) });
  };
  const showCell = (next: LaneCell): void => {
    set({ event: undefined });
    setCell(next);
  };
  return (
    <div className="page timeline">
      <TimelineHead
        note={t('timeline:everyone')}
        search={search}
        specialties={specialties}
        hasSpan={span !== null}
        onSearch={set}
        onSpan={changeSpan}
        onCreate={null}
      />
      {failure && <ErrorState message={vocabulary.error(failure)} retryLabel={t('app:action.retry')} onRetry={retry} />}
      {isLoading && <SkeletonLines count={8} label={t('timeline:loading')} />}
      {span && lanes.length > 0 && search.view !== 'table' && (
        <section className="panel tl-panel">
          <AxisFrame extent={extent} span={span} onSpan={changeSpan}>
            {(width) =>
              lanes.map((lane) => (
                <LaneRows
                  key={lane.patient.id}
                  lane={lane}
                  span={span}
                  width={width}
                  event={event}
                  selectedCell={cell}
                  onEvent={({ id }) => showEvent(id)}
                  onCell={showCell}
                />
              ))
            }
          </AxisFrame>
        </section>
      )}
      {span &&
        search.view === 'table' &&
        lanes.map(({ patient, reply }) => (
          <section key={patient.id} aria-labelledby={`life-of-${patient.id}`}>
            <h2 id={`life-of-${patient.id}`} className="person tl-person">
              <PersonMark id={patient.id} name={patient.display_name} size="medium" />
              {patient.display_name}
            </h2>
            <Table reply={reply} span={span} initialCount={TABLE_LINES} onEvent={showEvent} />
          </section>
        ))}
      {event !== null && <EventSheet key={event} id={event} mayEdit={mayEdit} onClose={() => showEvent(null)} />}
      {cell && span && (
        <CellSheet
          key={`${cell.patient} ${cell.kind} ${cell.cell.key}`}
          selected={cell}
          patient={String(cell.patient)}
          specialty={search.specialty}
          onClose={() => setCell(null)}
          onSpan={changeSpan}
        />
      )}
    </div>
  );
}

interface Lane {
  patient: Patient;
  reply: TimelineReply;
}

/** The timelines of all people: in full for the extent, and the part around the visible span. */
function useLanes(search: { from?: string; to?: string; specialty?: string }) {
  const patients = usePatients();
  const ids = patients.map(({ id }) => String(id));
  const whole = useTimelines(ids, null, search.specialty);
  const extent = unionOf(whole.flatMap(({ data }) => data?.extent ?? []));
  const [span, changeSpan] = useSpan(search, extent);
  const part = useTimelines(ids, span && requestedRange(span), search.specialty);
  const isLoading = whole.some(({ isPending }) => isPending);
  // All at once: lanes that come one by one would push each other down.
  const lanes = patients.flatMap((patient, index): Lane[] => {
    if (isLoading) return [];
    const reply = part[index]?.data ?? whole[index]?.data;
    return reply ? [{ patient, reply }] : [];
  });
  return {
    lanes,
    extent,
    failure: [...whole, ...part].find(({ error }) => error)?.error ?? null,
    isLoading,
    retry: () => [...whole, ...part].forEach(({ refetch }) => void refetch()),
    span,
    changeSpan,
    specialties: specialtiesOf(lanes),
  };
}

function unionOf(extents: readonly { from: string; to: string }[]): TimelineReply['extent'] {
  const from = extents.map((extent) => extent.from).sort()[0];
  const to = extents
    .map((extent) => extent.to)
    .sort()
    .at(-1);
  return from === undefined || to === undefined ? null : { from, to };
}

/** The specialties of all lanes, most frequent first. */
function specialtiesOf(lanes: readonly Lane[]): TimelineReply['specialties'] {
  const byValue = new Map<string, TimelineReply['specialties'][number]>();
  for (const specialty of lanes.flatMap(({ reply }) => reply.specialties)) {
    const count = (byValue.get(specialty.value)?.count ?? 0) + specialty.count;
    byValue.set(specialty.value, { ...specialty, count });
  }
  return [...byValue.values()].sort((a, b) => b.count - a.count);
}

/** One person: events as bars, then the kinds of marks that this person has. */
function LaneRows({
  lane: { patient, reply },
  span,
  width,
  event,
  selectedCell,
  onEvent,
  onCell,
}: {
  lane: Lane;
  span: Span;
  width: number;
  event: number | null;
  selectedCell: LaneCell | null;
  onEvent: (event: TimelineSpan) => void;
  onCell: (cell: LaneCell) => void;
}) {
  const { t } = useTranslation('timeline');
  const { placed, lanes } = useMemo(() => lanesOf(reply.events, span, width, today()), [reply.events, span, width]);
  const rows = useMemo(
    () =>
      KINDS.map((kind) => ({ kind, cells: cellsOf(kind, reply, span, width) })).filter(({ cells }) => cells.length > 0),
    [reply, span, width],
  );
  const selectedKey = (kind: Kind): number | null =>
    selectedCell?.patient === patient.id && selectedCell.kind === kind ? selectedCell.cell.key : null;
  return (
    <>
      <h2 className="tl-label tl-lane-label" style={{ gridRowEnd: `span ${rows.length + 1}` }}>
        <PersonMark id={patient.id} name={patient.display_name} size="medium" />
        <span className="tl-lane-words">
          <span className="strong">{patient.display_name}</span>
          <span className="cap num">
            {reply.extent ? t('documents_count', { count: reply.totals.documents }) : t('person_empty')}
          </span>
          {reply.extent && <span className="cap num">{t('lane_since', { year: reply.extent.from.slice(0, 4) })}</span>}
        </span>
      </h2>
      <div className="tl-lane-start" role="group" aria-label={patient.display_name}>
        <EventRow placed={placed} lanes={lanes} selected={event} onSelect={onEvent} minLanes={1} />
      </div>
      {rows.map(({ kind, cells }) => (
        <div key={kind} className="tl-lane-marks" role="group" aria-label={patient.display_name}>
          <CellRow
            kind={kind}
            cells={cells}
            height={MARKS_HEIGHT}
            selected={selectedKey(kind)}
            onSelect={(cell) => onCell({ kind, cell, patient: patient.id })}
          />
        </div>
      ))}
    </>
  );
}
