import { CornerDownRight, File, Folder, type LucideIcon } from 'lucide-react';
import type { ManifestEntry } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { saveFiles } from '../export/zip.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { allRows, useAnswer, useRowsOf } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { useRowSelection } from '../use-row-selection.ts';
import { RowTable } from './row-table.tsx';

/** More than this is not saved in one archive without choosing. */
const MAX_FILES = 20_000;

const GLYPHS: Partial<Record<ManifestEntry['kind'], LucideIcon>> = { directory: Folder, symlink: CornerDownRight };

/** A search text as a LIKE pattern; one that contains % already is one. */
export const patternOf = (text: string): string => (text.includes('%') ? text : `%${text.replace(/[%_]/g, '_')}%`);

const linksOf = (entries: readonly ManifestEntry[]): string[] =>
  entries.filter(({ kind }) => kind === 'symlink').map(({ domain, relative_path: path }) => `${domain}/${path}`);

/** Every file of the manifest, by domain and path. */
export default function FilesView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const domains = useAnswer(source, 'domains', {});
  const request = {
    query: { domain: search.domain, path_like: search.filter === undefined ? undefined : patternOf(search.filter) },
  };
  const rows = useRowsOf(source, 'files', request);
  const open = usePreview();
  const selection = useRowSelection<ManifestEntry>((entry) => entry.file_id);
  const outgoing = (entries: readonly ManifestEntry[]): Outgoing[] =>
    entries
      .filter(({ kind }) => kind === 'file')
      .map((entry) =>
        outgoingOf(
          {
            fileId: entry.file_id,
            path: entry.relative_path,
            domain: entry.domain,
            at: entry.mtime,
            size: entry.size,
            what: t('origin_file'),
          },
          source.device,
          labels,
        ),
      );
  const entries = async (): Promise<readonly ManifestEntry[]> =>
    selection.size > 0 ? selection.items : allRows(source, 'files', request);
  const canTakeAll = selection.size > 0 || (rows.total ?? 0) <= MAX_FILES;
  const exports = [
    ...(canTakeAll
      ? [
          {
            name: t('as_zip'),
            run: async (task: Task) => {
              const all = await entries();
              await saveFiles(source, outgoing(all), 'files.zip', labels, task, linksOf(all));
            },
          },
        ]
      : []),
    {
      name: t('as_csv_list'),
      run: async () =>
        saveBlob(
          new Blob(
            [
              csvOf(
                ['domain', 'path', 'kind', 'size', 'modified_at', 'file_id'],
                (await entries()).map((row) => [
                  row.domain,
                  row.relative_path,
                  row.kind,
                  row.size,
                  row.mtime,
                  row.file_id,
                ]),
              ),
            ],
            { type: 'text/csv' },
          ),
          'files.csv',
        ),
    },
  ];
  return (
    <>
      <Toolbar
        title={t('view.files')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? exports : []}
        sends={selection.size > 0 ? () => outgoing(selection.items) : null}
        filter={{
          value: search.filter ?? '',
          label: t('filter_path'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        <Select
          className="phone-domain"
          aria-label={t('domain')}
          value={search.domain ?? ''}
          onChange={(event) => set({ domain: event.target.value || undefined })}
          options={[
            { value: '', label: t('all_domains') },
            ...(domains.data?.counts ?? []).map(({ domain, files, bytes }) => ({
              value: domain,
              label: `${domain} · ${formats.count(files)} · ${formats.bytes(bytes)}`,
            })),
          ]}
        />
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.files')}
        idOf={(row) => row.file_id}
        selection={selection}
        labels={labels}
        nothing={{ title: t('no_match') }}
        onOpen={(row) => {
          if (row.kind === 'file')
            open({
              fileId: row.file_id,
              name: row.relative_path.split('/').at(-1) || row.file_id,
              path: row.relative_path,
              domain: row.domain,
              at: row.mtime,
              what: t('origin_file'),
            });
        }}
        columns={[
          {
            name: t('path'),
            width: 'minmax(0, 2.2fr)',
            cell: (row) => (
              <span className="row">
                <Icon glyph={GLYPHS[row.kind] ?? File} size={14} />
                <span className="truncate" dir="auto">
                  {row.relative_path || '/'}
                </span>
              </span>
            ),
            title: (row) => row.relative_path,
          },
          {
            name: t('domain'),
            width: 'minmax(0, 1fr)',
            cell: (row) => <span className="mono">{row.domain}</span>,
            title: (row) => row.domain,
          },
          {
            name: t('size'),
            width: '84px',
            cell: (row) => (row.kind === 'file' ? formats.bytes(row.size) : ''),
            isNumber: true,
          },
          {
            name: t('changed'),
            width: '112px',
            cell: (row) => labels.day(row.mtime),
            title: (row) => labels.exact(row.mtime),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}
