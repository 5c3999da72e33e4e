import type { MedicationRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { localDay } from '../local-day.ts';
import type { PdfDevice, PdfExport } from '../pdf/pdf-head.ts';
import { rowsPdf } from '../pdf/rows-pdf.ts';
import type { Rows } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';
import '../facts.css';

type Dose = MedicationRow['doses'][number];

export const DOSE_COLUMNS = ['name', 'form', 'strength', 'taken_at', 'quantity', 'unit', 'status'];
/** A CSV row for each dose, or one for a medication without doses. */
export const csvRowsOf = (row: MedicationRow) =>
  row.doses.length === 0
    ? [[row.name, row.form, row.strength, null, null, null, null]]
    : row.doses.map((dose) => [row.name, row.form, row.strength, dose.taken_at, dose.quantity, dose.unit, dose.status]);

const takenText = ({ taken_at: at }: Dose, labels: PhoneLabels): string =>
  at === null ? labels.t('date_unknown') : `${labels.day(at)} ${labels.time(at)}`;
const quantityText = ({ quantity, unit }: Dose, { formats }: PhoneLabels): string =>
  quantity === null ? '' : formats.withUnit(quantity, unit);

/** The facts of a medication, and its doses, last taken first. */
export function MedicationPage({
  medication,
  title,
  source,
  labels,
}: ViewProps & { medication: MedicationRow; title: string }) {
  const { t } = labels;
  const doses = medication.doses.toSorted((a, b) => (b.taken_at ?? '').localeCompare(a.taken_at ?? ''));
  const facts = medicationFacts(medication, labels);
  const doseRows: Rows<Dose> = {
    total: doses.length,
    error: null,
    at: (index) => doses[index],
    show: () => {},
    retry: () => {},
  };
  const makePdf = (): PdfExport => dosesPdf(title, facts, doses, source.device, labels);
  return (
    <>
      <Toolbar
        title={title}
        count={undefined}
        source={source}
        labels={labels}
        pdf={makePdf}
        exports={[{ name: t('as_csv'), run: async () => saveCsv('medicine.csv', DOSE_COLUMNS, csvRowsOf(medication)) }]}
      />
      <dl className="phone-facts phone-medicine">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <RowTable
        rows={doseRows}
        label={t('doses_of', { name: title })}
        idOf={(dose) => dose.taken_at ?? ''}
        labels={labels}
        empty={{ title: t('no_doses') }}
        columns={doseColumns(labels)}
      />
    </>
  );
}

function dosesPdf(
  title: string,
  facts: readonly (readonly [name: string, value: string])[],
  doses: readonly Dose[],
  device: PdfDevice,
  labels: PhoneLabels,
): PdfExport {
  const { t } = labels;
  return rowsPdf(
    {
      title,
      lines: facts.map(([name, value]) => `${name}: ${value}`),
      rows: doses,
      times: doses.map(({ taken_at: at }) => at),
      what: t('view.medications'),
      columns: [
        { name: t('date'), share: 2, cell: (dose) => takenText(dose, labels) },
        { name: t('quantity'), share: 1, cell: (dose) => quantityText(dose, labels) },
        { name: t('what'), share: 1, cell: (dose) => t(`dose.${dose.status}`) },
      ],
    },
    device,
    labels,
  );
}

function medicationFacts(
  { name, nickname, form, strength, created_at: createdAt, doses }: MedicationRow,
  { t, formats }: PhoneLabels,
): [name: string, value: string][] {
  const takenCount = doses.filter(({ status }) => status === 'taken').length;
  const facts: [string, string | null][] = [
    [t('name'), nickname === null ? null : name],
    [t('form'), form],
    [t('strength'), strength],
    [t('since'), createdAt && formats.dateFull(localDay(createdAt))],
    [t('doses'), doses.length === 0 ? null : formats.count(takenCount)],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value]] : []));
}

function doseColumns(labels: PhoneLabels): Column<Dose>[] {
  const { t } = labels;
  return [
    {
      name: t('date'),
      width: 'minmax(0, 1fr)',
      cell: (dose) => takenText(dose, labels),
      title: (dose) => labels.exact(dose.taken_at),
    },
    { name: t('quantity'), width: 'minmax(0, 1fr)', cell: (dose) => quantityText(dose, labels) },
    { name: t('what'), width: 'minmax(0, 1fr)', cell: (dose) => t(`dose.${dose.status}`) },
  ];
}
