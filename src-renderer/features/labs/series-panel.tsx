import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { Chart } from './chart.tsx';
import { spanStart } from './chart-model.ts';
import { ChartNote, NotesList, Tip } from './chart-notes.tsx';
import { csvOf, fileNameOf, saveFile } from './export.ts';
import { nameOf } from './groups.ts';
import { pictureOf } from './picture.ts';
import { useSeries } from './queries.ts';
import { SeriesHead, spanOf } from './series-head.tsx';
import { ApartTable, SeriesTable } from './series-table.tsx';
import type { LabLabels } from './labels.ts';

/** One test over time: chart, what it means, and every result in a table. */
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
  const compared = useSeries(patient, search.compare === test ? undefined : search.compare, undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  const set = (part: Partial<typeof search>): void =>
    void navigate({ to: '/labs', search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  if (error && !data)
    return <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />;
  if (!data) return <SeriesSkeleton labels={labels} />;
  const other = search.compare && search.compare !== test ? compared.data : undefined;
  const all = other ? [data, other] : [data];
  const names = all.map((series) => nameOf(series.test, language));
  const dates = all.flatMap((series) => series.points.map((point) => point.date)).sort();
  const span = spanOf(search.span),
    showNotes = search.notes !== '0';
  const png = async (): Promise<void> => {
    const picture =
      canvas.current &&
      (await pictureOf(
        canvas.current,
        names.map((name, index) => `${name}${all[index]?.unit ? ` (${all[index].unit})` : ''}`),
      ));
    if (picture) saveFile(picture, fileNameOf(names, 'png'));
    else show({ text: t('export_failed'), tone: 'bad' });
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
        onCsv={() =>
          saveFile(new Blob(['\ufeff', csvOf(all)], { type: 'text/csv;charset=utf-8' }), fileNameOf(names, 'csv'))
        }
        onPng={() => void png()}
      />
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {dates.length === 0 ? (
        <div className="panel lab-chart-panel">
          <EmptyState title={t('chart_empty')} />
        </div>
      ) : (
        <>
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
          <ChartNote all={all} labels={labels} />
          {showNotes && <NotesList series={data} labels={labels} />}
        </>
      )}
      {all.map((series) => (
        <section key={series.test.key} className="lab-results">
          {all.length > 1 && <h2>{nameOf(series.test, language)}</h2>}
          <SeriesTable series={series} labels={labels} />
          <ApartTable series={series} labels={labels} />
        </section>
      ))}
    </div>
  );
}

/** In the place of a course that is on its way. */
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
