import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';

const ROWS = 100;

/** Tables of a database and their rows, read by ranges: the file may be larger than the memory. */
export default function SqliteView({
  source,
  fileId,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  labels: PhoneLabels;
}) {
  const { t, formats } = labels;
  const [table, setTable] = useState<string | null>(null);
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'tables', fileId, table, offset],
    retry: false,
    placeholderData: (before) => before,
    queryFn: () => source.tables(fileId, table, offset),
  });
  if (error) return <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines count={8} label={t('loading')} />;
  if (data.table === null) return <EmptyState title={t('no_tables')} />;
  return (
    <div className="stack">
      <Field label={t('table')}>
        {(control) => (
          <Select
            {...control}
            value={data.table ?? ''}
            onChange={(event) => {
              setTable(event.target.value);
              setOffset(0);
            }}
            options={data.tables.map((name) => ({ value: name, label: name }))}
          />
        )}
      </Field>
      <div className="phone-cells" tabIndex={0} role="region" aria-label={data.table}>
        <table className="table">
          <thead>
            <tr>
              {data.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row, index) => (
              <tr key={offset + index}>
                {row.map((cell, column) => (
                  <td key={column} title={cell === null ? undefined : String(cell)}>
                    {cell === null ? <span className="cap">NULL</span> : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        <span className="cap num">
          {t('rows_of', {
            from: formats.count(Math.min(offset + 1, data.total)),
            to: formats.count(Math.min(offset + ROWS, data.total)),
            total: formats.count(data.total),
          })}
        </span>
        <span className="push row">
          <Button size="small" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - ROWS))}>
            {t('previous')}
          </Button>
          <Button size="small" disabled={offset + ROWS >= data.total} onClick={() => setOffset(offset + ROWS)}>
            {t('next')}
          </Button>
        </span>
      </div>
    </div>
  );
}
