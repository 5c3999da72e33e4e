import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhotoRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Select } from '../../../ui/field.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { saveCsv } from '../export/save-csv.ts';
import { saveFiles } from '../export/zip.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows, useAnswer } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import { Toolbar, type ExportWay } from '../toolbar.tsx';
import { useRowSelection } from '../use-row-selection.ts';
import { useSearchState } from '../use-search-state.ts';
import { PhotoGrid } from './photo-grid.tsx';
import { PHOTO_DOMAIN, PHOTO_HEIGHT } from './photo-tile.tsx';
import type { ViewProps } from './view-props.ts';

/** Photos and videos by day, newest first, in rows that fill the width. */
export default function PhotosView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search } = useSearchState();
  const [loadedCount, setLoadedCount] = useState(0);
  const {
    data: photos,
    error,
    refetch,
  } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'photos', search.album ?? ''],
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) => allRows(source, 'photos', { query: { album: search.album } }, setLoadedCount, signal),
  });
  const selection = useRowSelection<PhotoRow>((photo) => photo.asset_id);
  const selectedOrAll = (): readonly PhotoRow[] => (selection.size > 0 ? selection.items : (photos ?? []));
  const exports: ExportWay[] = [
    {
      name: t('as_zip'),
      run: (task) => saveFiles(source, filesOf(selectedOrAll(), source, labels), 'photos.zip', labels, task),
    },
    { name: t('as_csv'), run: async () => savePhotosCsv(selectedOrAll()) },
  ];
  const filesToSend = (): Outgoing[] =>
    filesOf(selection.items, source, labels).filter(({ relativePath }) => !/\.mov$/i.test(relativePath));
  return (
    <>
      <Toolbar
        title={t('view.photos')}
        count={photos?.length}
        source={source}
        labels={labels}
        exports={photos?.length ? exports : []}
        sends={selection.size > 0 ? filesToSend : null}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        <AlbumSelect source={source} labels={labels} />
      </Toolbar>
      {error && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!photos && !error && <GridSkeleton label={t('loading_photos', { count: loadedCount })} />}
      {photos?.length === 0 && (
        <EmptyState title={t('none_of', { what: t('view.photos') })}>{t('none_text')}</EmptyState>
      )}
      {photos && photos.length > 0 && <PhotoGrid photos={photos} selection={selection} labels={labels} />}
    </>
  );
}

/** The files of photos: the original, the edited version, and the video of a live photo. */
function filesOf(photos: readonly PhotoRow[], source: BackupSource, labels: PhoneLabels): Outgoing[] {
  return photos.flatMap((photo) => {
    const { metadata } = photo;
    const parts = [
      [photo.file_id, photo.relative_path],
      [metadata.edited_file_id, metadata.edited_relative_path],
      [metadata.is_live ? metadata.live_video_file_id : null, metadata.live_video_relative_path],
    ] as const;
    return parts.flatMap(([fileId, path]) => {
      if (fileId === null) return [];
      const isOriginal = fileId === photo.file_id;
      const origin = {
        fileId,
        path: path ?? '',
        domain: PHOTO_DOMAIN,
        at: photo.taken_at,
        offset: photo.timezone_offset_minutes,
        size: isOriginal ? metadata.size_bytes : null,
        what: labels.t('origin_photo'),
        filename: isOriginal ? photo.original_filename : null,
      };
      return [outgoingOf(origin, source.device, labels)];
    });
  });
}

function savePhotosCsv(photos: readonly PhotoRow[]): void {
  saveCsv(
    'photos.csv',
    ['taken_at', 'filename', 'path', 'width', 'height', 'type', 'latitude', 'longitude', 'albums', 'recently_deleted'],
    photos.map(({ metadata, ...photo }) => [
      photo.taken_at,
      photo.original_filename,
      photo.relative_path,
      photo.width,
      photo.height,
      photo.media_type,
      metadata.latitude,
      metadata.longitude,
      metadata.albums.join('; '),
      metadata.is_trashed ? 'yes' : 'no',
    ]),
  );
}

function AlbumSelect({ source, labels: { t } }: ViewProps) {
  const { search, set } = useSearchState();
  const albums = useAnswer(source, 'albums', { query: { limit: '1000' } }).data;
  if (!albums || albums.total === 0) return null;
  return (
    <Select
      className="phone-album"
      aria-label={t('album')}
      value={search.album ?? ''}
      onChange={(event) => set({ album: event.target.value || undefined })}
      options={[
        { value: '', label: t('all_photos') },
        ...albums.items
          .filter(({ title }) => title !== null)
          .map(({ title, photo_count: count }) => ({ value: title ?? '', label: `${title} · ${count}` })),
      ]}
    />
  );
}

function GridSkeleton({ label }: { label: string }) {
  return (
    <div className="phone-grid-skeleton" role="status">
      <span className="cap num phone-grid-read">{label}</span>
      {Array.from({ length: 18 }, (_, index) => (
        <Skeleton key={index} width={110 + ((index * 37) % 90)} height={PHOTO_HEIGHT} />
      ))}
    </div>
  );
}
