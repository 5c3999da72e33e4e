import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineReply, TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { today } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { Axis } from './axis-labels.tsx';
import { spanOf, panned, ticksOf, xOf, zoomed, type Span } from './axis.ts';
import { cellsOf, type Cell, type Kind } from './cells.ts';
import { CellRow } from './cell-row.tsx';
import { EventRow } from './event-row.tsx';
import { lanesOf } from './lanes.ts';
import { useGestures } from './use-gestures.ts';

const KEY_ZOOM = 1.5;
const KEY_PAN = 0.2;
const KINDS: readonly Kind[] = ['documents', 'results', 'imaging'];

export interface Chosen {
  kind: Kind;
  cell: Cell;
}

/** The axis with its rows: events as spans, documents, results and imaging as marks. */
export function Chart({
  reply,
  span,
  event,
  selectedId,
  onSpan,
  onEvent,
  onCell,
}: {
  reply: TimelineReply;
  span: Span;
  event: number | null;
  selectedId: Chosen | null;
  onSpan: (change: (span: Span) => Span | null) => void;
  onEvent: (event: TimelineSpan) => void;
  onCell: (selectedId: Chosen) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const area = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  const extent = useMemo(() => spanOf(reply.extent ?? { from: today(), to: today() }), [reply.extent]);
  const zoom = (factor: number, at = 0.5): void => onSpan((now) => zoomed(now, factor, at));
  const pan = (share: number): void => onSpan((now) => panned(now, share, extent));
  useGestures(area, plot, { zoom, pan });
  const onKeyDown = (pressed: KeyboardEvent): void => {
    const act = {
      ArrowLeft: () => pan(-KEY_PAN),
      ArrowRight: () => pan(KEY_PAN),
      '+': () => zoom(KEY_ZOOM),
      '=': () => zoom(KEY_ZOOM),
      '-': () => zoom(1 / KEY_ZOOM),
      '0': () => onSpan(() => null),
    }[pressed.key];
    if (!act || pressed.altKey || pressed.ctrlKey || pressed.metaKey) return;
    pressed.preventDefault();
    act();
  };
  const { placed, lanes } = useMemo(() => lanesOf(reply.events, span, width, today()), [reply.events, span, width]);
  const ticks = useMemo(() => ticksOf(span, width), [span, width]);
  const rows = useMemo(
    () => KINDS.map((kind) => ({ kind, cells: cellsOf(kind, reply, span, width) })),
    [reply, span, width],
  );
  const now = xOf(dayNumber(today()) + 0.5, span, width);
  const shown = t('axis', {
    from: formats.dateFull(civilFromDay(Math.floor(span.from))),
    to: formats.dateFull(civilFromDay(Math.ceil(span.to) - 1)),
  });
  return (
    <div
      ref={area}
      className="tl"
      role="group"
      aria-label={shown}
      aria-describedby="tl-keys"
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <p id="tl-keys" className="sr-only">
        {t('keys')}
      </p>
      <div ref={plot} className="tl-axis">
        <Axis ticks={ticks} span={span} width={width} />
      </div>
      <div className="tl-grid" aria-hidden="true">
        {ticks.map((tick) => (
          <i key={tick.day} data-level={tick.level} style={{ left: xOf(tick.day, span, width) }} />
        ))}
        {now >= 0 && now <= width && <i className="tl-now" style={{ left: now }} />}
      </div>
      <h2 className="tl-label">
        {t('events')} <span className="cap num">{formats.count(placed.length)}</span>
      </h2>
      <EventRow placed={placed} lanes={lanes} selected={event} onSelect={onEvent} />
      {rows.map(({ kind, cells }) => [
        <h2 key={`${kind} label`} className="tl-label">
          {t(kind)} <span className="cap num">{formats.count(cells.reduce((sum, cell) => sum + cell.count, 0))}</span>
        </h2>,
        <CellRow
          key={kind}
          kind={kind}
          cells={cells}
          selected={selectedId?.kind === kind ? selectedId.cell.key : null}
          onSelect={(cell) => onCell({ kind, cell })}
        />,
      ])}
    </div>
  );
}

/** Width of an element in pixels, as it changes; a plausible one before it is known. */
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
