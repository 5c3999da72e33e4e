import { useState } from 'react';
import type { HealthType, SampleRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Segments, Select } from '../../../ui/field.tsx';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { MAX_ROWS, rowsPdf } from '../pdf/rows-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { HealthChart } from './health-chart.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** The values of one type as a chart or a table, of all sources or of one. */
export function HealthTypePage({ type, source, labels }: ViewProps & { type: HealthType }) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const [sampleSource, setSampleSource] = useState<string | undefined>(undefined);
  const request = { query: { type: type.type, source: sampleSource } };
  const rows = useRowsOf(source, 'health', request);
  const title = labels.healthType(type.type);
  const loadSamples = (): Promise<SampleRow[]> => allRows(source, 'health', request);
  const isTable = search.part === 'table' || type.kind !== 'quantity';
  const makePdf = async (): Promise<PdfExport> => {
    const what = [t('view.health'), sampleSource].filter(Boolean).join(' · ');
    return rowsPdf({ title, what, ...pdfRows(await loadSamples(), labels) }, source.device, labels);
  };
  return (
    <>
      <Toolbar
        title={title}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={rows.total && rows.total <= MAX_ROWS ? makePdf : null}
        exports={[{ name: t('as_csv'), run: async () => saveSamplesCsv(`${type.type}.csv`, await loadSamples()) }]}
      >
        {type.kind === 'quantity' && (
          <Segments
            label={t('look')}
            value={isTable ? 'table' : 'chart'}
            options={[
              { value: 'chart', label: t('chart') },
              { value: 'table', label: t('table') },
            ]}
            onChange={(part) => set({ part: part === 'table' ? part : undefined })}
          />
        )}
        {type.sources.length > 1 && (
          <SourceSelect type={type} value={sampleSource} onChange={setSampleSource} labels={labels} />
        )}
      </Toolbar>
      {isTable ? (
        <RowTable
          rows={rows}
          label={title}
          idOf={(row) => row.sample_identifier}
          labels={labels}
          empty={{ title: t('no_match') }}
          columns={sampleColumns(labels)}
        />
      ) : (
        <HealthChart type={type} request={request} source={source} labels={labels} />
      )}
    </>
  );
}

interface SourceSelectProps {
  type: HealthType;
  value: string | undefined;
  onChange: (source: string | undefined) => void;
  labels: PhoneLabels;
}

/** Limits the values to those that one app or device recorded. */
function SourceSelect({ type, value, onChange, labels: { t, formats } }: SourceSelectProps) {
  return (
    <Select
      className="phone-album"
      aria-label={t('source')}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      options={[
        { value: '', label: t('all_sources') },
        ...type.sources.map(({ source: name, count }) => ({
          value: name,
          label: `${name} · ${formats.count(count)}`,
        })),
      ]}
    />
  );
}

function saveSamplesCsv(filename: string, samples: readonly SampleRow[]): void {
  saveCsv(
    filename,
    ['started_at', 'ended_at', 'day', 'timezone', 'type', 'value', 'unit', 'meaning', 'source', 'device'],
    samples.map((row) => [
      row.started_at,
      row.ended_at,
      row.day,
      row.timezone,
      row.type,
      row.value,
      row.unit,
      row.meaning,
      row.source,
      row.device,
    ]),
  );
}

const momentText = (row: SampleRow, labels: PhoneLabels): string =>
  `${labels.day(row.started_at)} ${labels.time(row.started_at)}`;
const valueText = (row: SampleRow, labels: PhoneLabels): string =>
  row.value === null
    ? labels.meaning(row.meaning)
    : labels.formats.withUnit(Math.round(row.value * 1000) / 1000, labels.unit(row.unit));
const sourceText = (row: SampleRow, { t }: PhoneLabels): string =>
  [row.source, row.is_user_entered && t('by_hand')].filter(Boolean).join(' · ');

function sampleColumns(labels: PhoneLabels): Column<SampleRow>[] {
  const { t } = labels;
  return [
    {
      name: t('date'),
      width: '170px',
      cell: (row) => momentText(row, labels),
      title: (row) => labels.exact(row.started_at),
    },
    { name: t('value'), width: 'minmax(0, 1fr)', cell: (row) => valueText(row, labels) },
    { name: t('source'), width: 'minmax(0, 1fr)', cell: (row) => sourceText(row, labels) },
  ];
}

function pdfRows(samples: readonly SampleRow[], labels: PhoneLabels) {
  const { t } = labels;
  return {
    lines: [],
    rows: samples,
    times: samples.map((row) => row.started_at),
    day: samples[0]?.day ?? null,
    columns: [
      { name: t('date'), share: 2.2, cell: (row: SampleRow) => momentText(row, labels) },
      { name: t('value'), share: 2, cell: (row: SampleRow) => valueText(row, labels) },
      { name: t('source'), share: 3, cell: (row: SampleRow) => sourceText(row, labels) },
    ],
  };
}
