import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { ItemList } from '../item-list.tsx';
import type { PhoneLabels } from '../labels.ts';
import type { Rows } from '../queries.ts';
import { useSearchState } from '../use-search-state.ts';
import './list-and-page.css';

interface Props {
  list: ReactNode;
  labels: PhoneLabels;
  /** The page of the open row. */
  children: ReactNode;
}

/** A list beside the page of its open row; a narrow screen shows one of the two, and a button back to the list. */
export function ListAndPage({ list, labels, children }: Props) {
  const { search, set } = useSearchState();
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">{list}</div>
      <div className="phone-pane-main">
        <Button
          className="phone-back"
          variant="quiet"
          size="small"
          glyph={ArrowLeft}
          onClick={() => set({ item: undefined })}
        >
          {labels.t('back')}
        </Button>
        {children}
      </div>
    </div>
  );
}

interface RowListProps<T> {
  rows: Rows<T>;
  label: string;
  rowHeight: number;
  skeletonLines?: number;
  /** The index of the open row; -1 for none. */
  active: number;
  onActive: (index: number) => void;
  /** Shown instead of an empty list. */
  empty: { title: string; text?: string | undefined };
  labels: PhoneLabels;
  children: (row: T) => ReactNode;
}

/** The list itself, or why it has no rows: an error, not loaded yet, or empty. */
export function RowList<T>({
  rows,
  label,
  rowHeight,
  skeletonLines = 10,
  active,
  onActive,
  empty,
  labels,
  children,
}: RowListProps<T>) {
  const { t } = labels;
  const { total, error } = rows;
  return (
    <>
      {error !== null && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={rows.retry} />}
      {total === undefined && error === null && <SkeletonLines count={skeletonLines} label={t('loading')} />}
      {total === 0 && <EmptyState title={empty.title}>{empty.text}</EmptyState>}
      {total !== undefined && total > 0 && (
        <ItemList
          label={label}
          count={total}
          rowHeight={rowHeight}
          active={active}
          onShow={rows.show}
          onActive={onActive}
        >
          {(index) => {
            const row = rows.at(index);
            return row && children(row);
          }}
        </ItemList>
      )}
    </>
  );
}
