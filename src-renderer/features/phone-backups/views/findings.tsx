import { Download } from 'lucide-react';
import { useState } from 'react';
import type { IntegrityFinding } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import type { ViewProps } from './view-props.ts';
import { safeName } from '../export/file-name.ts';
import { saveCsv } from '../export/save-csv.ts';
import { phoneErrorText, type PhoneLabels } from '../labels.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { RowTable, type Column } from './row-table.tsx';

const HEAD_HEIGHT = 36;
const ROW_HEIGHT = 38;
/** Rows that are visible without scrolling. */
const MAX_VISIBLE_ROWS = 10;
type Fault = IntegrityFinding['fault'];

/** Lists the files that failed the check, by fault; the list can be saved. */
export function Findings({
  faults,
  listedCount,
  source,
  labels,
}: ViewProps & { faults: readonly { fault: Fault; count: number }[]; listedCount: number }) {
  const { t, formats } = labels;
  const { show } = useToasts();
  const [only, setOnly] = useState<Fault | undefined>(undefined);
  const rows = useRowsOf(source, 'integrityFindings', { query: { fault: only } });
  const total = faults.reduce((sum, { count }) => sum + count, 0);
  const visibleRows = Math.min(MAX_VISIBLE_ROWS, Math.max(1, rows.total ?? MAX_VISIBLE_ROWS));
  const save = async (): Promise<void> => {
    try {
      const findings = await allRows(source, 'integrityFindings', { query: { fault: only } });
      saveFindingsCsv(`${safeName(source.device.name ?? source.device.id)}-files.csv`, findings);
    } catch (error) {
      show({ text: phoneErrorText(error), tone: 'bad' });
    }
  };
  return (
    <>
      <div className="row phone-chips" role="group" aria-label={t('kinds')}>
        {faults.length > 1 && (
          <FaultChips faults={faults.map(({ fault }) => fault)} only={only} onChange={setOnly} labels={labels} />
        )}
        <Button size="small" className="push" glyph={Download} onClick={() => void save()}>
          {t('as_csv_list')}
        </Button>
      </div>
      {listedCount < total && <p className="cap">{t('listed_first', { listed: formats.count(listedCount) })}</p>}
      <div className="phone-findings" style={{ height: HEAD_HEIGHT + ROW_HEIGHT * visibleRows }}>
        <RowTable
          rows={rows}
          label={t('check_title')}
          idOf={(row) => row.file_id}
          labels={labels}
          empty={{ title: t('no_match') }}
          columns={findingColumns(labels)}
        />
      </div>
    </>
  );
}

function saveFindingsCsv(filename: string, findings: readonly IntegrityFinding[]): void {
  saveCsv(
    filename,
    ['fault', 'domain', 'path', 'file_id', 'expected_bytes', 'actual_bytes'],
    findings.map((row) => [
      row.fault,
      row.domain,
      row.relative_path,
      row.file_id,
      row.expected_bytes,
      row.actual_bytes,
    ]),
  );
}

interface ChipsProps {
  faults: readonly Fault[];
  only: Fault | undefined;
  onChange: (fault: Fault | undefined) => void;
  labels: PhoneLabels;
}

function FaultChips({ faults, only, onChange, labels: { t } }: ChipsProps) {
  return (
    <>
      <Chip isOn={only === undefined} aria-pressed={only === undefined} onClick={() => onChange(undefined)}>
        {t('everything')}
      </Chip>
      {faults.map((fault) => (
        <Chip key={fault} isOn={only === fault} aria-pressed={only === fault} onClick={() => onChange(fault)}>
          {t(`fault.${fault}`)}
        </Chip>
      ))}
    </>
  );
}

function findingColumns({ t, formats }: PhoneLabels): Column<IntegrityFinding>[] {
  const sizeText = (bytes: number | null): string => (bytes === null ? '–' : formats.bytes(bytes));
  const exactSize = (bytes: number | null): string | undefined =>
    bytes === null ? undefined : formats.withUnit(formats.count(bytes), 'B');
  return [
    {
      name: t('path'),
      width: 'minmax(0, 2.2fr)',
      cell: (row) => row.relative_path || row.file_id,
      title: (row) => row.relative_path,
    },
    {
      name: t('domain'),
      width: 'minmax(0, 1fr)',
      cell: (row) => <span className="mono">{row.domain}</span>,
      title: (row) => row.domain,
    },
    { name: t('what'), width: 'minmax(0, .8fr)', cell: (row) => t(`fault.${row.fault}`) },
    {
      name: t('expected'),
      width: '92px',
      cell: (row) => sizeText(row.expected_bytes),
      title: (row) => exactSize(row.expected_bytes),
      isNumber: true,
    },
    {
      name: t('found'),
      width: '92px',
      cell: (row) => sizeText(row.actual_bytes),
      title: (row) => exactSize(row.actual_bytes),
      isNumber: true,
    },
  ];
}
