import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { useMayEdit } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Segments, Select } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { ItemList } from '../item-list.tsx';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { MAX_ROWS, rowsPdf } from '../pdf/rows-pdf.ts';
import { allRows, useAnswer, useRowsOf } from '../queries.ts';
import { HealthSendDialog } from '../send/health-dialog.tsx';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { HealthChart } from './health-chart.tsx';
import { RowTable } from './row-table.tsx';

/** HKFitzpatrickSkinType: 1 to 6 are called I to VI. */
const SKIN: Readonly<Record<number, string>> = { 1: 'I', 2: 'II', 3: 'III', 4: 'IV', 5: 'V', 6: 'VI' };

/** Kinds of health values with a chart of each. */
export default function HealthView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const mayEdit = useMayEdit();
  const { data, error, refetch } = useAnswer(source, 'healthTypes', {});
  const [isSending, setSending] = useState(false);
  const types = (data?.types ?? []).toSorted((a, b) => b.count - a.count);
  const active = Math.max(
    0,
    types.findIndex(({ type }) => type === search.item),
  );
  const activeType: HealthType | undefined = types[active];
  const facts = data?.characteristics;
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">
        <Toolbar title={t('view.health')} count={data?.types.length} source={source} labels={labels}>
          {mayEdit && types.some(({ is_measurement: isMeasurement }) => isMeasurement) && (
            <Button size="small" className="push" onClick={() => setSending(true)}>
              {t('send_health')}
            </Button>
          )}
        </Toolbar>
        {error && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonLines count={10} label={t('loading')} />}
        {data && types.length === 0 && (
          <EmptyState title={t('none_of', { what: t('view.health') })}>
            {source.device.isEncrypted ? t('none_text') : t('no_health')}
          </EmptyState>
        )}
        {facts && Object.values(facts).some(Boolean) && (
          <p className="cap phone-characteristics">
            {[
              facts.date_of_birth && t('born', { date: formats.date(facts.date_of_birth) }),
              facts.sex && t(`sex.${facts.sex}`),
              facts.blood_type && t('blood', { type: facts.blood_type }),
              facts.skin_type && t('skin', { type: SKIN[facts.skin_type] ?? '' }),
              facts.wheelchair && t('wheelchair'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {types.length > 0 && (
          <ItemList
            label={t('view.health')}
            count={types.length}
            rowHeight={50}
            active={active}
            onShow={() => {}}
            onActive={(index) => set({ item: types[index]?.type, part: undefined })}
          >
            {(index) => {
              const type = types[index];
              return (
                type && (
                  <div className="phone-talk" data-chosen={index === active || undefined}>
                    <span className="row">
                      <strong className="truncate">{labels.healthType(type.type)}</strong>
                      {type.is_measurement && <Tag>{t('measurement')}</Tag>}
                      <span className="cap num push">{formats.count(type.count)}</span>
                    </span>
                    <span className="cap truncate num">
                      {[labels.unit(type.unit), labels.day(type.first_at), labels.day(type.last_at)]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </div>
                )
              );
            }}
          </ItemList>
        )}
      </div>
      <div className="phone-pane-main">
        <Button
          className="phone-back"
          variant="quiet"
          size="small"
          glyph={ArrowLeft}
          onClick={() => set({ item: undefined })}
        >
          {t('back')}
        </Button>
        {activeType && <TypePage key={activeType.type} type={activeType} source={source} labels={labels} />}
      </div>
      {isSending && (
        <HealthSendDialog types={types} source={source} labels={labels} onClose={() => setSending(false)} />
      )}
    </div>
  );
}

function TypePage({ type, source, labels }: ViewProps & { type: HealthType }) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const [from, setFrom] = useState<string | undefined>(undefined);
  const request = { query: { type: type.type, source: from } };
  const rows = useRowsOf(source, 'health', request);
  const csv = async (): Promise<void> =>
    saveBlob(
      new Blob(
        [
          csvOf(
            ['started_at', 'ended_at', 'day', 'timezone', 'type', 'value', 'unit', 'meaning', 'source', 'device'],
            (await allRows(source, 'health', request)).map((row) => [
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
          ),
        ],
        { type: 'text/csv' },
      ),
      `${type.type}.csv`,
    );
  const isTable = search.part === 'table' || type.kind !== 'quantity';
  const pdf = async (): Promise<PdfExport> => {
    const samples = await allRows(source, 'health', request);
    return rowsPdf(
      {
        title: labels.healthType(type.type),
        lines: [],
        rows: samples,
        times: samples.map((row) => row.started_at),
        day: samples[0]?.day ?? null,
        what: [t('view.health'), from].filter(Boolean).join(' · '),
        columns: [
          {
            name: t('date'),
            share: 2.2,
            cell: (row) => `${labels.day(row.started_at)} ${labels.time(row.started_at)}`,
          },
          {
            name: t('value'),
            share: 2,
            cell: (row) =>
              row.value === null
                ? labels.meaning(row.meaning)
                : formats.withUnit(Math.round(row.value * 1000) / 1000, labels.unit(row.unit)),
          },
          {
            name: t('source'),
            share: 3,
            cell: (row) => [row.source, row.is_user_entered && t('by_hand')].filter(Boolean).join(' · '),
          },
        ],
      },
      source.device,
      labels,
    );
  };
  return (
    <>
      <Toolbar
        title={labels.healthType(type.type)}
        count={rows.total}
        source={source}
        labels={labels}
        pdf={rows.total && rows.total <= MAX_ROWS ? pdf : null}
        exports={[{ name: t('as_csv'), run: csv }]}
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
          <Select
            className="phone-album"
            aria-label={t('source')}
            value={from ?? ''}
            onChange={(event) => setFrom(event.target.value || undefined)}
            options={[
              { value: '', label: t('all_sources') },
              ...type.sources.map(({ source: name, count }) => ({
                value: name,
                label: `${name} · ${formats.count(count)}`,
              })),
            ]}
          />
        )}
      </Toolbar>
      {isTable ? (
        <RowTable
          rows={rows}
          label={labels.healthType(type.type)}
          idOf={(row) => row.sample_identifier}
          labels={labels}
          nothing={{ title: t('no_match') }}
          columns={[
            {
              name: t('date'),
              width: '170px',
              cell: (row) => `${labels.day(row.started_at)} ${labels.time(row.started_at)}`,
              title: (row) => labels.exact(row.started_at),
            },
            {
              name: t('value'),
              width: 'minmax(0, 1fr)',
              cell: (row) =>
                row.value === null
                  ? labels.meaning(row.meaning)
                  : formats.withUnit(Math.round(row.value * 1000) / 1000, labels.unit(row.unit)),
            },
            {
              name: t('source'),
              width: 'minmax(0, 1fr)',
              cell: (row) => [row.source, row.is_user_entered && t('by_hand')].filter(Boolean).join(' · '),
            },
          ]}
        />
      ) : (
        <HealthChart type={type} request={request} source={source} labels={labels} />
      )}
    </>
  );
}
