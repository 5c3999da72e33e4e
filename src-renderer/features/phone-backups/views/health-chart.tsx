import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { allRows } from '../queries.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { QueryRequest } from '../source/source.ts';
import { addsUp, byDay, type Day } from './daily.ts';

const HEIGHT = 300;
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/**
 * Charts the values of a type by day: the sum of additive values, else mean, lowest and highest. The table has them
 * all.
 */
export function HealthChart({
  type,
  request,
  source,
  labels,
}: ViewProps & { type: HealthType; request: QueryRequest<'health'> }) {
  const { t, formats } = labels;
  const [read, setRead] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'days', request],
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => byDay(await allRows(source, 'health', request, setRead, signal)),
  });
  const isSum = addsUp(type.type, type.unit);
  if (error) return <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className="phone-chart" role="status">
        <Skeleton height={HEIGHT} />
        <span className="cap num">{t('loading_values', { count: read })}</span>
      </div>
    );
  const last = data.at(-1);
  if (!last) return <EmptyState title={t('no_match')} />;
  const value = (day: Day): string =>
    formats.withUnit(Math.round((isSum ? day.sum : day.mean) * 100) / 100, labels.unit(type.unit));
  return (
    <div className="phone-chart">
      <p className="row">
        <strong className="phone-last num">{value(last)}</strong>
        <span className="cap num">
          {formats.date(last.day)} · {t(isSum ? 'sum_of_day' : 'mean_of_day')}
        </span>
      </p>
      <Plot
        days={data}
        isSum={isSum}
        label={t('chart_of', { from: formats.date(data[0]?.day ?? null), to: formats.date(last.day) })}
      />
      <div className="phone-cells phone-days" tabIndex={0} role="region" aria-label={t('by_day')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('date')}</th>
              <th scope="col" className="r">
                {t(isSum ? 'sum' : 'mean')}
              </th>
              <th scope="col" className="r">
                {t('lowest')}
              </th>
              <th scope="col" className="r">
                {t('highest')}
              </th>
              <th scope="col" className="r">
                {t('values')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data
              .slice(-60)
              .reverse()
              .map((day) => (
                <tr key={day.day}>
                  <td className="num">{formats.date(day.day)}</td>
                  <td className="r num">{value(day)}</td>
                  <td className="r num">{formats.number(Math.round(day.low * 100) / 100)}</td>
                  <td className="r num">{formats.number(Math.round(day.high * 100) / 100)}</td>
                  <td className="r num">{formats.count(day.count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Plot({ days, isSum, label }: { days: readonly Day[]; isSum: boolean; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(document.documentElement.dataset['theme']);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset['theme']));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const style = getComputedStyle(element),
      color = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--ink-3'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: '12px "Inter Variable", sans-serif',
    };
    const line = color('--s1');
    const size = (): { width: number; height: number } => ({ width: element.clientWidth, height: HEIGHT });
    const plot = new uPlot(
      {
        ...size(),
        legend: { show: false },
        cursor: { drag: { x: true, y: false } },
        axes: [axis, { ...axis, size: 56 }],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        series: isSum
          ? [
              {},
              {
                stroke: line,
                fill: line,
                width: 0,
                paths: uPlot.paths.bars?.({ size: [0.7, 24] }),
                points: { show: false },
              },
            ]
          : [
              {},
              { stroke: 'transparent', points: { show: false } },
              { stroke: 'transparent', points: { show: false } },
              { stroke: line, width: 1.6, points: { show: days.length < 90, size: 5 } },
            ],
        ...(!isSum && {
          // The band is painted with its series: the mean comes after it.
          bands: [{ series: [2, 1] as [number, number], fill: color('--band') }],
        }),
      },
      isSum
        ? [days.map(({ day }) => secondsOf(day)), days.map(({ sum }) => sum)]
        : [
            days.map(({ day }) => secondsOf(day)),
            days.map(({ low }) => low),
            days.map(({ high }) => high),
            days.map(({ mean }) => mean),
          ],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, isSum, theme]);
  return <div ref={holder} className="phone-plot" role="img" aria-label={label} />;
}
