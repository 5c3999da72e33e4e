import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineReply, TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { today } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { Axis } from './axis-labels.tsx';
import { spanOf, panSpan, ticksOf, xOf, zoomSpan, type Span, type Tick } from './axis.ts';
import { cellsOf, type Cell, type Kind } from './cells.ts';
import { CellRow } from './cell-row.tsx';
import { EventRow } from './event-row.tsx';
import { lanesOf } from './lanes.ts';
import { useGestures } from './use-gestures.ts';

/** Factor of one key press. */
export const KEY_ZOOM = 1.5;
const KEY_PAN = 0.2;
const KINDS: readonly Kind[] = ['documents', 'results', 'imaging'];

export interface SelectedCell {
  kind: Kind;
  cell: Cell;
}

interface Props {
  reply: TimelineReply;
  span: Span;
  event: number | null;
  selectedCell: SelectedCell | null;
  onSpan: (change: (span: Span) => Span | null) => void;
  onEvent: (event: TimelineSpan) => void;
  onCell: (cell: SelectedCell) => void;
}

/** The axis with its rows: events as bars; documents, results and imaging as marks. */
export function Chart(props: Props) {
  const { reply, span, onSpan } = props;
  return (
    <AxisFrame extent={reply.extent} span={span} onSpan={onSpan}>
      {(width) => <Rows {...props} width={width} />}
    </AxisFrame>
  );
}

/** The axis with its lines, keys and gestures around rows, which get the width of the axis in pixels. */
export function AxisFrame({
  extent: days,
  span,
  onSpan,
  children,
}: Pick<Props, 'span' | 'onSpan'> & { extent: TimelineReply['extent']; children: (width: number) => ReactNode }) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const area = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  const extent = useMemo(() => spanOf(days ?? { from: today(), to: today() }), [days]);
  const zoom = (factor: number, at = 0.5): void => onSpan((now) => zoomSpan(now, factor, at));
  const pan = (share: number): void => onSpan((now) => panSpan(now, share, extent));
  useGestures(area, plot, { zoom, pan });
  const ticks = useMemo(() => ticksOf(span, width), [span, width]);
  const label = t('axis', {
    from: formats.dateFull(civilFromDay(Math.floor(span.from))),
    to: formats.dateFull(civilFromDay(Math.ceil(span.to) - 1)),
  });
  return (
    <div
      ref={area}
      className="tl"
      role="group"
      aria-label={label}
      aria-describedby="tl-keys"
      tabIndex={0}
      onKeyDown={keyHandler({ zoom, pan, showAll: () => onSpan(() => null) })}
    >
      <p id="tl-keys" className="sr-only">
        {t('keys')}
      </p>
      <div ref={plot} className="tl-axis">
        <Axis ticks={ticks} span={span} width={width} />
      </div>
      <Grid ticks={ticks} span={span} width={width} />
      {children(width)}
    </div>
  );
}

/** The row of events, and one row each for documents, results and imaging. */
function Rows({ reply, span, width, event, selectedCell, onEvent, onCell }: Props & { width: number }) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const { placed, lanes } = useMemo(() => lanesOf(reply.events, span, width, today()), [reply.events, span, width]);
  const rows = useMemo(
    () =>
      KINDS.filter((kind) => reply.totals[kind] > 0).map((kind) => ({
        kind,
        cells: cellsOf(kind, reply, span, width),
      })),
    [reply, span, width],
  );
  return (
    <>
      {reply.events.length > 0 && (
        <>
          <h2 className="tl-label">
            {t('events')} <span className="cap num">{formats.count(placed.length)}</span>
          </h2>
          <EventRow placed={placed} lanes={lanes} selected={event} onSelect={onEvent} />
        </>
      )}
      {rows.map(({ kind, cells }) => [
        <h2 key={`${kind} label`} className="tl-label">
          {t(kind)} <span className="cap num">{formats.count(cells.reduce((sum, cell) => sum + cell.count, 0))}</span>
        </h2>,
        <CellRow
          key={kind}
          kind={kind}
          cells={cells}
          selected={selectedCell?.kind === kind ? selectedCell.cell.key : null}
          onSelect={(cell) => onCell({ kind, cell })}
        />,
      ])}
    </>
  );
}

/** Vertical lines of the axis and of today. */
function Grid({ ticks, span, width }: { ticks: readonly Tick[]; span: Span; width: number }) {
  const now = xOf(dayNumber(today()) + 0.5, span, width);
  return (
    <div className="tl-grid" aria-hidden="true">
      {ticks.map((tick) => (
        <i key={tick.day} data-level={tick.level} style={{ left: xOf(tick.day, span, width) }} />
      ))}
      {now >= 0 && now <= width && <i className="tl-now" style={{ left: now }} />}
    </div>
  );
}

interface KeyDeps {
  zoom: (factor: number) => void;
  pan: (share: number) => void;
  showAll: () => void;
}

const keyHandler =
  ({ zoom, pan, showAll }: KeyDeps) =>
  (event: KeyboardEvent): void => {
    const act = {
      ArrowLeft: () => pan(-KEY_PAN),
      ArrowRight: () => pan(KEY_PAN),
      '+': () => zoom(KEY_ZOOM),
      '=': () => zoom(KEY_ZOOM),
      '-': () => zoom(1 / KEY_ZOOM),
      '0': showAll,
    }[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  };

/** The width of an element in pixels; a plausible value before it is measured. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1000);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
