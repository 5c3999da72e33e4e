import { LayoutGrid, Rows3, Upload } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BeingRead } from '../../app/frame/being-read.tsx';
import { usePipelineStatus } from '../../app/frame/overview.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { useMayEdit } from '../../app/session.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PageGrid } from './page-grid.tsx';
import { Preview } from './preview.tsx';
import { useDocumentList, type ListSearch } from './queries.ts';
import { DocumentTable } from './table.tsx';
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
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState(0);
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total ?? 0;
  const current = items[Math.min(active, items.length - 1)];
  const change = useCallback((part: Partial<ListSearch>) => { setSelected(new Set()); setActive(0); void navigate({ to: '/documents', search: (before) => ({ ...before, ...part }) }); }, [navigate]);
  const open = useCallback((id: number) => void navigate({ to: '/documents/$id', params: { id: String(id) }, search: search.q ? { find: search.q } : {} }), [navigate, search.q]);
  const toggle = useCallback((id: number) => setSelected((before) => { const next = new Set(before); if (!next.delete(id)) next.add(id); return next; }), []);
  const step = (by: number): void => setActive((at) => Math.max(0, Math.min(items.length - 1, at + by)));
  useShortcuts({
    j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1), x: () => { if (current) toggle(current.id); },
    Enter: () => { if (current) open(current.id); }, space: () => { if (current) change({ preview: search.preview ? undefined : String(current.id) }); }, Escape: () => (search.preview ? change({ preview: undefined }) : setSelected(new Set())),
  });
  const busy = status && (status.current_job !== null || status.queued_jobs.length > 0);
  const isFiltered = Object.entries(search).some(([name, value]) => value && !['patient', 'sort', 'order', 'layout', 'preview'].includes(name));
  const grid = search.layout === 'grid';
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('documents.title')}</h1>
        <span className="cap num">{formats.count(total)} · {search.sort ? t('documents.sorted', { column: t(`column.${search.sort as 'doctor'}`) }) : t('documents.newest')}</span>
        <span className="push">
          <Segments label={t('documents.layout')} value={grid ? 'grid' : 'table'} onChange={(layout) => change({ layout: layout === 'grid' ? 'grid' : undefined })}
            options={[{ value: 'table', label: t('documents.table'), icon: <Rows3 size={14} aria-hidden />, iconOnly: true }, { value: 'grid', label: t('documents.grid'), icon: <LayoutGrid size={14} aria-hidden />, iconOnly: true }]} />
          {mayEdit && <Button variant="primary" glyph={Upload} onClick={() => document.querySelector<HTMLInputElement>('[data-testid="picker"]')?.click()}>{t('documents.add')}</Button>}
        </span>
      </div>
      <FilterBar search={search} change={change} />
      {busy && <Panel className="reading-panel" title={t('pipeline.now')} aside={t('pipeline.files', { count: status.queue_depth + (status.current_job ? 1 : 0) })}><BeingRead status={status} most={3} /></Panel>}
      {list.error && <ErrorState message={words.error(list.error)} retryLabel={t('action.retry')} onRetry={() => void list.refetch()} />}
      {list.isPending && <Panel title={t('documents.list')}><SkeletonLines count={8} label={t('app.loading')} /></Panel>}
      {!list.isPending && !list.error && items.length === 0 && <EmptyState title={isFiltered ? t('documents.no_match') : t('documents.none')}>{isFiltered ? t('documents.no_match_text') : t('documents.none_text')}</EmptyState>}
      {items.length > 0 && (grid
        ? <PageGrid items={items} onOpen={open} />
        : <DocumentTable items={items} search={search} selected={selected} active={active} onToggle={toggle} onSelectAll={(all) => setSelected(all ? new Set(items.map((item) => item.id)) : new Set())} onOpen={open} onActive={setActive} change={change} mayEdit={mayEdit} />)}
      {list.hasNextPage && <div className="more"><Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>{list.isFetchingNextPage ? t('documents.more') : t('action.more')}</Button></div>}
      {selected.size > 0 && <BulkBar ids={[...selected]} items={items} onDone={() => setSelected(new Set())} />}
      {search.preview && current && <Preview item={current} onClose={() => change({ preview: undefined })} onOpen={() => open(current.id)} />}
    </div>
  );
}
