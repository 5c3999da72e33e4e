import { CornerDownRight, File, Folder, type LucideIcon } from 'lucide-react';
import type { ManifestEntry } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { saveCsv } from '../export/save-csv.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { allRows, useAnswer, useRowsOf } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import type { BackupSource } from '../source/source.ts';
import { Toolbar, type ExportWay } from '../toolbar.tsx';
import { useRowSelection } from '../use-row-selection.ts';
import { useSearchState } from '../use-search-state.ts';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** An archive of more files is only offered for a selection. */
const MAX_FILES = 20_000;

const GLYPHS: Partial<Record<ManifestEntry['kind'], LucideIcon>> = { directory: Folder, symlink: CornerDownRight };

/** A search text as a LIKE pattern; one that contains % already is one. */
export const patternOf = (text: string): string => (text.includes('%') ? text : `%${text.replace(/[%_]/g, '_')}%`);

const linksOf = (entries: readonly ManifestEntry[]): string[] =>
  entries.filter(({ kind }) => kind === 'symlink').map(({ domain, relative_path: path }) => `${domain}/${path}`);

function filesOf(entries: readonly ManifestEntry[], source: BackupSource, labels: PhoneLabels): Outgoing[] {
  return entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) =>
      outgoingOf(
        {
          fileId: entry.file_id,
          path: entry.relative_path,
          domain: entry.domain,
          at: entry.mtime,
          size: entry.size,
          what: labels.t('origin_file'),
        },
        source.device,
        labels,
      ),
    );
}

/** Every file of the manifest, by domain and path. */
export default function FilesView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = {
    query: { domain: search.domain, path_like: search.filter === undefined ? undefined : patternOf(search.filter) },
  };
  const rows = useRowsOf(source, 'files', request);
  const openPreview = usePreview();
  const selection = useRowSelection<ManifestEntry>((entry) => entry.file_id);
  const loadEntries = async (): Promise<readonly ManifestEntry[]> =>
    selection.size > 0 ? selection.items : allRows(source, 'files', request);
  const canSaveAll = selection.size > 0 || (rows.total ?? 0) <= MAX_FILES;
  const open = (entry: ManifestEntry): void => {
    if (entry.kind !== 'file') return;
    openPreview({
      fileId: entry.file_id,
      name: entry.relative_path.split('/').at(-1) || entry.file_id,
      path: entry.relative_path,
      domain: entry.domain,
      at: entry.mtime,
      what: t('origin_file'),
    });
  };
  return (
    <>
      <Toolbar
        title={t('view.files')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? fileExports(loadEntries, canSaveAll, source, labels) : []}
        sends={selection.size > 0 ? () => filesOf(selection.items, source, labels) : null}
        filter={{
          value: search.filter ?? '',
          label: t('filter_path'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        <DomainSelect source={source} labels={labels} />
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.files')}
        idOf={(row) => row.file_id}
        selection={selection}
        labels={labels}
        empty={{ title: t('no_match') }}
        onOpen={open}
        columns={fileColumns(labels)}
      />
    </>
  );
}

function fileExports(
  loadEntries: () => Promise<readonly ManifestEntry[]>,
  canSaveAll: boolean,
  source: BackupSource,
  labels: PhoneLabels,
): ExportWay[] {
  const { t } = labels;
  const asZip: ExportWay = {
    name: t('as_zip'),
    async run(task) {
      const entries = await loadEntries();
      await saveFiles(source, filesOf(entries, source, labels), 'files.zip', labels, task, linksOf(entries));
    },
  };
  const asCsv: ExportWay = { name: t('as_csv_list'), run: async () => saveEntriesCsv(await loadEntries()) };
  return canSaveAll ? [asZip, asCsv] : [asCsv];
}

function saveEntriesCsv(entries: readonly ManifestEntry[]): void {
  saveCsv(
    'files.csv',
    ['domain', 'path', 'kind', 'size', 'modified_at', 'file_id'],
    entries.map((row) => [row.domain, row.relative_path, row.kind, row.size, row.mtime, row.file_id]),
  );
}

function DomainSelect({ source, labels: { t, formats } }: ViewProps) {
  const { search, set } = useSearchState();
  const domains = useAnswer(source, 'domains', {});
  return (
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
  );
}

function fileColumns(labels: PhoneLabels): Column<ManifestEntry>[] {
  const { t, formats } = labels;
  return [
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
  ];
}
