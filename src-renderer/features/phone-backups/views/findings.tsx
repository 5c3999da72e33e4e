import { Download } from 'lucide-react';
import { useState } from 'react';
import type { IntegrityFinding } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { RowTable } from './row-table.tsx';

/** Heights of the table's rows, and how many of them are visible. */
const HEAD = 36,
  ROW = 38,
  MAX_ROWS = 10;
type Fault = IntegrityFinding['fault'];

/** Lists the files that failed the check, by fault; the list can be saved. */
export function Findings({
  faults,
  listed,
  source,
  labels,
}: ViewProps & { faults: readonly { fault: Fault; count: number }[]; listed: number }) {
  const { t, formats } = labels;
  const { show } = useToasts();
  const [only, setOnly] = useState<Fault | undefined>(undefined);
  const rows = useRowsOf(source, 'integrityFindings', { query: { fault: only } });
  const total = faults.reduce((sum, { count }) => sum + count, 0);
  const save = async (): Promise<void> => {
    try {
      const all = await allRows(source, 'integrityFindings', { query: { fault: only } });
      saveBlob(
        new Blob(
          [
            csvOf(
              ['fault', 'domain', 'path', 'file_id', 'expected_bytes', 'actual_bytes'],
              all.map((row) => [
                row.fault,
                row.domain,
                row.relative_path,
                row.file_id,
                row.expected_bytes,
                row.actual_bytes,
              ]),
            ),
          ],
          { type: 'text/csv' },
        ),
        `${safeName(source.device.name ?? source.device.id)}-files.csv`,
      );
    } catch (error) {
      show({ text: labels.error(error), tone: 'bad' });
    }
  };
  const bytes = (count: number | null): string => (count === null ? '–' : formats.bytes(count));
  return (
    <>
      <div className="row phone-chips" role="group" aria-label={t('kinds')}>
        {faults.length > 1 && (
          <Chip on={only === undefined} aria-pressed={only === undefined} onClick={() => setOnly(undefined)}>
            {t('everything')}
          </Chip>
        )}
        {faults.length > 1 &&
          faults.map(({ fault }) => (
            <Chip key={fault} on={only === fault} aria-pressed={only === fault} onClick={() => setOnly(fault)}>
              {t(`fault.${fault}`)}
            </Chip>
          ))}
        <Button size="small" className="push" glyph={Download} onClick={() => void save()}>
          {t('as_csv_list')}
        </Button>
      </div>
      {listed < total && <p className="cap">{t('listed_first', { listed: formats.count(listed) })}</p>}
      <div
        className="phone-findings"
        style={{ height: HEAD + ROW * Math.min(MAX_ROWS, Math.max(1, rows.total ?? MAX_ROWS)) }}
      >
        <RowTable
          rows={rows}
          label={t('check_title')}
          idOf={(row) => row.file_id}
          labels={labels}
          nothing={{ title: t('no_match') }}
          columns={[
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
              cell: (row) => bytes(row.expected_bytes),
              title: (row) => (row.expected_bytes === null ? undefined : `${formats.count(row.expected_bytes)} B`),
              isNumber: true,
            },
            {
              name: t('found'),
              width: '92px',
              cell: (row) => bytes(row.actual_bytes),
              title: (row) => (row.actual_bytes === null ? undefined : `${formats.count(row.actual_bytes)} B`),
              isNumber: true,
            },
          ]}
        />
      </div>
    </>
  );
}
