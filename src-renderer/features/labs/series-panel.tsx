import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, type RefObject } from 'react';
import type { LabSeries, LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { fileNameOf, saveFile } from '../../client/save-file.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { Chart } from './chart.tsx';
import { spanStart } from './chart-model.ts';
import { ChartNote, NotesList, Tip } from './chart-notes.tsx';
import { csvOf } from './export.ts';
import { nameOf } from './groups.ts';
import { chartImageOf } from './chart-image.ts';
import { useSeries } from './queries.ts';
import { SeriesHead, spanOf, type Span } from './series-head.tsx';
import { ApartTable, SeriesTable } from './series-table.tsx';
import type { LabLabels } from './labels.ts';

/** One test over time: the chart with its explanations, and every result in a table. */
export function SeriesPanel({
  patient,
  test,
  items,
  labels,
}: {
  patient: string;
  test: string;
  items: readonly LabSummaryItem[];
  labels: LabLabels;
}) {
  const { t, language } = labels;
  const vocabulary = useVocabulary();
  const navigate = useNavigate();
  const { show } = useToasts();
  const search = useSearch({ from: '/frame/labs' });
  const { data, error, refetch, isPlaceholderData } = useSeries(patient, test, search.unit);
  const comparedSeries = useSeries(patient, search.compare === test ? undefined : search.compare, undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  const set = (part: Partial<typeof search>): void =>
    void navigate({ to: '/labs', search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  if (error && !data)
    return <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />;
  if (!data) return <SeriesSkeleton labels={labels} />;
  const other = search.compare && search.compare !== test ? comparedSeries.data : undefined;
  const all = other ? [data, other] : [data];
  const names = all.map((series) => nameOf(series.test, language));
  const span = spanOf(search.span);
  const showNotes = search.notes !== '0';
  const exportImage = async (): Promise<void> => {
    if (!(await exportPng(canvas.current, all, names)))
      show({ text: (words) => words.t('export_failed', { ns: 'labs' }), tone: 'bad' });
  };
  return (
    <div className="lab-series" aria-busy={isPlaceholderData}>
      <SeriesHead
        series={data}
        other={other}
        items={items}
        labels={labels}
        span={span}
        showNotes={showNotes}
        onCompare={(compare) => set({ compare })}
        onUnit={(unit) => set({ unit })}
        onSpan={(next) => set({ span: next === 'all' ? undefined : next })}
        onNotes={(on) => set({ notes: on ? undefined : '0' })}
        onCsv={() => exportCsv(all, names)}
        onPng={() => void exportImage()}
      />
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      <SeriesChart all={all} labels={labels} canvas={canvas} showNotes={showNotes} span={span} />
      <SeriesResults all={all} labels={labels} />
    </div>
  );
}

function exportCsv(all: readonly LabSeries[], names: readonly string[]): void {
  saveFile(new Blob(['\ufeff', csvOf(all)], { type: 'text/csv;charset=utf-8' }), fileNameOf(names, 'csv'));
}

async function exportPng(
  canvas: HTMLCanvasElement | null,
  all: readonly LabSeries[],
  names: readonly string[],
): Promise<boolean> {
  const image = canvas && (await imageOf(canvas, all, names));
  if (image) saveFile(image, fileNameOf(names, 'png'));
  return Boolean(image);
}

interface SeriesChartProps {
  all: readonly LabSeries[];
  labels: LabLabels;
  canvas: RefObject<HTMLCanvasElement | null>;
  showNotes: boolean;
  span: Span;
}

/** The chart with its explanations. */
function SeriesChart(props: SeriesChartProps) {
  const { all, labels, showNotes } = props;
  if (all.every((series) => series.points.length === 0))
    return (
      <div className="panel lab-chart-panel">
        <EmptyState title={labels.t('chart_empty')} />
      </div>
    );
  return (
    <>
      <ChartPanel {...props} />
      <ChartNote all={all} labels={labels} />
      {showNotes && all[0] && <NotesList series={all[0]} labels={labels} />}
    </>
  );
}

const SeriesResults = ({ all, labels }: { all: readonly LabSeries[]; labels: LabLabels }) =>
  all.map((series) => (
    <section key={series.test.key} className="lab-results">
      {all.length > 1 && <h2>{nameOf(series.test, labels.language)}</h2>}
      <SeriesTable series={series} labels={labels} />
      <ApartTable series={series} labels={labels} />
    </section>
  ));

/** The chart as an image, with a legend of names and units. */
const imageOf = (canvas: HTMLCanvasElement, all: readonly LabSeries[], names: readonly string[]) =>
  chartImageOf(
    canvas,
    names.map((name, index) => `${name}${all[index]?.unit ? ` (${all[index].unit})` : ''}`),
  );

function ChartPanel({ all, labels, canvas, showNotes, span }: SeriesChartProps) {
  const { t, language } = labels;
  const dates = all.flatMap((series) => series.points.map((point) => point.date)).sort();
  const names = all.map((series) => nameOf(series.test, language));
  return (
    <div className="panel lab-chart-panel">
      <Chart
        all={all}
        labels={labels}
        canvas={canvas}
        showNotes={showNotes}
        from={spanStart(dates.at(-1), span === 'all' ? null : Number(span))}
        label={t('chart', {
          names: names.join(', '),
          from: labels.date(dates[0] ?? null),
          to: labels.date(dates.at(-1) ?? null),
        })}
        tip={(series, point) => <Tip series={series} point={point} isCompared={all.length > 1} labels={labels} />}
      />
    </div>
  );
}

/** The placeholder while a trend loads. */
export function SeriesSkeleton({ labels: { t } }: { labels: LabLabels }) {
  return (
    <div className="lab-head" role="status">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton width={180} height={20} />
      <div className="panel lab-chart-panel">
        <Skeleton height={300} />
      </div>
      <Skeleton width="60%" />
      <Skeleton width="45%" />
    </div>
  );
}
