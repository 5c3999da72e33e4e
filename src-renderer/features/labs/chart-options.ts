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

/** How the chart is drawn: uPlot makes axes, lines and zoom, everything with a meaning is painted by us. */
export function optionsOf(all: readonly LabSeries[], look: ChartLook): uPlot.Options {
  const { palette, locale, number } = look;
  const shared = isShared(all);
  const font = `11px ${palette.font}`;
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const axisText = {
    year: dates({ year: 'numeric' }),
    month: dates({ month: 'short' }),
    day: dates({ day: 'numeric', month: 'short' }),
  };
  const ticks = (u: uPlot, from: number, to: number) =>
    ticksOf(from, to, Math.floor((u.bbox.width / devicePixelRatio || look.width) / TICK));
  const extent = (series: number): [number, number] =>
    extentOf((shared ? all : all.slice(series, series + 1)).flatMap((own) => own.points));
  const valueAxis = (scale: 'y' | 'y2', side: 1 | 3): uPlot.Axis => ({
    scale,
    side,
    font,
    stroke: palette.ink3,
    gap: 8,
    size: 52,
    ticks: { show: false },
    grid: { show: scale === 'y', stroke: palette.line, width: 1 },
    values: (_u, splits) => splits.map((split) => number(split)),
  });
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
    axes: [
      {
        font,
        stroke: palette.ink3,
        grid: { show: false },
        ticks: { show: false },
        gap: 6,
        size: 28,
        splits: (u, _axis, from, to) => ticks(u, from, to).map(({ at }) => at),
        values: (u) =>
          ticks(u, u.scales['x']?.min ?? 0, u.scales['x']?.max ?? 0).map(({ at, unit }) =>
            axisText[unit].format(new Date(at * 1000)),
          ),
      },
      valueAxis('y', 3),
      ...(shared ? [] : [valueAxis('y2', 1)]),
    ],
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
    hooks: {
      drawClear: [
        (u) => {
          if (all.length === 1) paintBands(u, all[0]?.points ?? [], palette);
        },
      ],
      draw: [
        (u) => {
          if (look.showNotes && all[0]) paintNotes(u, all[0], palette);
          const hovered = look.hovered();
          all.forEach((own, index) => {
            const scale = scaleOf(index, shared),
              colour = palette.series[index] ?? palette.ink2;
            paintPoints(u, own.points, {
              scale,
              colour,
              palette,
              hovered: hovered?.series === index ? hovered.index : null,
            });
            paintLast(u, own.points, look.lastText(own), {
              scale,
              colour: all.length > 1 ? colour : palette.ink,
              palette,
            });
          });
        },
      ],
      setCursor: [look.onCursor],
    },
  };
}

/** All results with some air, or from a given second; what the person has marked by dragging is taken as it is. */
function timeRange(u: uPlot, min: number | null, max: number | null, from: number | null): [number, number] {
  const times = u.data[0];
  const first = times[0] ?? 0,
    last = times.at(-1) ?? first;
  if (min !== null && max !== null && (min > first || max < last)) return [min, max];
  const start = from === null ? first : Math.max(first, from);
  const air = last > start ? (last - start) * SIDE : ALONE;
  return [(from === null ? start : from) - air, last + air];
}
