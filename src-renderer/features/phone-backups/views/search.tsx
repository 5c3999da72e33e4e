import { useNavigate } from '@tanstack/react-router';
import { Highlighted } from '../../../client/highlighted.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { ArtifactName, SearchHit } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import type { ViewProps } from './view-props.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { VIEWS } from '../views.ts';
import { patternOf } from './files.tsx';
import { RowTable } from './row-table.tsx';

/** Which view shows a hit. */
const VIEW_OF: Partial<Record<ArtifactName, string>> = {
  messages: 'messages',
  whatsapp: 'whatsapp',
  contacts: 'contacts',
  notes: 'notes',
  calls: 'calls',
  calendar: 'calendar',
  safari: 'safari',
  photos: 'photos',
  apps: 'apps',
  medications: 'medications',
  voicemail: 'voicemail',
  recordings: 'recordings',
  health: 'health',
};

/** Searches everything: the rows of all artifacts, and the paths of files. */
export default function SearchView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const navigate = useNavigate();
  const preview = usePreview();
  const q = search.q ?? '';
  const only = search.part as ArtifactName | 'files' | undefined;
  const hits = useRowsOf(source, 'search', {
    query: { q, ...(only !== undefined && only !== 'files' && { artifact: only }) },
  });
  const files = useRowsOf(source, 'files', { query: { path_like: patternOf(q) } });
  const open = (hit: SearchHit): void => {
    if (hit.file_id !== null)
      return preview({ fileId: hit.file_id, name: hit.title ?? hit.identifier, path: '', domain: '', at: hit.at });
    void navigate({
      to: '/phones/$id',
      params: { id: source.device.id },
      search: (before) => ({
        patient: before.patient,
        from: source.kind,
        view: VIEW_OF[hit.artifact],
        item: hit.parent ?? hit.identifier,
        ...(hit.parent !== null && { at: hit.identifier }),
        ...(hit.parent === null &&
          hit.artifact !== 'notes' &&
          hit.artifact !== 'contacts' && { filter: hit.title ?? undefined, item: undefined }),
      }),
    });
  };
  const glyphOf = (artifact: ArtifactName) => VIEWS.find((view) => view.artifact === artifact)?.glyph;
  return (
    <>
      <Toolbar
        title={t('hits_of', { q })}
        count={only === 'files' ? files.total : hits.total}
        source={source}
        labels={labels}
      >
        <span className="row phone-chips" role="group" aria-label={t('kinds')}>
          <Chip on={only === undefined} aria-pressed={only === undefined} onClick={() => set({ part: undefined })}>
            {t('everything')}
          </Chip>
          {(['messages', 'whatsapp', 'notes', 'contacts', 'calendar'] as const).map((name) => (
            <Chip key={name} on={only === name} aria-pressed={only === name} onClick={() => set({ part: name })}>
              {t(`artifact.${name}`)}
            </Chip>
          ))}
          <Chip on={only === 'files'} aria-pressed={only === 'files'} onClick={() => set({ part: 'files' })}>
            {t('view.files')}
            {files.total !== undefined && ` · ${labels.formats.count(files.total)}`}
          </Chip>
        </span>
      </Toolbar>
      {only === 'files' ? (
        <RowTable
          rows={files}
          label={t('view.files')}
          idOf={(row) => row.file_id}
          labels={labels}
          nothing={{ title: t('no_match') }}
          onOpen={(row) => {
            if (row.kind === 'file')
              preview({
                fileId: row.file_id,
                name: row.relative_path.split('/').at(-1) ?? '',
                path: row.relative_path,
                domain: row.domain,
                at: row.mtime,
              });
          }}
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
      ) : (
        <RowTable
          rows={hits}
          label={t('hits_of', { q })}
          idOf={(hit) => hit.identifier}
          labels={labels}
          nothing={{ title: t('no_match'), text: t('no_hits_text') }}
          onOpen={open}
          columns={[
            {
              name: t('where'),
              width: 'minmax(0, 1fr)',
              cell: (hit) => {
                const glyph = glyphOf(hit.artifact);
                return (
                  <span className="row">
                    {glyph && <Icon glyph={glyph} size={14} />}
                    <span className="truncate">{hit.title ?? t(`artifact.${hit.artifact}`)}</span>
                  </span>
                );
              },
            },
            { name: t('text'), width: 'minmax(0, 2.4fr)', cell: (hit) => <Highlighted text={hit.snippet} /> },
            {
              name: t('date'),
              width: '112px',
              cell: (hit) => labels.day(hit.at),
              title: (hit) => labels.exact(hit.at),
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}
