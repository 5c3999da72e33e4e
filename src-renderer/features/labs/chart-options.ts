import type uPlot from 'uplot';
import type { LabSeries } from '../../../src-shared/contract/labs.ts';
import { extentOf, ticksOf } from './chart-model.ts';
import { paintBands, paintLast, paintNotes, paintPoints, scaleOf, type Palette } from './chart-paint.ts';

/** Pixels that a mark of the time axis needs. */
const TICK = 68;
/** Room around the first and last result, as a share of the time shown; and around a single one. */
const SIDE = 0.02;
const ALONE = 90 * 86_400;

export interface ChartLook {
  width: number;
  height: number;
  palette: Palette;
  locale: string;
  number(value: number): string;
  /** Words beside the last dot of a series; empty where its legend says them. */
  lastText(series: LabSeries): string;
  showNotes: boolean;
  /** First second that is shown; null for all. */
  from: number | null;
  hovered(): { series: number; index: number } | null;
  onCursor(u: uPlot): void;
}

/** Two series share one scale of values when they have one unit. */
export const isShared = (all: readonly LabSeries[]): boolean => all.length < 2 || all[0]?.unit === all[1]?.unit;

/** Options of the chart: uPlot draws axes, lines and zoom; bands, notes, points and labels are painted in hooks. */
export function optionsOf(all: readonly LabSeries[], look: ChartLook): uPlot.Options {
  const { palette } = look;
  const shared = isShared(all);
  const extent = (series: number): [number, number] =>
    extentOf((shared ? all : all.slice(series, series + 1)).flatMap((own) => own.points));
  return {
    width: look.width,
    height: look.height,
    padding: [12, shared ? 20 : 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
    scales: {
      x: { time: true, range: (u, min, max) => timeRange(u, min, max, look.from) },
      y: { range: () => extent(0) },
      ...(!shared && { y2: { range: () => extent(1) } }),
    },
    axes: [timeAxis(look), valueAxis(look, 'y', 3), ...(shared ? [] : [valueAxis(look, 'y2', 1)])],
    series: [
      {},
      ...all.map((_, index): uPlot.Series => ({
        scale: scaleOf(index, shared),
        stroke: palette.series[index] ?? palette.ink2,
        width: 1.75,
        spanGaps: true,
        points: { show: false },
      })),
    ],
    hooks: hooksOf(all, look),
  };
}

const fontOf = ({ palette }: ChartLook): string => `11px ${palette.font}`;

/** The time axis, labelled by years, months or days. */
function timeAxis(look: ChartLook): uPlot.Axis {
  const { palette } = look;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(look.locale, { ...options, timeZone: 'UTC' });
  const formats = {
    year: format({ year: 'numeric' }),
    month: format({ month: 'short' }),
    day: format({ day: 'numeric', month: 'short' }),
  };
  const ticks = (u: uPlot, from: number, to: number) =>
    ticksOf(from, to, Math.floor((u.bbox.width / devicePixelRatio || look.width) / TICK));
  return {
    font: fontOf(look),
    stroke: palette.ink3,
    grid: { show: false },
    ticks: { show: false },
    gap: 6,
    size: 28,
    splits: (u, _axis, from, to) => ticks(u, from, to).map(({ at }) => at),
    values: (u) =>
      ticks(u, u.scales['x']?.min ?? 0, u.scales['x']?.max ?? 0).map(({ at, unit }) =>
        formats[unit].format(new Date(at * 1000)),
      ),
  };
}

const valueAxis = (look: ChartLook, scale: 'y' | 'y2', side: 1 | 3): uPlot.Axis => ({
  scale,
  side,
  font: fontOf(look),
  stroke: look.palette.ink3,
  gap: 8,
  size: 52,
  ticks: { show: false },
  grid: { show: scale === 'y', stroke: look.palette.line, width: 1 },
  values: (_u, splits) => splits.map((split) => look.number(split)),
});

/** Paints reference bands below the lines; notes, points and the last values above them. */
function hooksOf(all: readonly LabSeries[], look: ChartLook): uPlot.Hooks.Arrays {
  const { palette } = look;
  const shared = isShared(all);
  const drawSeries = (u: uPlot): void => {
    if (look.showNotes && all[0]) paintNotes(u, all[0], palette);
    const hovered = look.hovered();
    all.forEach((own, index) => {
      const scale = scaleOf(index, shared);
      const color = palette.series[index] ?? palette.ink2;
      const hoveredIndex = hovered?.series === index ? hovered.index : null;
      paintPoints(u, own.points, { scale, color, palette, hovered: hoveredIndex });
      paintLast(u, own.points, look.lastText(own), { scale, color: all.length > 1 ? color : palette.ink, palette });
    });
  };
  const drawBands = (u: uPlot): void => {
    if (all.length === 1) paintBands(u, all[0]?.points ?? [], palette);
  };
  return { drawClear: [drawBands], draw: [drawSeries], setCursor: [look.onCursor] };
}

/** All results with a margin, or those from a given second on; a period selected by dragging is used as it is. */
function timeRange(u: uPlot, min: number | null, max: number | null, from: number | null): [number, number] {
  const times = u.data[0];
  const first = times[0] ?? 0,
    last = times.at(-1) ?? first;
  if (min !== null && max !== null && (min > first || max < last)) return [min, max];
  const start = from === null ? first : Math.max(first, from);
  const air = last > start ? (last - start) * SIDE : ALONE;
  return [(from === null ? start : from) - air, last + air];
}
