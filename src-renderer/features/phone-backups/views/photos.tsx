import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Film, Heart } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PhotoRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Checkbox, Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { saveFiles } from '../export/zip.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import type { Target } from '../preview/target.ts';
import { Thumb } from '../preview/thumb.tsx';
import { allRows, useAnswer } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSavedScroll } from '../use-saved-scroll.ts';
import { useSearchState } from '../use-search-state.ts';
import { useRowSelection } from '../use-row-selection.ts';
import { localDay } from '../local-day.ts';
import type { PhoneLabels } from '../labels.ts';
import { justified, type Row } from './justified.ts';

const DOMAIN = 'CameraRollDomain';
const HEIGHT = 150,
  NARROW_HEIGHT = 104,
  NARROW = 560,
  GAP = 4,
  HEAD = 40;
type Line = { kind: 'day'; day: string; count: number } | ({ kind: 'row' } & Row);

/** Photos and films by day, newest first, in rows that fill the width. */
export default function PhotosView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const albums = useAnswer(source, 'albums', { query: { limit: '1000' } });
  const [read, setRead] = useState(0);
  const {
    data: photos,
    error,
    refetch,
  } = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'photos', search.album ?? ''],
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) => allRows(source, 'photos', { query: { album: search.album } }, setRead, signal),
  });
  const selection = useRowSelection<PhotoRow>((photo) => photo.asset_id);
  const take = (): readonly PhotoRow[] => (selection.size > 0 ? selection.items : (photos ?? []));
  const filesOf = (rows: readonly PhotoRow[]): Outgoing[] =>
    rows.flatMap((photo) => {
      const {
        edited_file_id: edited,
        edited_relative_path: editedPath,
        is_live: isLive,
        live_video_file_id: film,
        live_video_relative_path: filmPath,
      } = photo.metadata;
      const parts = [
        [photo.file_id, photo.relative_path],
        [edited, editedPath],
        [isLive ? film : null, filmPath],
      ] as const;
      return parts.flatMap(([fileId, path]) =>
        fileId === null
          ? []
          : [
              outgoingOf(
                {
                  fileId,
                  path: path ?? '',
                  domain: DOMAIN,
                  at: photo.taken_at,
                  offset: photo.timezone_offset_minutes,
                  size: fileId === photo.file_id ? photo.metadata.size_bytes : null,
                  what: t('origin_photo'),
                  filename: fileId === photo.file_id ? photo.original_filename : null,
                },
                source.device,
                labels,
              ),
            ],
      );
    });
  const exports = [
    { name: t('as_zip'), run: (task: Task) => saveFiles(source, filesOf(take()), 'photos.zip', labels, task) },
    {
      name: t('as_csv'),
      run: async () =>
        saveBlob(
          new Blob(
            [
              csvOf(
                ['taken_at', 'filename', 'path', 'width', 'height', 'type', 'latitude', 'longitude', 'albums'],
                take().map((p) => [
                  p.taken_at,
                  p.original_filename,
                  p.relative_path,
                  p.width,
                  p.height,
                  p.media_type,
                  p.metadata.latitude,
                  p.metadata.longitude,
                  p.metadata.albums.join('; '),
                ]),
              ),
            ],
            { type: 'text/csv' },
          ),
          'photos.csv',
        ),
    },
  ];
  return (
    <>
      <Toolbar
        title={t('view.photos')}
        count={photos?.length}
        source={source}
        labels={labels}
        exports={photos?.length ? exports : []}
        sends={
          selection.size > 0
            ? () => filesOf(selection.items).filter(({ relativePath }) => !/\.mov$/i.test(relativePath))
            : null
        }
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
        {(albums.data?.total ?? 0) > 0 && (
          <Select
            className="phone-album"
            aria-label={t('album')}
            value={search.album ?? ''}
            onChange={(event) => set({ album: event.target.value || undefined })}
            options={[
              { value: '', label: t('all_photos') },
              ...(albums.data?.items ?? [])
                .filter(({ title }) => title !== null)
                .map(({ title, photo_count: count }) => ({ value: title ?? '', label: `${title} · ${count}` })),
            ]}
          />
        )}
      </Toolbar>
      {error && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!photos && !error && (
        <div className="phone-grid-skeleton" role="status">
          <span className="cap num phone-grid-read">{t('loading_photos', { count: read })}</span>
          {Array.from({ length: 18 }, (_, index) => (
            <Skeleton key={index} width={110 + ((index * 37) % 90)} height={HEIGHT} />
          ))}
        </div>
      )}
      {photos?.length === 0 && (
        <EmptyState title={t('none_of', { what: t('view.photos') })}>{t('none_text')}</EmptyState>
      )}
      {photos && photos.length > 0 && <Grid photos={photos} selection={selection} source={source} labels={labels} />}
    </>
  );
}

function linesOf(photos: readonly PhotoRow[], width: number): Line[] {
  const lines: Line[] = [];
  let next = dayOf(photos[0]);
  const height = width < NARROW ? NARROW_HEIGHT : HEIGHT;
  for (let start = 0; start < photos.length;) {
    const day = next;
    let end = start + 1;
    next = dayOf(photos[end]);
    for (; end < photos.length && next === day; next = dayOf(photos[end])) end += 1;
    lines.push({ kind: 'day', day, count: end - start });
    for (const row of justified(photos.slice(start, end), { width, height, gap: GAP, start }))
      lines.push({ kind: 'row', ...row });
    start = end;
  }
  return lines;
}
const dayOf = (photo: PhotoRow | undefined): string =>
  photo?.taken_at ? localDay(photo.taken_at, photo.timezone_offset_minutes) : '';

function Grid({
  photos,
  selection,
  source,
  labels,
}: ViewProps & { photos: readonly PhotoRow[]; selection: ReturnType<typeof useRowSelection<PhotoRow>> }) {
  const { t, formats } = labels;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const lines = useMemo(() => (width > 0 ? linesOf(photos, width) : []), [photos, width]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const line = lines[index];
      return line?.kind === 'row' ? line.height + GAP : HEAD;
    },
    overscan: 4,
  });
  // Other widths have other lines.
  useLayoutEffect(() => {
    rows.measure();
  }, [lines, rows]);
  useSavedScroll(box, t('view.photos'), lines.length > 0);
  const preview = usePreview();
  const targets = (): Target[] =>
    photos.flatMap((photo) => (photo.file_id === null ? [] : [targetOf(photo, t('origin_photo'))]));
  return (
    <div ref={box} className="phone-grid" role="region" aria-label={t('view.photos')} tabIndex={0}>
      <div className="phone-space" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          if (line.kind === 'day')
            return (
              <h3 key={index} className="phone-line phone-grid-day" style={{ transform: `translateY(${start}px)` }}>
                {line.day === '' ? t('date_unknown') : formats.dateLong(line.day)}{' '}
                <span className="cap num">{formats.count(line.count)}</span>
              </h3>
            );
          return (
            <div
              key={index}
              className="phone-line phone-grid-row"
              style={{ transform: `translateY(${start}px)`, height: line.height, gap: GAP }}
            >
              {line.items.map((item) => {
                const photo = photos[item.index];
                return (
                  photo && (
                    <Tile
                      key={photo.asset_id}
                      photo={photo}
                      width={item.width}
                      height={line.height}
                      isSelected={selection.has(photo)}
                      onChoose={() => selection.toggle(photo)}
                      onOpen={() => preview(targetOf(photo, t('origin_photo')), targets())}
                      source={source}
                      labels={labels}
                    />
                  )
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const targetOf = (photo: PhotoRow, what: string): Target => ({
  fileId: photo.metadata.edited_file_id ?? photo.file_id ?? '',
  name: photo.original_filename ?? photo.relative_path?.split('/').at(-1) ?? photo.asset_id,
  path: photo.relative_path ?? '',
  domain: DOMAIN,
  at: photo.taken_at,
  offset: photo.timezone_offset_minutes,
  what,
});

function Tile({
  photo,
  width,
  height,
  isSelected,
  onChoose,
  onOpen,
  source,
  labels,
}: ViewProps & {
  photo: PhotoRow;
  width: number;
  height: number;
  isSelected: boolean;
  onChoose: () => void;
  onOpen: () => void;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  const name = photo.original_filename ?? photo.asset_id;
  const label = `${name}, ${labels.day(photo.taken_at)} ${labels.time(photo.taken_at)}`;
  return (
    <figure className="phone-tile" style={{ width, height }} data-chosen={isSelected || undefined}>
      <button
        type="button"
        disabled={photo.file_id === null}
        aria-label={photo.file_id === null ? t('in_icloud', { name }) : label}
        title={photo.file_id === null ? t('in_icloud', { name }) : label}
        onClick={onOpen}
      >
        {photo.media_type === 'video' ? (
          <VideoTile photo={photo} source={source} labels={labels} />
        ) : (
          <Thumb
            source={source}
            fileId={photo.metadata.edited_file_id ?? photo.file_id}
            path={photo.relative_path}
            alt=""
            size={HEIGHT}
          />
        )}
      </button>
      <span className="phone-tile-tick">
        <Checkbox
          label={t('choose_of', { name })}
          hideLabel
          checked={isSelected}
          disabled={photo.file_id === null}
          onChange={onChoose}
        />
      </span>
      <span className="phone-tile-marks">
        {photo.metadata.is_live && <span title={t('live')}>LIVE</span>}
        {photo.metadata.is_favourite && <Icon glyph={Heart} size={12} />}
      </span>
    </figure>
  );
}

const VideoTile = ({ photo, labels }: ViewProps & { photo: PhotoRow }) => (
  <span className="phone-thumb phone-thumb-none">
    <Icon glyph={Film} size={20} />
    <span className="cap num">
      {photo.metadata.duration_seconds === null ? '' : labels.duration(photo.metadata.duration_seconds)}
    </span>
  </span>
);
