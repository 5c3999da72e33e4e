import { LayoutGrid, Rows3, Upload } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BeingRead } from '../../../client/pipeline-status.tsx';
import { usePipelineStatus } from '../../../client/overview.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useMayEdit } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ColumnsMenu, useColumns, ViewsMenu } from './view-options.tsx';
import { PageGrid } from './page-grid.tsx';
import { Preview } from './preview.tsx';
import { isFiltered, NO_FILTERS, useDocumentList, type ListSearch } from './queries.ts';
import { DocumentTable } from './table.tsx';
import { useChoice } from './use-table-selection.ts';
import './documents.css';

/** All documents: filtered, searched, sorted, chosen. Everything that shapes the list stands in the address. */
export default function DocumentsPage() {
  const { t } = useTranslation();
  const words = useVocabulary();
  const formats = useFormats();
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const search: ListSearch = useSearch({ from: '/frame/documents' });
  const list = useDocumentList(search);
  const status = usePipelineStatus(true).data;
  const [columns, toggleColumn] = useColumns();
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total ?? 0;
  const open = useCallback(
    (id: number) =>
      void navigate({ to: '/documents/$id', params: { id: String(id) }, search: search.q ? { find: search.q } : {} }),
    [navigate, search.q],
  );
  const preview = (id: number | null): void =>
    void navigate({
      to: '/documents',
      replace: true,
      resetScroll: false,
      search: (before) => ({ ...before, preview: id === null ? undefined : String(id) }),
    });
  const choice = useChoice({
    items,
    previewed: search.preview === undefined ? null : Number(search.preview),
    onOpen: open,
    onPreview: preview,
  });
  const change = (part: Partial<ListSearch>): void => {
    choice.reset();
    void navigate({ to: '/documents', search: (before) => ({ ...before, preview: undefined, ...part }) });
  };
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const busy = status && (status.current_job !== null || status.queued_jobs.length > 0);
  const grid = search.layout === 'grid';
  const order = search.sort
    ? t('documents.sorted', { column: t(`column.${search.sort as 'doctor'}`) })
    : search.q
      ? t('documents.best')
      : t('documents.newest');
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('documents.title')}</h1>
        <span className="cap num" role="status">
          {formats.count(total)} · {order}
        </span>
        <span className="push">
          <ViewsMenu
            search={search}
            onChoose={(view) =>
              change({ ...NO_FILTERS, sort: undefined, order: undefined, layout: undefined, ...view })
            }
          />
          {!grid && (
            <span className="wide-only">
              <ColumnsMenu columns={columns} onToggle={toggleColumn} />
            </span>
          )}
          <Segments
            label={t('documents.layout')}
            value={grid ? 'grid' : 'table'}
            onChange={(layout) => change({ layout: layout === 'grid' ? 'grid' : undefined })}
            options={[
              { value: 'table', label: t('documents.table'), icon: <Rows3 size={14} aria-hidden />, iconOnly: true },
              { value: 'grid', label: t('documents.grid'), icon: <LayoutGrid size={14} aria-hidden />, iconOnly: true },
            ]}
          />
          {mayEdit && (
            <Button
              variant="primary"
              glyph={Upload}
              onClick={() => document.querySelector<HTMLInputElement>('[data-testid="picker"]')?.click()}
            >
              {t('documents.add')}
            </Button>
          )}
        </span>
      </div>
      <FilterBar search={search} change={change} />
      {busy && (
        <Panel
          className="reading-panel"
          title={t('pipeline.now')}
          aside={t('pipeline.files', { count: status.queue_depth + (status.current_job ? 1 : 0) })}
        >
          <BeingRead status={status} most={3} />
        </Panel>
      )}
      {list.error && (
        <ErrorState
          message={words.error(list.error)}
          retryLabel={t('action.retry')}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && (
        <Panel title={t('documents.list')}>
          <SkeletonLines count={8} label={t('app.loading')} />
        </Panel>
      )}
      {!list.isPending &&
        !list.error &&
        items.length === 0 &&
        (isFiltered(search) ? (
          <EmptyState
            title={t('documents.no_match')}
            actions={<Button onClick={() => change(NO_FILTERS)}>{t('action.clear_all')}</Button>}
          >
            {t('documents.no_match_text')}
          </EmptyState>
        ) : (
          <EmptyState title={t('documents.none')}>{t('documents.none_text')}</EmptyState>
        ))}
      {items.length > 0 &&
        (grid ? (
          <PageGrid items={items} onOpen={open} onEnd={more} />
        ) : (
          <DocumentTable
            items={items}
            total={total}
            columns={columns}
            search={search}
            selected={choice.selected}
            active={choice.active}
            byKey={choice.byKey}
            mayEdit={mayEdit}
            onToggle={choice.toggle}
            onSelectAll={choice.selectAll}
            onOpen={open}
            onEnd={more}
            change={change}
          />
        ))}
      {isFetchingNextPage && (
        <p className="more cap" role="status">
          {t('documents.more')}
        </p>
      )}
      {choice.selected.size > 0 && <BulkBar ids={[...choice.selected]} items={items} onDone={choice.clear} />}
      {choice.preview && <Preview item={choice.preview} onClose={() => preview(null)} onOpen={open} />}
    </div>
  );
}
