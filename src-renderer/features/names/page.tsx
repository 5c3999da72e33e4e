import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMayEdit } from '../../client/session.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Input } from '../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { EntrySheet } from './entry-sheet.tsx';
import { MergeHistory } from './history.tsx';
import { Proposals } from './proposals.tsx';
import { typeOf, useNameList, type NamesSearch } from './queries.ts';
import { NameTable } from './table.tsx';
import { TypeTabs } from './tabs.tsx';
import { useNameActions } from './use-actions.ts';
import { useNameKeys } from './use-name-keys.ts';
import './names.css';

const NO_FILTERS = { q: undefined, filter: undefined, sort: undefined };

type Change = (part: Partial<NamesSearch>) => void;

/** Canonical names by kind: their spellings, where they are used, and which ones could be merged. */
export default function NamesPage() {
  const go = useNamesNavigation();
  const mayEdit = useMayEdit();
  const search: NamesSearch = useSearch({ from: '/frame/names' });
  const type = typeOf(search);
  const { list, data, items, total, loadMore } = useLoadedNames(search);
  const actions = useNameActions(type);
  const open = (id: number | null): void =>
    go({ entry: id === null ? undefined : String(id) }, search.entry !== undefined);
  const openId = search.entry === undefined ? null : Number(search.entry);
  const selection = useNameKeys({
    items,
    openId,
    mayEdit,
    onOpen: open,
    onRemove: (entries) => runOnSelection(actions.remove, entries),
    onConfirm: (entries) => runOnSelection(actions.confirm, entries),
  });
  const runOnSelection = (act: (entries: readonly NameRow[]) => unknown, entries: readonly NameRow[]): void => {
    selection.clear();
    void act(entries);
  };
  const change: Change = (part) => {
    selection.reset();
    go({ entry: undefined, ...part });
  };
  const isFiltered = Boolean(search.q ?? search.filter);
  // Without names, there is nothing to merge, search or filter.
  const isBare = data !== undefined && items.length === 0 && !isFiltered;
  return (
    <div className="page">
      <PageHead count={data && total}>
        <MergeHistory type={type} mayEdit={mayEdit} onUndo={(id) => void actions.undoMerge(id)} />
      </PageHead>
      <TypeTabs
        type={type}
        onChoose={(next) => change({ ...NO_FILTERS, type: next === 'lab_tests' ? undefined : next })}
      />
      {mayEdit && !isFiltered && !isBare && <Proposals key={type} type={type} actions={actions} onOpen={open} />}
      {!isBare && <Filters search={search} type={type} mayEdit={mayEdit} change={change} />}
      <ListState list={list} isLoaded={data !== undefined} isEmpty={items.length === 0} isFiltered={isFiltered}>
        <NameTable {...{ type, items, total, selection, mayEdit, actions }} onOpen={open} onEnd={loadMore} />
      </ListState>
      {selection.selected.length > 0 && (
        <BulkBar
          entries={selection.selected}
          actions={actions}
          isMerging={selection.isMerging}
          onMerging={selection.setMerging}
          onDone={selection.clear}
        />
      )}
      {openId !== null && (
        <EntrySheet key={`${type} ${openId}`} {...{ type, mayEdit, actions }} id={openId} onOpen={open} />
      )}
    </div>
  );
}

/** Returns a function that changes parameters of the address. */
function useNamesNavigation() {
  const navigate = useNavigate();
  return (part: Partial<NamesSearch>, replace = false): void =>
    void navigate({ to: '/names', replace, resetScroll: false, search: (before) => ({ ...before, ...part }) });
}

function PageHead({ count, children }: { count: number | undefined; children: ReactNode }) {
  const { t } = useTranslation('names');
  return (
    <div className="page-head">
      <h1>{t('title')}</h1>
      <span className="cap num" role="status">
        {count !== undefined && t('count', { count })}
      </span>
      <span className="push">{children}</span>
    </div>
  );
}

function useLoadedNames(search: NamesSearch) {
  const list = useNameList(search);
  // Rows of the previous kind must not be shown while those of the new kind load.
  const data = list.data?.pages[0]?.type === typeOf(search) ? list.data : undefined;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { list, data, items, total: data?.pages[0]?.total ?? 0, loadMore };
}

function Filters({
  search,
  type,
  mayEdit,
  change,
}: {
  search: NamesSearch;
  type: string;
  mayEdit: boolean;
  change: Change;
}) {
  const { t } = useTranslation('names');
  const filterChip = (filter: 'unreviewed' | 'unused', label: string): ReactNode => (
    <Chip
      isOn={search.filter === filter}
      aria-pressed={search.filter === filter}
      onClick={() => change({ filter: search.filter === filter ? undefined : filter })}
    >
      {label}
    </Chip>
  );
  return (
    <div className="filter-bar" role="group" aria-label={t('filter')}>
      <SearchBox key={`${type} ${search.q ?? ''}`} text={search.q ?? ''} onChange={(q) => change({ q })} />
      {filterChip('unreviewed', t('filter_unreviewed'))}
      {mayEdit && filterChip('unused', t('filter_unused'))}
      <Chip
        isOn={search.sort === 'uses'}
        aria-pressed={search.sort === 'uses'}
        onClick={() => change({ sort: search.sort === 'uses' ? undefined : 'uses' })}
      >
        {t('sort_uses')}
      </Chip>
    </div>
  );
}

/** The table, or an error, the loading state, or an empty state. */
function ListState({
  list,
  isLoaded,
  isEmpty,
  isFiltered,
  children,
}: {
  list: Pick<ReturnType<typeof useNameList>, 'error' | 'refetch'>;
  isLoaded: boolean;
  isEmpty: boolean;
  isFiltered: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation(['names', 'app']);
  const vocabulary = useVocabulary();
  if (!list.error && isLoaded && !isEmpty) return children;
  return (
    <div className="panel">
      {list.error && (
        <ErrorState
          message={vocabulary.error(list.error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void list.refetch()}
        />
      )}
      {!list.error && !isLoaded && <SkeletonLines count={10} label={t('loading')} />}
      {!list.error && isLoaded && (
        <EmptyState title={isFiltered ? t('no_match') : t('empty')}>
          {isFiltered ? t('no_match_text') : t('empty_text')}
        </EmptyState>
      )}
    </div>
  );
}

function SearchBox({ text, onChange }: { text: string; onChange: (q: string | undefined) => void }) {
  const { t } = useTranslation('names');
  const [draft, setDraft] = useState(text);
  return (
    <form
      role="search"
      className="filter-search names-search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft.trim() || undefined);
      }}
    >
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          if (event.target.value === '') onChange(undefined);
        }}
      />
    </form>
  );
}
