import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import { Checkbox } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonLines } from '../../../ui/states.tsx';
import { useSavedScroll } from '../use-saved-scroll.ts';
import type { Rows } from '../queries.ts';
import type { Selection } from '../use-row-selection.ts';
import type { PhoneLabels } from '../labels.ts';

const ROW = 38;

export interface Column<T> {
  name: string;
  width: string;
  cell: (row: T) => ReactNode;
  title?: (row: T) => string | undefined;
  isNumber?: boolean;
}

/** A table of any number of rows that renders only the visible ones. */
export function RowTable<T>({
  rows,
  columns,
  label,
  idOf,
  selection,
  onOpen,
  labels,
  nothing,
}: {
  rows: Rows<T>;
  columns: readonly Column<T>[];
  label: string;
  idOf: (row: T) => string;
  selection?: Selection<T>;
  onOpen?: (row: T) => void;
  labels: PhoneLabels;
  nothing: { title: string; text?: string };
}) {
  const { t } = labels;
  const box = useRef<HTMLDivElement>(null);
  const total = rows.total ?? 0;
  const lines = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const rendered = lines.getVirtualItems();
  const first = rendered[0]?.index ?? 0,
    last = rendered.at(-1)?.index ?? 0;
  const show = useRef(rows.show);
  show.current = rows.show;
  useEffect(() => {
    show.current(first, last);
  }, [first, last]);
  useSavedScroll(box, label, total > 0);
  if (rows.error !== null)
    return <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />;
  if (rows.total === undefined) return <SkeletonLines count={10} label={t('loading')} />;
  if (total === 0) return <EmptyState title={nothing.title}>{nothing.text}</EmptyState>;
  const template = [...(selection ? ['36px'] : []), ...columns.map(({ width }) => width)].join(' ');
  return (
    <div ref={box} className="phone-table" role="table" aria-label={label} aria-rowcount={total + 1} tabIndex={0}>
      <div role="rowgroup" className="phone-table-head">
        <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          {selection && (
            <span role="columnheader">
              <span className="sr-only">{t('choose_row')}</span>
            </span>
          )}
          {columns.map(({ name, isNumber }) => (
            <span key={name} role="columnheader" className={isNumber ? 'r' : undefined}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="phone-space" style={{ height: lines.getTotalSize() }}>
        {rendered.map(({ index, start }) => {
          const row = rows.at(index);
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className="phone-line phone-row"
              data-chosen={(row && selection?.has(row)) || undefined}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: ROW }}
            >
              {!row && (
                <span role="cell">
                  <Skeleton width="70%" />
                </span>
              )}
              {row && selection && (
                <span role="cell">
                  <Checkbox
                    label={t('choose_row')}
                    hideLabel
                    checked={selection.has(row)}
                    onChange={() => selection.toggle(row)}
                  />
                </span>
              )}
              {row &&
                columns.map(({ name, cell, title, isNumber }, column) => (
                  <span
                    key={name}
                    role="cell"
                    className={isNumber ? 'truncate num r' : 'truncate'}
                    title={title?.(row)}
                  >
                    {column === 0 && onOpen ? (
                      <button
                        type="button"
                        className="phone-link truncate"
                        onClick={() => onOpen(row)}
                        data-id={idOf(row)}
                      >
                        {cell(row)}
                      </button>
                    ) : (
                      cell(row)
                    )}
                  </span>
                ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
