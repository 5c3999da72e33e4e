import { ArrowLeft } from 'lucide-react';
import type { MedicationRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { ItemList } from '../item-list.tsx';
import { localDay } from '../local-day.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { rowsPdf } from '../pdf/rows-pdf.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';
import { RowTable } from './row-table.tsx';

const DOSE_COLUMNS = ['name', 'form', 'strength', 'taken_at', 'quantity', 'unit', 'status'];
const csvRows = (row: MedicationRow) =>
  row.doses.length === 0
    ? [[row.name, row.form, row.strength, null, null, null, null]]
    : row.doses.map((dose) => [row.name, row.form, row.strength, dose.taken_at, dose.quantity, dose.unit, dose.status]);

/** Medicines of the Health app, with the doses taken of each. */
export default function MedicationsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'medications', {});
  const { total } = rows;
  const {
    index: active,
    row: medicine,
    choose,
  } = useActiveRow(source, 'medications', {}, rows, (row) => row.medication_identifier);
  const nameOf = (row: MedicationRow): string => row.nickname ?? row.name ?? t('untitled');
  const csv = async (): Promise<void> =>
    saveBlob(
      new Blob([csvOf(DOSE_COLUMNS, (await allRows(source, 'medications', {})).flatMap(csvRows))], {
        type: 'text/csv',
      }),
      'medications.csv',
    );
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">
        <Toolbar
          title={t('view.medications')}
          count={total}
          source={source}
          labels={labels}
          exports={total ? [{ name: t('as_csv'), run: csv }] : []}
        />
        {rows.error !== null && (
          <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
        )}
        {total === undefined && rows.error === null && <SkeletonLines count={6} label={t('loading')} />}
        {total === 0 && (
          <EmptyState title={t('none_of', { what: t('view.medications') })}>
            {source.device.isEncrypted ? t('none_text') : t('no_health')}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <ItemList
            label={t('view.medications')}
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
                    data-chosen={row.medication_identifier === medicine?.medication_identifier || undefined}
                  >
                    <span className="row">
                      <strong className="truncate">{nameOf(row)}</strong>
                      {row.is_archived && <Tag>{t('archived')}</Tag>}
                    </span>
                    <span className="cap truncate">
                      {[
                        row.form,
                        row.strength,
                        row.doses.length > 0 &&
                          t('doses_count', { count: row.doses.length, number: labels.formats.count(row.doses.length) }),
                      ]
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
        {medicine && (
          <MedicinePage
            key={medicine.medication_identifier}
            medicine={medicine}
            title={nameOf(medicine)}
            source={source}
            labels={labels}
          />
        )}
      </div>
    </div>
  );
}

function MedicinePage({ medicine, title, source, labels }: ViewProps & { medicine: MedicationRow; title: string }) {
  const { t, formats } = labels;
  const doses = medicine.doses.toSorted((a, b) => (b.taken_at ?? '').localeCompare(a.taken_at ?? ''));
  const facts = [
    [t('name'), medicine.nickname === null ? null : medicine.name],
    [t('form'), medicine.form],
    [t('strength'), medicine.strength],
    [t('since'), medicine.created_at && formats.dateFull(localDay(medicine.created_at))],
    [t('doses'), doses.length === 0 ? null : formats.count(doses.filter(({ status }) => status === 'taken').length)],
  ] as const;
  const pdf = (): PdfExport =>
    rowsPdf(
      {
        title,
        lines: facts.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])),
        rows: doses,
        times: doses.map(({ taken_at: at }) => at),
        what: t('view.medications'),
        columns: [
          {
            name: t('date'),
            share: 2,
            cell: (dose) =>
              dose.taken_at === null ? t('date_unknown') : `${labels.day(dose.taken_at)} ${labels.time(dose.taken_at)}`,
          },
          {
            name: t('quantity'),
            share: 1,
            cell: (dose) => (dose.quantity === null ? '' : formats.withUnit(dose.quantity, dose.unit)),
          },
          { name: t('what'), share: 1, cell: (dose) => t(`dose.${dose.status}`) },
        ],
      },
      source.device,
      labels,
    );
  return (
    <>
      <Toolbar
        title={title}
        count={undefined}
        source={source}
        labels={labels}
        pdf={pdf}
        exports={[
          {
            name: t('as_csv'),
            run: async () =>
              saveBlob(new Blob([csvOf(DOSE_COLUMNS, csvRows(medicine))], { type: 'text/csv' }), 'medicine.csv'),
          },
        ]}
      />
      <dl className="phone-facts phone-medicine">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <RowTable
        rows={{ total: doses.length, error: null, at: (index) => doses[index], show: () => {}, retry: () => {} }}
        label={t('doses_of', { name: title })}
        idOf={(dose) => dose.taken_at ?? ''}
        labels={labels}
        nothing={{ title: t('no_doses') }}
        columns={[
          {
            name: t('date'),
            width: 'minmax(0, 1fr)',
            cell: (dose) =>
              dose.taken_at === null ? t('date_unknown') : `${labels.day(dose.taken_at)} ${labels.time(dose.taken_at)}`,
            title: (dose) => labels.exact(dose.taken_at),
          },
          {
            name: t('quantity'),
            width: 'minmax(0, 1fr)',
            cell: (dose) => (dose.quantity === null ? '' : formats.withUnit(dose.quantity, dose.unit)),
          },
          { name: t('what'), width: 'minmax(0, 1fr)', cell: (dose) => t(`dose.${dose.status}`) },
        ]}
      />
    </>
  );
}
