import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type CSSProperties, type ReactNode } from 'react';
import { Checkbox } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonLines } from '../../../ui/states.tsx';
import type { PhoneLabels } from '../labels.ts';
import type { Rows } from '../queries.ts';
import { useRenderedRange } from '../use-rendered-range.ts';
import type { Selection } from '../use-row-selection.ts';
import { useSavedScroll } from '../use-saved-scroll.ts';
import '../virtual-list.css';
import './row-table.css';

const ROW_HEIGHT = 38;

export interface Column<T> {
  name: string;
  width: string;
  cell: (row: T) => ReactNode;
  title?: (row: T) => string | undefined;
  isNumber?: boolean;
}

interface Props<T> {
  rows: Rows<T>;
  columns: readonly Column<T>[];
  label: string;
  idOf: (row: T) => string;
  selection?: Selection<T>;
  onOpen?: (row: T) => void;
  labels: PhoneLabels;
  empty: { title: string; text?: string };
}

/** A table of any number of rows that renders only the visible ones. */
export function RowTable<T>(props: Props<T>) {
  const { rows, columns, label, selection, labels, empty } = props;
  const { t } = labels;
  const box = useRef<HTMLDivElement>(null);
  const total = rows.total ?? 0;
  const lines = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const rendered = lines.getVirtualItems();
  useRenderedRange(rendered, rows.show);
  useSavedScroll(box, label, total > 0);
  if (rows.error !== null)
    return <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />;
  if (rows.total === undefined) return <SkeletonLines count={10} label={t('loading')} />;
  if (total === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  const gridTemplateColumns = [...(selection ? ['36px'] : []), ...columns.map(({ width }) => width)].join(' ');
  return (
    <div ref={box} className="phone-table" role="table" aria-label={label} aria-rowcount={total + 1} tabIndex={0}>
      <TableHead
        columns={columns}
        selectLabel={selection ? t('choose_row') : null}
        gridTemplateColumns={gridTemplateColumns}
      />
      <div role="rowgroup" className="phone-space" style={{ height: lines.getTotalSize() }}>
        {rendered.map(({ index, start }) => (
          <TableRow
            key={index}
            {...props}
            index={index}
            style={{ gridTemplateColumns, transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadProps {
  columns: readonly Pick<Column<never>, 'name' | 'isNumber'>[];
  /** Name of the column of checkboxes; null if rows can't be selected. */
  selectLabel: string | null;
  gridTemplateColumns: string;
}

function TableHead({ columns, selectLabel, gridTemplateColumns }: HeadProps) {
  return (
    <div role="rowgroup" className="phone-table-head">
      <div role="row" aria-rowindex={1} style={{ gridTemplateColumns }}>
        {selectLabel !== null && (
          <span role="columnheader">
            <span className="sr-only">{selectLabel}</span>
          </span>
        )}
        {columns.map(({ name, isNumber }) => (
          <span key={name} role="columnheader" className={isNumber ? 'r' : undefined}>
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

type RowProps<T> = Props<T> & { index: number; style: CSSProperties };

function TableRow<T>({ rows, columns, idOf, selection, onOpen, labels, index, style }: RowProps<T>) {
  const row = rows.at(index);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="phone-line phone-row"
      data-selected={(row && selection?.has(row)) || undefined}
      style={style}
    >
      {!row && (
        <span role="cell">
          <Skeleton width="70%" />
        </span>
      )}
      {row && selection && (
        <span role="cell">
          <Checkbox
            label={labels.t('choose_row')}
            hideLabel
            checked={selection.has(row)}
            onChange={() => selection.toggle(row)}
          />
        </span>
      )}
      {row &&
        columns.map(({ name, cell, title, isNumber }, column) => (
          <span key={name} role="cell" className={isNumber ? 'truncate num r' : 'truncate'} title={title?.(row)}>
            {column === 0 && onOpen ? (
              <button type="button" className="phone-link truncate" onClick={() => onOpen(row)} data-id={idOf(row)}>
                {cell(row)}
              </button>
            ) : (
              cell(row)
            )}
          </span>
        ))}
    </div>
  );
}
