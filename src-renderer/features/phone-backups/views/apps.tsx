import { useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { RowTable } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** Installed apps, and how much of their data is in the backup. */
export default function AppsView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const rows = useRowsOf(source, 'apps', { query: { q: search.filter } });
  return (
    <>
      <Toolbar
        title={t('view.apps')}
        count={rows.total}
        source={source}
        labels={labels}
        filter={{
          value: search.filter ?? '',
          label: t('filter'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      />
      <RowTable
        rows={rows}
        label={t('view.apps')}
        idOf={(row) => row.bundle_identifier}
        labels={labels}
        onOpen={(row) => set({ view: 'files', filter: undefined, domain: `AppDomain-${row.bundle_identifier}` })}
        empty={{
          title: search.filter ? t('no_match') : t('none_of', { what: t('view.apps') }),
          text: t('none_text'),
        }}
        columns={[
          { name: t('name'), width: 'minmax(0, 1.4fr)', cell: (row) => row.name ?? row.bundle_identifier },
          {
            name: t('bundle'),
            width: 'minmax(0, 2fr)',
            cell: (row) => <span className="mono">{row.bundle_identifier}</span>,
          },
          { name: t('version'), width: '110px', cell: (row) => row.version },
          { name: t('files_column'), width: '90px', cell: (row) => formats.count(row.file_count), isNumber: true },
          {
            name: t('size'),
            width: '90px',
            cell: (row) => (row.has_data ? formats.bytes(row.size_bytes) : '–'),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}
