import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot, { type AlignedData, type Axis, type Options, type Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows } from '../queries.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { QueryRequest } from '../source/source.ts';
import { addsUp, byDay, type Day } from './daily.ts';
import { DAY_STEPS, dayLabels } from './day-axis.ts';
import '../preview/preview.css';
import './open-item.css';

const HEIGHT = 300;
/** Days in the table below the chart, the last ones. */
const MAX_TABLE_DAYS = 60;
/** A longer series is drawn without a point for each day. */
const MAX_DAYS_WITH_POINTS = 90;

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
const roundTo2 = (value: number): number => Math.round(value * 100) / 100;

/** Charts the values of a type by day: the sum of additive values, otherwise mean, lowest and highest. */
export function HealthChart({
  type,
  request,
  source,
  labels,
}: ViewProps & { type: HealthType; request: QueryRequest<'health'> }) {
  const { t, formats } = labels;
  const [loadedCount, setLoadedCount] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'days', request],
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => byDay(await allRows(source, 'health', request, setLoadedCount, signal)),
  });
  const isSum = addsUp(type.type, type.unit);
  if (error) return <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className="phone-chart" role="status">
        <Skeleton height={HEIGHT} />
        <span className="cap num">{t('loading_values', { count: loadedCount })}</span>
      </div>
    );
  const last = data.at(-1);
  if (!last) return <EmptyState title={t('no_match')} />;
  const valueText = (day: Day): string =>
    formats.withUnit(roundTo2(isSum ? day.sum : day.mean), labels.unit(type.unit));
  return (
    <div className="phone-chart">
      <p className="row">
        <strong className="phone-last num">{valueText(last)}</strong>
        <span className="cap num">
          {formats.date(last.day)} · {t(isSum ? 'sum_of_day' : 'mean_of_day')}
        </span>
      </p>
      <Plot
        days={data}
        isSum={isSum}
        locale={formats.locale}
        label={t('chart_of', { from: formats.date(data[0]?.day ?? null), to: formats.date(last.day) })}
      />
      <DayTable days={data.slice(-MAX_TABLE_DAYS).reverse()} isSum={isSum} valueText={valueText} labels={labels} />
    </div>
  );
}

interface TableProps {
  days: readonly Day[];
  isSum: boolean;
  valueText: (day: Day) => string;
  labels: PhoneLabels;
}

function DayTable({ days, isSum, valueText, labels: { t, formats } }: TableProps) {
  const numberColumns = [t(isSum ? 'sum' : 'mean'), t('lowest'), t('highest'), t('values')];
  return (
    <div className="phone-cells" tabIndex={0} role="region" aria-label={t('by_day')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('date')}</th>
            {numberColumns.map((name) => (
              <th key={name} scope="col" className="r">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <td className="num">{formats.date(day.day)}</td>
              <td className="r num">{valueText(day)}</td>
              <td className="r num">{formats.number(roundTo2(day.low))}</td>
              <td className="r num">{formats.number(roundTo2(day.high))}</td>
              <td className="r num">{formats.count(day.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The theme of the page, light or dark; a canvas does not adapt to it automatically. */
function useTheme(): string | undefined {
  const [theme, setTheme] = useState(document.documentElement.dataset['theme']);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset['theme']));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

function Plot({ days, isSum, locale, label }: { days: readonly Day[]; isSum: boolean; locale: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const style = getComputedStyle(element);
    const colorOf = (name: string): string => style.getPropertyValue(name).trim();
    const size = (): { width: number; height: number } => ({ width: element.clientWidth, height: HEIGHT });
    const plot = new uPlot(
      { ...size(), ...plotOptions(days, { isSum, locale, colorOf }) },
      plotData(days, isSum),
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, isSum, locale, theme]);
  return <div ref={holder} className="phone-plot" role="img" aria-label={label} />;
}

function plotOptions(
  days: readonly Day[],
  { isSum, locale, colorOf }: { isSum: boolean; locale: string; colorOf: (name: string) => string },
): Omit<Options, 'width' | 'height'> {
  const axis = {
    stroke: colorOf('--ink-3'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px "Inter Variable", sans-serif',
  };
  const line = colorOf('--s1');
  const number = new Intl.NumberFormat(locale);
  const axes: Axis[] = [
    { ...axis, incrs: DAY_STEPS, values: (_u, splits, _at, _space, step) => dayLabels(splits, step, locale) },
    { ...axis, size: 56, values: (_u, splits) => splits.map((split) => number.format(split)) },
  ];
  return {
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
    axes,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    series: [{}, ...(isSum ? [barSeries(line)] : meanSeries(line, days.length))],
    // uPlot paints a band with its series, so the mean comes after the lowest and highest.
    ...(!isSum && { bands: [{ series: [2, 1] as [number, number], fill: colorOf('--band') }] }),
  };
}

const barSeries = (color: string): Series => ({
  stroke: color,
  fill: color,
  width: 0,
  paths: uPlot.paths.bars?.({ size: [0.7, 24] }),
  points: { show: false },
});

/** The lowest and highest value, which bound the band, and the mean. */
const meanSeries = (color: string, dayCount: number): Series[] => [
  { stroke: 'transparent', points: { show: false } },
  { stroke: 'transparent', points: { show: false } },
  { stroke: color, width: 1.6, points: { show: dayCount < MAX_DAYS_WITH_POINTS, size: 5 } },
];

function plotData(days: readonly Day[], isSum: boolean): AlignedData {
  const seconds = days.map(({ day }) => secondsOf(day));
  if (isSum) return [seconds, days.map(({ sum }) => sum)];
  return [seconds, days.map(({ low }) => low), days.map(({ high }) => high), days.map(({ mean }) => mean)];
}
