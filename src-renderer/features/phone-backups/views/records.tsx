import { ArrowLeft } from 'lucide-react';
import type { ClinicalRecord } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { ItemList } from '../item-list.tsx';
import { recordPdf } from '../pdf/record-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';
import { fhirFacts } from './fhir-facts.ts';

/** Characters of a resource's raw JSON that are shown. */
const SHOWN_LETTERS = 20_000;

/** A sender that is named by an address is called by its host. */
const hostOf = (source: string | null): string | null =>
  source !== null && URL.canParse(source) ? new URL(source).host || source : source;

const saveJson = (value: unknown, name: string): void =>
  saveBlob(new Blob([JSON.stringify(value, null, 2)], { type: 'application/fhir+json' }), `${name}.json`);

/** Clinical records that practices and hospitals sent to the phone. */
export default function RecordsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'healthRecords', {});
  const { total } = rows;
  const {
    index: active,
    row: record,
    choose,
  } = useActiveRow(source, 'healthRecords', {}, rows, (row) => row.record_identifier);
  const exports = [
    {
      name: t('as_fhir'),
      run: async () =>
        saveJson(
          {
            resourceType: 'Bundle',
            type: 'collection',
            entry: (await allRows(source, 'healthRecords', {}))
              .filter(({ fhir }) => fhir !== null)
              .map(({ fhir }) => ({ resource: fhir })),
          },
          'clinical-records',
        ),
    },
  ];
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">
        <Toolbar
          title={t('view.records')}
          count={total}
          source={source}
          labels={labels}
          exports={total ? exports : []}
        />
        {rows.error !== null && (
          <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
        )}
        {total === undefined && rows.error === null && <SkeletonLines count={10} label={t('loading')} />}
        {total === 0 && (
          <EmptyState title={t('none_of', { what: t('view.records') })}>
            {source.device.isEncrypted ? t('no_records_text') : t('no_health')}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <ItemList
            label={t('view.records')}
            count={total}
            rowHeight={58}
            active={active}
            onShow={rows.show}
            onActive={choose}
          >
            {(index) => {
              const row = rows.at(index);
              return (
                row && (
                  <div
                    className="phone-talk"
                    data-chosen={row.record_identifier === record?.record_identifier || undefined}
                  >
                    <span className="row">
                      <strong className="truncate">{row.title ?? labels.resource(row.resource_type)}</strong>
                      <span className="cap num push" title={labels.exact(row.recorded_at)}>
                        {labels.day(row.recorded_at)}
                      </span>
                    </span>
                    <span className="cap truncate">
                      {[labels.resource(row.resource_type), hostOf(row.source)].filter(Boolean).join(' · ')}
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
        {record && <RecordPage record={record} source={source} labels={labels} />}
      </div>
    </div>
  );
}

function RecordPage({ record, source, labels }: ViewProps & { record: ClinicalRecord }) {
  const { t, formats } = labels;
  const title = record.title ?? labels.resource(record.resource_type);
  const facts = fhirFacts(record.fhir);
  const dated = (value: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? formats.dateFull(value) : value);
  const factText = (fact: string, value: string): string => {
    if (fact === 'day' || fact === 'onset') return dated(value);
    return fact === 'status' ? labels.fhirStatus(value) : value;
  };
  return (
    <>
      <Toolbar
        title={title}
        count={undefined}
        source={source}
        labels={labels}
        pdf={
          record.fhir === null
            ? null
            : () =>
                recordPdf(
                  record,
                  {
                    title,
                    kind: labels.resource(record.resource_type),
                    sender: hostOf(record.source),
                    facts: facts.map(({ fact, value }) => [t(`fhir.${fact}`), factText(fact, value)] as const),
                  },
                  source.device,
                  labels,
                )
        }
        exports={
          record.fhir === null ? [] : [{ name: t('as_fhir'), run: async () => saveJson(record.fhir, safeName(title)) }]
        }
      />
      <article className="phone-contact">
        <p className="cap">
          {[
            labels.resource(record.resource_type),
            hostOf(record.source),
            record.recorded_at && t('received_on', { date: labels.day(record.recorded_at) }),
            record.fhir_version && `FHIR ${record.fhir_version}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {record.fhir === null ? (
          <Notice tone="warn">{t('broken_record')}</Notice>
        ) : (
          <>
            <dl className="phone-facts">
              {facts.map(({ fact, value }) => (
                <div key={fact}>
                  <dt>{t(`fhir.${fact}`)}</dt>
                  <dd className="num phone-lines">{factText(fact, value)}</dd>
                </div>
              ))}
            </dl>
            <details className="phone-raw" open={facts.length === 0}>
              <summary>{t('as_it_came')}</summary>
              <pre className="phone-text mono" tabIndex={0}>
                {JSON.stringify(record.fhir, null, 2).slice(0, SHOWN_LETTERS)}
              </pre>
            </details>
          </>
        )}
      </article>
    </>
  );
}
