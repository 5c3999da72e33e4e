import { useNavigate } from '@tanstack/react-router';
import type { ArtifactName, SearchHit } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { ManifestEntry } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Highlighted } from '../../../client/highlighted.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { PhoneLabels } from '../labels.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { useRowsOf, type Rows } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { viewOf } from '../views.ts';
import { patternOf } from './files.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** Kinds of hits with a chip of their own. */
const FILTERS = ['messages', 'whatsapp', 'notes', 'contacts', 'calendar'] as const satisfies readonly ArtifactName[];

/** Searches everything: the rows of all artifacts, and the paths of files. */
export default function SearchView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search } = useSearchState();
  const query = search.q ?? '';
  const kind = search.part as ArtifactName | 'files' | undefined;
  const hits = useRowsOf(source, 'search', {
    query: { q: query, ...(kind !== undefined && kind !== 'files' && { artifact: kind }) },
  });
  const files = useRowsOf(source, 'files', { query: { path_like: patternOf(query) } });
  return (
    <>
      <Toolbar
        title={t('hits_of', { q: query })}
        count={kind === 'files' ? files.total : hits.total}
        source={source}
        labels={labels}
      >
        <KindChips kind={kind} fileCount={files.total} labels={labels} />
      </Toolbar>
      {kind === 'files' ? (
        <FileHits files={files} labels={labels} />
      ) : (
        <Hits hits={hits} query={query} source={source} labels={labels} />
      )}
    </>
  );
}

interface ChipsProps {
  kind: ArtifactName | 'files' | undefined;
  fileCount: number | undefined;
  labels: PhoneLabels;
}

function KindChips({ kind, fileCount, labels: { t, formats } }: ChipsProps) {
  const { set } = useSearchState();
  return (
    <span className="row phone-chips" role="group" aria-label={t('kinds')}>
      <Chip isOn={kind === undefined} aria-pressed={kind === undefined} onClick={() => set({ part: undefined })}>
        {t('everything')}
      </Chip>
      {FILTERS.map((name) => (
        <Chip key={name} isOn={kind === name} aria-pressed={kind === name} onClick={() => set({ part: name })}>
          {t(`artifact.${name}`)}
        </Chip>
      ))}
      <Chip isOn={kind === 'files'} aria-pressed={kind === 'files'} onClick={() => set({ part: 'files' })}>
        {t('view.files')}
        {fileCount !== undefined && ` · ${formats.count(fileCount)}`}
      </Chip>
    </span>
  );
}

function FileHits({ files, labels }: { files: Rows<ManifestEntry>; labels: PhoneLabels }) {
  const { t } = labels;
  const openPreview = usePreview();
  const open = (file: ManifestEntry): void => {
    if (file.kind !== 'file') return;
    openPreview({
      fileId: file.file_id,
      name: file.relative_path.split('/').at(-1) ?? '',
      path: file.relative_path,
      domain: file.domain,
      at: file.mtime,
    });
  };
  return (
    <RowTable
      rows={files}
      label={t('view.files')}
      idOf={(row) => row.file_id}
      labels={labels}
      empty={{ title: t('no_match') }}
      onOpen={open}
      columns={[
        {
          name: t('path'),
          width: 'minmax(0, 2fr)',
          cell: (row) => row.relative_path,
          title: (row) => row.relative_path,
        },
        { name: t('domain'), width: 'minmax(0, 1fr)', cell: (row) => <span className="mono">{row.domain}</span> },
      ]}
    />
  );
}

/** The search parameters of the view that shows a hit; a view without single items is filtered by its title. */
function paramsOf(hit: SearchHit) {
  const { artifact, parent, identifier, title } = hit;
  const view = viewOf(artifact).name;
  if (parent !== null) return { view, item: parent, at: identifier };
  const hasItems = artifact === 'notes' || artifact === 'contacts';
  return hasItems ? { view, item: identifier } : { view, item: undefined, filter: title ?? undefined };
}

function Hits({ hits, query, source, labels }: ViewProps & { hits: Rows<SearchHit>; query: string }) {
  const { t } = labels;
  const navigate = useNavigate();
  const openPreview = usePreview();
  const open = (hit: SearchHit): void => {
    if (hit.file_id !== null)
      return openPreview({ fileId: hit.file_id, name: hit.title ?? hit.identifier, path: '', domain: '', at: hit.at });
    void navigate({
      to: '/phones/$id',
      params: { id: source.device.id },
      search: ({ patient }) => ({ patient, from: source.kind, ...paramsOf(hit) }),
    });
  };
  return (
    <RowTable
      rows={hits}
      label={t('hits_of', { q: query })}
      idOf={(hit) => hit.identifier}
      labels={labels}
      empty={{ title: t('no_match'), text: t('no_hits_text') }}
      onOpen={open}
      columns={hitColumns(labels)}
    />
  );
}

function hitColumns(labels: PhoneLabels): Column<SearchHit>[] {
  const { t } = labels;
  return [
    { name: t('where'), width: 'minmax(0, 1fr)', cell: (hit) => <HitTitle hit={hit} labels={labels} /> },
    { name: t('text'), width: 'minmax(0, 2.4fr)', cell: (hit) => <Highlighted text={hit.snippet} /> },
    {
      name: t('date'),
      width: '112px',
      cell: (hit) => labels.day(hit.at),
      title: (hit) => labels.exact(hit.at),
      isNumber: true,
    },
  ];
}

function HitTitle({ hit, labels }: { hit: SearchHit; labels: PhoneLabels }) {
  return (
    <span className="row">
      <Icon glyph={viewOf(hit.artifact).glyph} size={14} />
      <span className="truncate">{hit.title ?? labels.t(`artifact.${hit.artifact}`)}</span>
    </span>
  );
}
