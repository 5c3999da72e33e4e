import { Segments } from '../../../ui/field.tsx';
import type { ViewProps } from './view-props.ts';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows, useRowsOf, type RowOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { RowTable, type Column } from './row-table.tsx';

type HistoryRow = RowOf<'history'>;

/** Pages visited, bookmarks, the reading list and open tabs. Addresses are shown, never opened. */
export default function SafariView(props: ViewProps) {
  const { search } = useSearchState();
  return search.part === 'bookmarks' ? <Bookmarks {...props} /> : <History {...props} />;
}

/** Switches between the history and the bookmarks. */
function PartSwitch({ labels: { t } }: Pick<ViewProps, 'labels'>) {
  const { search, set } = useSearchState();
  return (
    <Segments
      label={t('view.safari')}
      value={search.part === 'bookmarks' ? 'bookmarks' : 'history'}
      options={[
        { value: 'history', label: t('history') },
        { value: 'bookmarks', label: t('bookmarks') },
      ]}
      onChange={(part) => set({ part: part === 'history' ? undefined : part })}
    />
  );
}

function History({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'history', request);
  const saveAll = async (): Promise<void> => saveHistoryCsv(await allRows(source, 'history', request));
  return (
    <>
      <Toolbar
        title={t('view.safari')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? [{ name: t('as_csv'), run: saveAll }] : []}
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        <PartSwitch labels={labels} />
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('history')}
        idOf={(row) => row.url}
        labels={labels}
        empty={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('history') }),
          text: source.device.isEncrypted ? t('none_text') : t('no_health'),
        }}
        columns={historyColumns(labels)}
      />
    </>
  );
}

function saveHistoryCsv(visits: readonly HistoryRow[]): void {
  saveCsv(
    'safari-history.csv',
    ['visited_at', 'title', 'url', 'visits'],
    visits.map((row) => [row.visited_at, row.title, row.url, row.visit_count]),
  );
}

function historyColumns(labels: PhoneLabels): Column<HistoryRow>[] {
  const { t, formats } = labels;
  return [
    { name: t('page'), width: 'minmax(0, 1.4fr)', cell: (row) => row.title ?? row.url },
    {
      name: t('address'),
      width: 'minmax(0, 2fr)',
      cell: (row) => <span className="mono">{row.url}</span>,
      title: (row) => row.url,
    },
    { name: t('visits'), width: '80px', cell: (row) => formats.count(row.visit_count), isNumber: true },
    {
      name: t('date'),
      width: '160px',
      cell: (row) => `${labels.day(row.visited_at)} ${labels.time(row.visited_at)}`,
      title: (row) => labels.exact(row.visited_at),
      isNumber: true,
    },
  ];
}

function Bookmarks({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'bookmarks', { query: { q: search.filter } });
  return (
    <>
      <Toolbar
        title={t('view.safari')}
        count={rows.total}
        source={source}
        labels={labels}
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        <PartSwitch labels={labels} />
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('bookmarks')}
        idOf={(row) => row.bookmark_identifier}
        labels={labels}
        empty={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('bookmarks') }),
          text: t('none_text'),
        }}
        columns={[
          { name: t('page'), width: 'minmax(0, 1.4fr)', cell: (row) => row.title ?? row.url },
          {
            name: t('address'),
            width: 'minmax(0, 2fr)',
            cell: (row) => <span className="mono">{row.url}</span>,
            title: (row) => row.url ?? undefined,
          },
          {
            name: t('folder'),
            width: '160px',
            cell: (row) => [t(`bookmark.${row.kind}`), row.folder].filter(Boolean).join(' · '),
          },
        ]}
      />
    </>
  );
}
