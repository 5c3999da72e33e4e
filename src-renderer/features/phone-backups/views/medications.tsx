import type { MedicationRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Tag } from '../../../ui/chip.tsx';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { ListAndPage, RowList } from './list-and-page.tsx';
import { csvRowsOf, DOSE_COLUMNS, MedicationPage } from './medication-page.tsx';
import type { ViewProps } from './view-props.ts';

/** Medications of the Health app, with the doses taken of each. */
export default function MedicationsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'medications', {});
  const { total } = rows;
  const {
    index,
    row: medication,
    open,
  } = useActiveRow(source, 'medications', {}, rows, (row) => row.medication_identifier);
  const nameOf = (row: MedicationRow): string => row.nickname ?? row.name ?? t('untitled');
  const saveAll = async (): Promise<void> =>
    saveCsv('medications.csv', DOSE_COLUMNS, (await allRows(source, 'medications', {})).flatMap(csvRowsOf));
  const list = (
    <>
      <Toolbar
        title={t('view.medications')}
        count={total}
        source={source}
        labels={labels}
        exports={total ? [{ name: t('as_csv'), run: saveAll }] : []}
      />
      <RowList
        rows={rows}
        label={t('view.medications')}
        rowHeight={58}
        skeletonLines={6}
        active={index}
        onActive={open}
        empty={{
          title: t('none_of', { what: t('view.medications') }),
          text: source.device.isEncrypted ? t('none_text') : t('no_health'),
        }}
        labels={labels}
      >
        {(row) => (
          <MedicationItem
            medication={row}
            name={nameOf(row)}
            isOpen={row.medication_identifier === medication?.medication_identifier}
            labels={labels}
          />
        )}
      </RowList>
    </>
  );
  return (
    <ListAndPage list={list} labels={labels}>
      {medication && (
        <MedicationPage
          key={medication.medication_identifier}
          medication={medication}
          title={nameOf(medication)}
          source={source}
          labels={labels}
        />
      )}
    </ListAndPage>
  );
}

interface ItemProps {
  medication: MedicationRow;
  name: string;
  isOpen: boolean;
  labels: PhoneLabels;
}

function MedicationItem({ medication, name, isOpen, labels }: ItemProps) {
  const { t, formats } = labels;
  const { form, strength, doses, is_archived: isArchived } = medication;
  const doseCount = doses.length > 0 && t('doses_count', { count: doses.length, number: formats.count(doses.length) });
  return (
    <div className="phone-item" data-selected={isOpen || undefined}>
      <span className="row">
        <strong className="truncate">{name}</strong>
        {isArchived && <Tag>{t('archived')}</Tag>}
      </span>
      <span className="cap truncate">{[form, strength, doseCount].filter(Boolean).join(' · ')}</span>
    </div>
  );
}
