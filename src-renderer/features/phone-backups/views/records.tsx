import type { ClinicalRecord } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Notice } from '../../../ui/states.tsx';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import type { PhoneLabels } from '../labels.ts';
import { recordPdf } from '../pdf/record-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { fhirFacts } from './fhir-facts.ts';
import { ListAndPage, RowList } from './list-and-page.tsx';
import type { ViewProps } from './view-props.ts';
import '../facts.css';
import '../preview/preview.css';
import './open-item.css';

/** Characters of a resource's raw JSON that are shown. */
const MAX_RAW_CHARACTERS = 20_000;

/** Shortens the address of a sender to its host. */
const hostOf = (source: string | null): string | null =>
  source !== null && URL.canParse(source) ? new URL(source).host || source : source;

const saveJson = (value: unknown, name: string): void =>
  saveBlob(new Blob([JSON.stringify(value, null, 2)], { type: 'application/fhir+json' }), `${name}.json`);

/** A FHIR collection of all resources; damaged records have none. */
const bundleOf = (records: readonly ClinicalRecord[]): unknown => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: records.filter(({ fhir }) => fhir !== null).map(({ fhir }) => ({ resource: fhir })),
});

/** Clinical records that practices and hospitals sent to the phone. */
export default function RecordsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'healthRecords', {});
  const { total } = rows;
  const { index, row: record, open } = useActiveRow(source, 'healthRecords', {}, rows, (row) => row.record_identifier);
  const saveAll = async (): Promise<void> =>
    saveJson(bundleOf(await allRows(source, 'healthRecords', {})), 'clinical-records');
  const list = (
    <>
      <Toolbar
        title={t('view.records')}
        count={total}
        source={source}
        labels={labels}
        exports={total ? [{ name: t('as_fhir'), run: saveAll }] : []}
      />
      <RowList
        rows={rows}
        label={t('view.records')}
        rowHeight={58}
        active={index}
        onActive={open}
        empty={{
          title: t('none_of', { what: t('view.records') }),
          text: source.device.isEncrypted ? t('no_records_text') : t('no_health'),
        }}
        labels={labels}
      >
        {(row) => (
          <RecordItem record={row} isOpen={row.record_identifier === record?.record_identifier} labels={labels} />
        )}
      </RowList>
    </>
  );
  return (
    <ListAndPage list={list} labels={labels}>
      {record && <RecordPage record={record} source={source} labels={labels} />}
    </ListAndPage>
  );
}

const titleOf = (record: ClinicalRecord, labels: PhoneLabels): string =>
  record.title ?? labels.resource(record.resource_type);

function RecordItem({ record, isOpen, labels }: { record: ClinicalRecord; isOpen: boolean; labels: PhoneLabels }) {
  return (
    <div className="phone-item" data-selected={isOpen || undefined}>
      <span className="row">
        <strong className="truncate">{titleOf(record, labels)}</strong>
        <span className="cap num push" title={labels.exact(record.recorded_at)}>
          {labels.day(record.recorded_at)}
        </span>
      </span>
      <span className="cap truncate">
        {[labels.resource(record.resource_type), hostOf(record.source)].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}

/** The main facts of a resource with their labels. */
function labeledFacts(fhir: unknown, labels: PhoneLabels): (readonly [name: string, value: string])[] {
  const { t, formats } = labels;
  const dateText = (value: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? formats.dateFull(value) : value);
  const factText = (fact: string, value: string): string => {
    if (fact === 'day' || fact === 'onset') return dateText(value);
    return fact === 'status' ? labels.fhirStatus(value) : value;
  };
  return fhirFacts(fhir).map(({ fact, value }) => [t(`fhir.${fact}`), factText(fact, value)]);
}

function RecordPage({ record, source, labels }: ViewProps & { record: ClinicalRecord }) {
  const { t } = labels;
  const title = titleOf(record, labels);
  const kind = labels.resource(record.resource_type);
  const sender = hostOf(record.source);
  const facts = labeledFacts(record.fhir, labels);
  const isReadable = record.fhir !== null;
  const makePdf = () => recordPdf(record, { title, kind, sender, facts }, source.device, labels);
  const saveRecord = async (): Promise<void> => saveJson(record.fhir, safeName(title));
  return (
    <>
      <Toolbar
        title={title}
        count={undefined}
        source={source}
        labels={labels}
        pdf={isReadable ? makePdf : null}
        exports={isReadable ? [{ name: t('as_fhir'), run: saveRecord }] : []}
      />
      <article className="phone-contact">
        <p className="cap">
          {[
            kind,
            sender,
            record.recorded_at && t('received_on', { date: labels.day(record.recorded_at) }),
            record.fhir_version && t('fhir_version', { version: record.fhir_version }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {isReadable ? (
          <RecordFacts record={record} facts={facts} labels={labels} />
        ) : (
          <Notice tone="warn">{t('broken_record')}</Notice>
        )}
      </article>
    </>
  );
}

interface FactsProps {
  record: ClinicalRecord;
  facts: readonly (readonly [name: string, value: string])[];
  labels: PhoneLabels;
}

function RecordFacts({ record, facts, labels }: FactsProps) {
  return (
    <>
      <dl className="phone-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num phone-lines">{value}</dd>
          </div>
        ))}
      </dl>
      <details className="phone-raw" open={facts.length === 0}>
        <summary>{labels.t('as_it_came')}</summary>
        <pre className="phone-text mono" tabIndex={0}>
          {JSON.stringify(record.fhir, null, 2).slice(0, MAX_RAW_CHARACTERS)}
        </pre>
      </details>
    </>
  );
}
