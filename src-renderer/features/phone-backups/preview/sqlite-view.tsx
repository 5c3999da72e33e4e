import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource, TableView } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';

/** Rows per page; the source returns as many. */
const PAGE_ROWS = 100;

/**
 * Tables of a database and their rows. Only ranges of the file are read, because it may be larger than the available
 * memory.
 */
export default function SqliteView({
  source,
  fileId,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  labels: PhoneLabels;
}) {
  const { t } = labels;
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
            translate="no"
            value={data.table ?? ''}
            onChange={(event) => {
              setTable(event.target.value);
              setOffset(0);
            }}
            options={data.tables.map((name) => ({ value: name, label: name }))}
          />
        )}
      </Field>
      <TableCells view={data} offset={offset} />
      <PageButtons offset={offset} total={data.total} onChange={setOffset} labels={labels} />
    </div>
  );
}

function TableCells({ view, offset }: { view: TableView; offset: number }) {
  return (
    <div className="phone-cells" translate="no" tabIndex={0} role="region" aria-label={view.table ?? undefined}>
      <table className="table">
        <thead>
          <tr>
            {view.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row, index) => (
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
  );
}

interface PageProps {
  offset: number;
  total: number;
  onChange: (offset: number) => void;
  labels: PhoneLabels;
}

function PageButtons({ offset, total, onChange, labels: { t, formats } }: PageProps) {
  return (
    <div className="row">
      <span className="cap num">
        {t('rows_of', {
          from: formats.count(Math.min(offset + 1, total)),
          to: formats.count(Math.min(offset + PAGE_ROWS, total)),
          total: formats.count(total),
        })}
      </span>
      <span className="push row">
        <Button size="small" disabled={offset === 0} onClick={() => onChange(Math.max(0, offset - PAGE_ROWS))}>
          {t('previous')}
        </Button>
        <Button size="small" disabled={offset + PAGE_ROWS >= total} onClick={() => onChange(offset + PAGE_ROWS)}>
          {t('next')}
        </Button>
      </span>
    </div>
  );
}
