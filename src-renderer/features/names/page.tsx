import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
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
import { useChoice } from './use-table-selection.ts';
import './names.css';

const NO_FILTERS = { q: undefined, filter: undefined, sort: undefined };

/** Canonical names by kind: their spellings, where they are used, and what could be one. */
export default function NamesPage() {
  const { t } = useTranslation(['names', 'app']);
  const words = useVocabulary();
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const search: NamesSearch = useSearch({ from: '/frame/names' });
  const type = typeOf(search);
  const list = useNameList(search);
  const actions = useNameActions(type);
  // Rows of another kind are no stand-in for those that are on their way.
  const data = list.data?.pages[0]?.type === type ? list.data : undefined;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const total = data?.pages[0]?.total ?? 0;
  const go = (part: Partial<NamesSearch>, replace = false): void =>
    void navigate({ to: '/names', replace, resetScroll: false, search: (before) => ({ ...before, ...part }) });
  const open = (id: number | null): void =>
    go({ entry: id === null ? undefined : String(id) }, search.entry !== undefined);
  const choice = useChoice({
    items,
    opened: search.entry === undefined ? null : Number(search.entry),
    mayEdit,
    onOpen: open,
    onRemove: (entries) => {
      choice.clear();
      void actions.remove(entries);
    },
    onConfirm: (entries) => {
      choice.clear();
      void actions.confirm(entries);
    },
  });
  const change = (part: Partial<NamesSearch>): void => {
    choice.reset();
    go({ entry: undefined, ...part });
  };
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const isFiltered = Boolean(search.q ?? search.filter);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('title')}</h1>
        <span className="cap num" role="status">
          {data && t('count', { count: total })}
        </span>
        <span className="push">
          <MergeHistory type={type} mayEdit={mayEdit} onUndo={(id) => void actions.undoMerge(id)} />
        </span>
      </div>
      <TypeTabs
        type={type}
        onChoose={(next) => change({ ...NO_FILTERS, type: next === 'lab_tests' ? undefined : next })}
      />
      {mayEdit && !isFiltered && <Proposals key={type} type={type} actions={actions} onOpen={open} />}
      <div className="filter-bar" role="group" aria-label={t('filter')}>
        <SearchBox key={`${type} ${search.q ?? ''}`} text={search.q ?? ''} onChange={(q) => change({ q })} />
        <Chip
          on={search.filter === 'unreviewed'}
          aria-pressed={search.filter === 'unreviewed'}
          onClick={() => change({ filter: search.filter === 'unreviewed' ? undefined : 'unreviewed' })}
        >
          {t('filter_unreviewed')}
        </Chip>
        {mayEdit && (
          <Chip
            on={search.filter === 'unused'}
            aria-pressed={search.filter === 'unused'}
            onClick={() => change({ filter: search.filter === 'unused' ? undefined : 'unused' })}
          >
            {t('filter_unused')}
          </Chip>
        )}
        <Chip
          on={search.sort === 'uses'}
          aria-pressed={search.sort === 'uses'}
          onClick={() => change({ sort: search.sort === 'uses' ? undefined : 'uses' })}
        >
          {t('sort_uses')}
        </Chip>
      </div>
      {list.isError ? (
        <div className="panel">
          <ErrorState
            message={words.error(list.error)}
            retryLabel={t('app:action.retry')}
            onRetry={() => void list.refetch()}
          />
        </div>
      ) : !data ? (
        <div className="panel">
          <SkeletonLines count={10} label={t('loading')} />
        </div>
      ) : items.length === 0 ? (
        <div className="panel">
          <EmptyState title={isFiltered ? t('no_match') : t('empty')}>
            {isFiltered ? t('no_match_text') : t('empty_text')}
          </EmptyState>
        </div>
      ) : (
        <NameTable
          type={type}
          items={items}
          total={total}
          choice={choice}
          mayEdit={mayEdit}
          actions={actions}
          onOpen={open}
          onEnd={more}
        />
      )}
      {choice.selected.length > 0 && (
        <BulkBar
          entries={choice.selected}
          actions={actions}
          merging={choice.merging}
          onMerging={choice.setMerging}
          onDone={choice.clear}
        />
      )}
      {search.entry !== undefined && (
        <EntrySheet
          key={`${type} ${search.entry}`}
          type={type}
          id={Number(search.entry)}
          mayEdit={mayEdit}
          actions={actions}
          onOpen={open}
        />
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
