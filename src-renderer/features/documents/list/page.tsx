import { LayoutGrid, Rows3, Upload } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListSearch } from '../../../client/document-list.ts';
import { PipelineStatus } from '../../../client/pipeline-status.tsx';
import { textToFind } from '../../../client/snippet.ts';
import { usePipelineStatus } from '../../../client/overview.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useIsEveryone, useMayEdit } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ColumnsMenu, useColumns, ViewsMenu } from './view-options.tsx';
import { PageGrid } from './page-grid.tsx';
import { Preview } from './preview.tsx';
import { isFiltered, NO_FILTERS, useDocumentList } from './queries.ts';
import { NoMatch } from './no-match.tsx';
import { DocumentTable } from './table.tsx';
import { useListKeys } from './use-list-keys.ts';
import './documents.css';

type Change = (part: Partial<ListSearch>, how?: { isTyping: boolean }) => void;

/** All documents, filtered, searched and sorted. The complete state of the list is part of the URL. */
export default function DocumentsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: ListSearch = useSearch({ from: '/frame/documents' });
  const { list, items, total, loadMore } = useLoadedDocuments(search);
  const [columns, toggleColumn] = useColumns(items, useIsEveryone());
  const mayEdit = useMayEdit();
  const open = useCallback(
    (id: number) => {
      const snippet = items.find((item) => item.id === id)?.snippet;
      const find = search.q ? { find: textToFind(search.q, snippet) } : {};
      void navigate({ to: '/documents/$id', params: { id: String(id) }, search: find });
    },
    [navigate, search.q, items],
  );
  const preview = (id: number | null): void =>
    void navigate({
      to: '/documents',
      replace: true,
      resetScroll: false,
      search: (before) => ({ ...before, preview: id === null ? undefined : String(id) }),
    });
  const previewId = search.preview === undefined ? null : Number(search.preview);
  const selection = useListKeys({ items, previewId, onOpen: open, onPreview: preview });
  const change: Change = (part, { isTyping } = { isTyping: false }) => {
    selection.reset();
    void navigate({
      to: '/documents',
      replace: isTyping,
      search: (before) => ({ ...before, preview: undefined, ...part }),
    });
  };
  // An empty vault has nothing to search, filter or arrange.
  const isBare = list.data !== undefined && total === 0 && !isFiltered(search);
  const previewAt = items.findIndex(({ id }) => id === previewId);
  const previewItem = items[previewAt];
  const isGrid = search.layout === 'grid';
  return (
    <div className="page-with-pane">
      <div className="page">
        <PageHead {...{ search, columns, isBare, change }} total={list.data && total} onToggleColumn={toggleColumn} />
        {!isBare && <FilterBar search={search} change={change} />}
        <ReadingPanel />
        <ListState list={list} isEmpty={items.length === 0} search={search} change={change} />
        {items.length > 0 && isGrid && <PageGrid items={items} onOpen={open} onEnd={loadMore} />}
        {items.length > 0 && !isGrid && (
          <DocumentTable
            {...{ items, total, columns, search, mayEdit, change }}
            selected={selection.selectedIds}
            active={selection.active}
            isByKey={selection.byKey}
            onToggle={selection.toggle}
            onSelectAll={selection.selectAll}
            onOpen={open}
            onPreview={(id) => {
              selection.activate(id);
              preview(id);
            }}
            onEnd={loadMore}
          />
        )}
        {list.isFetchingNextPage && (
          <p className="more cap" role="status">
            {t('documents.more')}
          </p>
        )}
        {selection.selectedIds.size > 0 && (
          <BulkBar ids={[...selection.selectedIds]} items={items} onDone={selection.clear} />
        )}
      </div>
      {previewItem && (
        <Preview
          item={previewItem}
          position={t('documents.position', { at: previewAt + 1, total })}
          onClose={() => preview(null)}
          onOpen={open}
          onStep={selection.step}
        />
      )}
    </div>
  );
}

function useLoadedDocuments(search: ListSearch) {
  const list = useDocumentList(search);
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { list, items, total: list.data?.pages[0]?.total ?? 0, loadMore };
}

interface PageHeadProps {
  search: ListSearch;
  /** Undefined while the list is loading. */
  total: number | undefined;
  columns: ReturnType<typeof useColumns>[0];
  onToggleColumn: ReturnType<typeof useColumns>[1];
  /** Without documents, there is only the button that adds some. */
  isBare: boolean;
  change: Change;
}

function PageHead({ search, total, columns, onToggleColumn, isBare, change }: PageHeadProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayEdit = useMayEdit();
  const defaultOrder = search.q ? t('documents.best') : t('documents.newest');
  const order = search.sort ? t('documents.sorted', { column: t(`column.${search.sort as 'doctor'}`) }) : defaultOrder;
  return (
    <div className="page-head">
      <h1>{t('documents.title')}</h1>
      <span className="cap num" role="status">
        {total !== undefined && !isBare && `${formats.count(total)} · ${order}`}
      </span>
      <span className="push">
        {!isBare && <ListTools {...{ search, columns, onToggleColumn, change }} />}
        {mayEdit && (
          <Button
            variant="primary"
            glyph={Upload}
            onClick={() => document.querySelector<HTMLInputElement>('[data-testid="picker"]')?.click()}
          >
            <span className="wide-word">{t('documents.add')}</span>
          </Button>
        )}
      </span>
    </div>
  );
}

/** Saved views, columns and layout of the list. */
function ListTools({ search, columns, onToggleColumn, change }: Omit<PageHeadProps, 'total' | 'isBare'>) {
  const { t } = useTranslation();
  const isGrid = search.layout === 'grid';
  return (
    <>
      <ViewsMenu
        search={search}
        onChoose={(view) => change({ ...NO_FILTERS, sort: undefined, order: undefined, layout: undefined, ...view })}
      />
      {!isGrid && (
        <span className="wide-only">
          <ColumnsMenu columns={columns} onToggle={onToggleColumn} />
        </span>
      )}
      <Segments
        label={t('documents.layout')}
        value={isGrid ? 'grid' : 'table'}
        onChange={(layout) => change({ layout: layout === 'grid' ? 'grid' : undefined })}
        options={[
          { value: 'table', label: t('documents.table'), icon: <Rows3 size={14} aria-hidden />, iconOnly: true },
          { value: 'grid', label: t('documents.grid'), icon: <LayoutGrid size={14} aria-hidden />, iconOnly: true },
        ]}
      />
    </>
  );
}

/** Documents that the pipeline is reading now. */
function ReadingPanel() {
  const { t } = useTranslation();
  const status = usePipelineStatus(true).data;
  if (!status || (status.current_job === null && status.queued_jobs.length === 0)) return null;
  const count = status.queue_depth + (status.current_job ? 1 : 0);
  return (
    <Panel className="reading-panel" title={t('pipeline.now')} aside={t('pipeline.files', { count })}>
      <PipelineStatus status={status} maxRows={3} />
    </Panel>
  );
}

/** Why the list is empty: an error, loading, no match, or no documents yet. */
function ListState({
  list,
  isEmpty,
  search,
  change,
}: {
  list: ReturnType<typeof useDocumentList>;
  isEmpty: boolean;
  search: ListSearch;
  change: Change;
}) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  if (list.error)
    return (
      <ErrorState
        message={vocabulary.error(list.error)}
        retryLabel={t('action.retry')}
        onRetry={() => void list.refetch()}
      />
    );
  if (list.isPending)
    return (
      <Panel title={t('documents.list')}>
        <SkeletonLines count={8} label={t('app.loading')} />
      </Panel>
    );
  if (!isEmpty) return null;
  if (!isFiltered(search)) return <EmptyState title={t('documents.none')}>{t('documents.none_text')}</EmptyState>;
  return <NoMatch search={search} change={change} />;
}
