import uPlot from 'uplot';
import type { LabPoint, LabSeries } from '../../../src-shared/contract/labs.ts';
import { bandsOf, secondsOf, type Band } from './chart-model.ts';

/** The colors of the current theme, read from the tokens because a canvas cannot use CSS variables. */
export interface Palette {
  band: string;
  line: string;
  ink: string;
  ink2: string;
  ink3: string;
  surface: string;
  high: string;
  low: string;
  series: [string, string];
  medicine: string;
  font: string;
}

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    band: token('band'),
    line: token('line'),
    ink: token('ink'),
    ink2: token('ink-2'),
    ink3: token('ink-3'),
    surface: token('surface'),
    high: token('high'),
    low: token('low'),
    series: [token('s1'), token('s2')],
    medicine: token('s3'),
    font: token('font'),
  };
}

const SCALES = ['y', 'y2'] as const;
/** The scale of a series; the second one gets its own on the right if the units differ. */
export const scaleOf = (series: number, isShared: boolean): 'y' | 'y2' =>
  SCALES[series === 0 || isShared ? 0 : 1] ?? 'y';

const xOf = (u: uPlot, seconds: number): number => u.valToPos(seconds, 'x', true);
const within = (u: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void => {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
};

/** Paints the reference ranges of the first series. */
export function paintBands(u: uPlot, points: readonly LabPoint[], palette: Palette): void {
  const { left, top, width, height } = u.bbox;
  within(u, (ctx) => {
    ctx.fillStyle = palette.band;
    for (const { from, to, low, high } of bandsOf(points)) {
      const x0 = from === null ? left : xOf(u, from),
        x1 = to === null ? left + width : xOf(u, to);
      const y0 = high === null ? top : u.valToPos(high, 'y', true),
        y1 = low === null ? top + height : u.valToPos(low, 'y', true);
      ctx.fillRect(x0, Math.max(top, y0), x1 - x0, Math.min(top + height, y1) - Math.max(top, y0));
    }
  });
}

/** Paints the last range of the first series with one bound, such as `≤ 5.7`, inside its band at the bound. */
export function paintBound(
  u: uPlot,
  points: readonly LabPoint[],
  textOf: (band: Band) => string,
  palette: Palette,
): void {
  const band = bandsOf(points).at(-1);
  if (!band || (band.low === null) === (band.high === null)) return;
  const ratio = uPlot.pxRatio;
  const { left, top, width, height } = u.bbox;
  const end = band.to === null ? left + width : Math.min(left + width, xOf(u, band.to));
  const bound = u.valToPos(band.high ?? band.low ?? 0, 'y', true);
  const isBandVisible = band.high === null ? bound > top : bound < top + height;
  if (end < left || !isBandVisible) return;
  // A bound beyond the axis is named at the edge of the chart.
  const y = Math.max(top, Math.min(top + height, bound));
  within(u, (ctx) => {
    ctx.font = `${12 * ratio}px ${palette.font}`;
    ctx.fillStyle = palette.ink2;
    ctx.textAlign = 'right';
    ctx.textBaseline = band.high === null ? 'bottom' : 'top';
    ctx.fillText(textOf(band), end - 6 * ratio, y + (band.high === null ? -4 : 4) * ratio);
  });
}

const LABEL_ROWS = 2;

/** Paints episodes as dotted lines with titles where they fit, and medicines as marks on the time axis. */
export function paintNotes(
  u: uPlot,
  { events, medications }: Pick<LabSeries, 'events' | 'medications'>,
  palette: Palette,
): void {
  const ratio = uPlot.pxRatio,
    { left, top, width, height } = u.bbox;
  within(u, (ctx) => {
    ctx.font = `${11 * ratio}px ${palette.font}`;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'left';
    const ends = Array.from({ length: LABEL_ROWS }, () => -Infinity);
    for (const { title, date_start } of events) {
      const x = Math.round(xOf(u, secondsOf(date_start)));
      if (x < left || x > left + width) continue;
      ctx.strokeStyle = palette.ink3;
      ctx.lineWidth = ratio;
      ctx.setLineDash([2 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
      const wide = ctx.measureText(title).width;
      const isLeft = x + 6 * ratio + wide > left + width;
      const start = isLeft ? x - 6 * ratio - wide : x + 6 * ratio;
      const row = ends.findIndex((end) => start > end + 8 * ratio);
      if (row < 0 || start < left) continue;
      ends[row] = start + wide;
      ctx.fillStyle = palette.ink2;
      ctx.fillText(title, start, top + (4 + row * 15) * ratio);
    }
    ctx.setLineDash([]);
    ctx.fillStyle = palette.medicine;
    for (const { date } of medications) {
      const x = xOf(u, secondsOf(date)),
        y = top + height;
      ctx.beginPath();
      ctx.moveTo(x, y - 7 * ratio);
      ctx.lineTo(x + 4 * ratio, y);
      ctx.lineTo(x - 4 * ratio, y);
      ctx.fill();
    }
  });
}

/** Whether the dot of a result is open: the number is a bound, or doubtful. */
export const isOpenDot = (point: Pick<LabPoint, 'comparator' | 'doubt'>): boolean =>
  point.comparator !== null || point.doubt.length > 0;

function markColour(point: LabPoint, seriesColour: string, palette: Palette): string {
  if (!point.flag) return seriesColour;
  return point.flag === 'low' ? palette.low : palette.high;
}

/**
 * Draws results as dots in the color of their flag. A doubtful result is an open dot; a result below or above a bound
 * is open, with an arrow.
 */
export function paintPoints(
  u: uPlot,
  points: readonly LabPoint[],
  { scale, color, palette, hovered }: { scale: 'y' | 'y2'; color: string; palette: Palette; hovered: number | null },
): void {
  const ratio = uPlot.pxRatio,
    { ctx } = u;
  ctx.save();
  points.forEach((point, index) => {
    const x = xOf(u, secondsOf(point.date)),
      y = u.valToPos(point.value, scale, true);
    if (x < u.bbox.left - ratio || x > u.bbox.left + u.bbox.width + ratio) return;
    const own = markColour(point, color, palette),
      radius = (index === hovered ? 5 : 3.5) * ratio;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.lineWidth = 1.5 * ratio;
    const isOpen = isOpenDot(point);
    ctx.fillStyle = isOpen ? palette.surface : own;
    ctx.strokeStyle = isOpen ? own : palette.surface;
    ctx.fill();
    ctx.stroke();
    if (point.comparator !== null)
      paintArrow(ctx, x, y, point.comparator === '<' || point.comparator === '≤' ? 1 : -1, own, ratio);
  });
  ctx.restore();
}

function paintArrow(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  down: 1 | -1,
  color: string,
  ratio: number,
): void {
  const tip = y + down * 14 * ratio,
    foot = y + down * 4.5 * ratio;
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5 * ratio;
  ctx.beginPath();
  ctx.moveTo(x, foot);
  ctx.lineTo(x, tip);
  ctx.moveTo(x - 3 * ratio, tip - down * 3.5 * ratio);
  ctx.lineTo(x, tip);
  ctx.lineTo(x + 3 * ratio, tip - down * 3.5 * ratio);
  ctx.stroke();
}

/** Paints the last value beside its dot, on the side without the line. */
export function paintLast(
  u: uPlot,
  points: readonly LabPoint[],
  text: string,
  { scale, color, palette }: { scale: 'y' | 'y2'; color: string; palette: Palette },
): void {
  const point = points.at(-1),
    before = points.at(-2);
  if (!point || text === '') return;
  const ratio = uPlot.pxRatio,
    { ctx, bbox } = u;
  const x = xOf(u, secondsOf(point.date)),
    y = u.valToPos(point.value, scale, true);
  if (x < bbox.left || x > bbox.left + bbox.width + ratio) return;
  const isRising = before !== undefined && before.value < point.value;
  const isAbove = y - 30 * ratio > bbox.top && (isRising || y + 30 * ratio > bbox.top + bbox.height);
  ctx.save();
  ctx.font = `600 ${13 * ratio}px ${palette.font}`;
  ctx.textAlign = x + 80 * ratio > bbox.left + bbox.width ? 'right' : 'center';
  ctx.textBaseline = isAbove ? 'bottom' : 'top';
  const away = point.comparator === null ? 10 : 18;
  const at = y + (isAbove ? -away : away) * ratio;
  // An outline in the background color keeps the text readable over lines.
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = palette.surface;
  ctx.lineJoin = 'round';
  ctx.globalAlpha = 0.75;
  ctx.strokeText(text, x + (ctx.textAlign === 'right' ? 4 * ratio : 0), at);
  ctx.globalAlpha = 1;
  ctx.fillStyle = color;
  ctx.fillText(text, x + (ctx.textAlign === 'right' ? 4 * ratio : 0), at);
  ctx.restore();
}
