import { dateFormat } from '../../ui/format/formats.ts';
import type uPlot from 'uplot';
import type { LabSeries } from '../../../src-shared/contract/labs.ts';
import { extentOf, ticksOf, type Band } from './chart-model.ts';
import { paintBands, paintBound, paintLast, paintNotes, paintPoints, scaleOf, type Palette } from './chart-paint.ts';

/** Minimum distance of ticks on the time axis in pixels. */
const MIN_TICK_PX = 68;
/** Margin around the results as a share of the visible time, and in seconds around a single result. */
const MARGIN = 0.02;
const SINGLE_MARGIN_S = 90 * 86_400;

export interface ChartStyle {
  width: number;
  height: number;
  palette: Palette;
  locale: string;
  number(value: number): string;
  /** Text beside the last dot of a series; empty if the legend shows it. */
  lastText(series: LabSeries): string;
  /** The range of a band with one bound, with its sign. */
  boundText(band: Band): string;
  showNotes: boolean;
  /** First visible second; null for all. */
  from: number | null;
  hovered(): { series: number; index: number } | null;
  onCursor(u: uPlot): void;
}

/** Whether all series have the same unit and share one scale. */
export const isShared = (all: readonly LabSeries[]): boolean => all.length < 2 || all[0]?.unit === all[1]?.unit;

/** Options of the chart: uPlot draws axes, lines and zoom; bands, notes, points and labels are painted in hooks. */
export function optionsOf(all: readonly LabSeries[], style: ChartStyle): uPlot.Options {
  const { palette } = style;
  const hasSharedScale = isShared(all);
  const extent = (series: number): [number, number] =>
    extentOf((hasSharedScale ? all : all.slice(series, series + 1)).flatMap((own) => own.points));
  return {
    width: style.width,
    height: style.height,
    padding: [12, hasSharedScale ? 20 : 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
    scales: {
      x: { time: true, range: (u, min, max) => timeRange(u, min, max, style.from) },
      y: { range: () => extent(0) },
      ...(!hasSharedScale && { y2: { range: () => extent(1) } }),
    },
    axes: [timeAxis(style), valueAxis(style, 'y', 3), ...(hasSharedScale ? [] : [valueAxis(style, 'y2', 1)])],
    series: [
      {},
      ...all.map((_, index): uPlot.Series => ({
        scale: scaleOf(index, hasSharedScale),
        stroke: palette.series[index] ?? palette.ink2,
        width: 1.75,
        spanGaps: true,
        points: { show: false },
      })),
    ],
    hooks: hooksOf(all, style),
  };
}

const fontOf = ({ palette }: ChartStyle): string => `11px ${palette.font}`;

/** The time axis, labelled by years, months or days. */
function timeAxis(style: ChartStyle): uPlot.Axis {
  const { palette } = style;
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(style.locale, { ...options, timeZone: 'UTC' });
  const formats = {
    year: format({ year: 'numeric' }),
    month: format({ month: 'short' }),
    day: format({ day: 'numeric', month: 'short' }),
  };
  const withYear = {
    ...formats,
    month: format({ month: 'short', year: 'numeric' }),
    day: format({ day: 'numeric', month: 'short', year: 'numeric' }),
  };
  const yearOf = (at: number): number => new Date(at * 1000).getUTCFullYear();
  const ticks = (u: uPlot, from: number, to: number) =>
    ticksOf(from, to, Math.floor((u.bbox.width / devicePixelRatio || style.width) / MIN_TICK_PX));
  return {
    font: fontOf(style),
    stroke: palette.ink3,
    grid: { show: false },
    ticks: { show: false },
    gap: 6,
    size: 28,
    splits: (u, _axis, from, to) => ticks(u, from, to).map(({ at }) => at),
    values: (u) =>
      ticks(u, u.scales['x']?.min ?? 0, u.scales['x']?.max ?? 0).map(({ at, unit }, index, all) =>
        // The first label of each year has the year.
        (yearOf(at) === yearOf(all[index - 1]?.at ?? NaN) ? formats : withYear)[unit].format(at * 1000),
      ),
  };
}

const valueAxis = (style: ChartStyle, scale: 'y' | 'y2', side: 1 | 3): uPlot.Axis => ({
  scale,
  side,
  font: fontOf(style),
  stroke: style.palette.ink3,
  gap: 8,
  size: 52,
  ticks: { show: false },
  grid: { show: scale === 'y', stroke: style.palette.line, width: 1 },
  values: (_u, splits) => splits.map((split) => style.number(split)),
});

/** Paints reference bands below the lines; notes, points and the last values above them. */
function hooksOf(all: readonly LabSeries[], style: ChartStyle): uPlot.Hooks.Arrays {
  const { palette } = style;
  const hasSharedScale = isShared(all);
  const drawSeries = (u: uPlot): void => {
    if (style.showNotes && all[0]) paintNotes(u, all[0], palette);
    const hovered = style.hovered();
    all.forEach((own, index) => {
      const scale = scaleOf(index, hasSharedScale);
      const color = palette.series[index] ?? palette.ink2;
      const hoveredIndex = hovered?.series === index ? hovered.index : null;
      paintPoints(u, own.points, { scale, color, palette, hovered: hoveredIndex });
      paintLast(u, own.points, style.lastText(own), { scale, color: all.length > 1 ? color : palette.ink, palette });
    });
  };
  const drawBands = (u: uPlot): void => {
    if (all.length !== 1) return;
    paintBands(u, all[0]?.points ?? [], palette);
    paintBound(u, all[0]?.points ?? [], style.boundText, palette);
  };
  return { drawClear: [drawBands], draw: [drawSeries], setCursor: [style.onCursor] };
}

/** All results with a margin, or those from a given second on; a period selected by dragging is used as it is. */
function timeRange(u: uPlot, min: number | null, max: number | null, from: number | null): [number, number] {
  const times = u.data[0];
  const first = times[0] ?? 0,
    last = times.at(-1) ?? first;
  if (min !== null && max !== null && (min > first || max < last)) return [min, max];
  const start = from === null ? first : Math.max(first, from);
  const margin = last > start ? (last - start) * MARGIN : SINGLE_MARGIN_S;
  return [(from === null ? start : from) - margin, last + margin];
}
