import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { columnsOf, secondsOf } from './chart-model.ts';
import { isShared, optionsOf } from './chart-options.ts';
import { paletteOf, scaleOf } from './chart-paint.ts';
import { useThemeOf } from './use-theme-of.ts';
import type { LabLabels } from './labels.ts';

export interface Hovered {
  series: number;
  index: number;
}
const HEIGHT = 300;
const NARROW_HEIGHT = 240;
const NARROW_WIDTH = 480;
/** Maximum distance in pixels between the pointer and a result. */
const MAX_DISTANCE = 60;

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

interface Props {
  all: readonly LabSeries[];
  labels: LabLabels;
  label: string;
  showNotes: boolean;
  from: number | null;
  /** The text of a result: shown beside it, and announced when it is selected by key. */
  tip: (series: LabSeries, point: LabPoint) => ReactNode;
  /** Receives the canvas for the export. */
  canvas: RefObject<HTMLCanvasElement | null>;
}

/** Results over time. Pointer and arrow keys select a result; dragging zooms into a period, a double click resets. */
export function Chart({ all, labels, label, showNotes, from, tip, canvas }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const { columns, rows } = columnsOf(all.map((own) => own.points));

  const { plot, hovered, setHovered } = usePlot({ all, labels, showNotes, from, canvas, holder, columns, rows });

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = ARROW_STEPS[event.key] ?? 0;
    if (event.key === 'Escape') setHovered(null);
    if (step === 0) return;
    event.preventDefault();
    const before = step > 0 ? -1 : rows.length;
    const at = hovered ? rows.findIndex((row) => row.series === hovered.series && row.index === hovered.index) : before;
    setHovered(rows[Math.min(rows.length - 1, Math.max(0, at + step))] ?? null);
  };
  const own = hovered ? all[hovered.series] : undefined,
    point = own?.points[hovered?.index ?? -1];
  const place =
    point && plot.current ? placeOf(plot.current, point, scaleOf(hovered?.series ?? 0, isShared(all))) : null;
  return (
    <div
      className="lab-chart"
      role="group"
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setHovered(null)}
      onPointerLeave={() => setHovered(null)}
    >
      <div ref={holder} className="lab-plot" aria-hidden="true" />
      {own && point && place && <TipAt place={place}>{tip(own, point)}</TipAt>}
      <div className="sr-only" aria-live="polite">
        {own && point ? tip(own, point) : null}
      </div>
    </div>
  );
}

type TipPlace = ReturnType<typeof placeOf>;

const TipAt = ({ place, children }: { place: TipPlace; children: ReactNode }) => (
  <div
    className="lab-tip float"
    style={{
      insetInlineStart: place.left,
      insetBlockStart: place.top,
      transform: place.isRight ? 'translate(calc(-100% - 12px), -50%)' : 'translate(12px, -50%)',
    }}
    aria-hidden="true"
  >
    {children}
  </div>
);

interface PlotInput extends Pick<Props, 'all' | 'labels' | 'showNotes' | 'from' | 'canvas'> {
  holder: RefObject<HTMLDivElement | null>;
  columns: unknown;
  rows: readonly Hovered[];
}

/** Everything on which the drawing depends, as text. */
const drawingKey = ({ all, labels, showNotes, from }: PlotInput, theme: unknown): string =>
  JSON.stringify([
    all.map((own) => [
      own.test.key,
      own.unit,
      own.points.map((point) => [point.id, point.value, point.date, point.flag]),
    ]),
    showNotes,
    from,
    theme,
    labels.locale,
  ]);

/** Text beside the last dot; the legend shows it where two series are compared. */
function lastTextOf(own: LabSeries, { all, labels }: PlotInput): string {
  const last = all.length === 1 ? own.points.at(-1) : undefined;
  return last ? `${labels.point(last)}${own.unit ? `\u202f${own.unit}` : ''}` : '';
}

const sizeIn = ({ clientWidth: width }: HTMLElement) => ({
  width,
  height: width < NARROW_WIDTH ? NARROW_HEIGHT : HEIGHT,
});

/** Draws the series with uPlot into `holder` and tracks the result under the pointer. */
function usePlot(input: PlotInput) {
  const { all, labels, showNotes, from, canvas, holder, columns, rows } = input;
  const plot = useRef<uPlot | null>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const latestHovered = useRef<Hovered | null>(null);
  latestHovered.current = hovered;
  const key = drawingKey(input, useThemeOf());
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element || rows.length === 0) return undefined;
    const chart = new uPlot(
      optionsOf(all, {
        ...sizeIn(element),
        palette: paletteOf(element),
        locale: labels.locale,
        number: labels.axis,
        showNotes,
        from,
        hovered: () => latestHovered.current,
        lastText: (own) => lastTextOf(own, input),
        boundText: (band) => labels.range(band, true),
        onCursor: (u) => setHovered((before) => keepIfEqual(before, nearestResult(u, all, rows))),
      }),
      columns as uPlot.AlignedData,
      element,
    );
    plot.current = chart;
    canvas.current = chart.ctx.canvas;
    const observer = new ResizeObserver(() => chart.setSize(sizeIn(element)));
    observer.observe(element);
    // The first paint may come before the font.
    void document.fonts.ready.then(() => {
      if (plot.current === chart) chart.redraw(false);
    });
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
      canvas.current = null;
      setHovered(null);
    };
    // `key` contains everything that the drawing depends on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  useEffect(() => {
    plot.current?.redraw(false);
  }, [hovered]);
  return { plot, hovered, setHovered };
}

/** Keeps the previous object if nothing changed, so that React does not render again. */
const keepIfEqual = (before: Hovered | null, next: Hovered | null): Hovered | null =>
  before?.series === next?.series && before?.index === next?.index ? before : next;

function nearestResult(u: uPlot, all: readonly LabSeries[], rows: readonly Hovered[]): Hovered | null {
  const { left = -1, top = -1 } = u.cursor;
  if (left < 0) return null;
  let nearestRow: Hovered | null = null,
    bestDistance = MAX_DISTANCE;
  for (const row of rows) {
    const point = all[row.series]?.points[row.index];
    if (!point) continue;
    const distance = Math.hypot(
      u.valToPos(secondsOf(point.date), 'x') - left,
      (u.valToPos(point.value, scaleOf(row.series, isShared(all))) - top) / 4,
    );
    if (distance < bestDistance) {
      nearestRow = row;
      bestDistance = distance;
    }
  }
  return nearestRow;
}

/** Returns the position of a result in the holder, CSS pixels; on the right half its label goes to its left. */
function placeOf(u: uPlot, point: LabPoint, scale: 'y' | 'y2'): { left: number; top: number; isRight: boolean } {
  const ratio = uPlot.pxRatio;
  const left = u.bbox.left / ratio + u.valToPos(secondsOf(point.date), 'x'),
    top = u.bbox.top / ratio + u.valToPos(point.value, scale);
  return { left, top: Math.max(40, top), isRight: left > u.width / 2 };
}
