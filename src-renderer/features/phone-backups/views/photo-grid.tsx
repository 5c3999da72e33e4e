import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type RefObject } from 'react';
import type { PhotoRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { localDay } from '../local-day.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import type { Target } from '../preview/target.ts';
import type { Selection } from '../use-row-selection.ts';
import { useSavedScroll } from '../use-saved-scroll.ts';
import { layOutRows, type ImageRow } from './image-rows.ts';
import { PHOTO_DOMAIN, PHOTO_HEIGHT, PhotoTile } from './photo-tile.tsx';
import type { PhoneLabels } from '../labels.ts';
import '../virtual-list.css';
import './photos.css';

/** Rows are lower in a box narrower than this. */
const NARROW_WIDTH = 560;
const NARROW_HEIGHT = 104;
const GAP = 4;
const DAY_HEIGHT = 40;

interface DayLine {
  kind: 'day';
  day: string;
  count: number;
}
type Line = DayLine | ({ kind: 'row' } & ImageRow);

const dayOf = (photo: PhotoRow | undefined): string =>
  photo?.taken_at ? localDay(photo.taken_at, photo.timezone_offset_minutes) : '';

/** A heading for each day, and under it the rows of its photos. */
function linesOf(photos: readonly PhotoRow[], width: number): Line[] {
  const lines: Line[] = [];
  let next = dayOf(photos[0]);
  const height = width < NARROW_WIDTH ? NARROW_HEIGHT : PHOTO_HEIGHT;
  for (let start = 0; start < photos.length;) {
    const day = next;
    let end = start + 1;
    next = dayOf(photos[end]);
    for (; end < photos.length && next === day; next = dayOf(photos[end])) end += 1;
    lines.push({ kind: 'day', day, count: end - start });
    for (const row of layOutRows(photos.slice(start, end), { width, height, gap: GAP, start }))
      lines.push({ kind: 'row', ...row });
    start = end;
  }
  return lines;
}

/** The width of an element; 0 until it is rendered. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    // Observing reports the width once before the first paint.
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

interface GridProps {
  photos: readonly PhotoRow[];
  selection: Selection<PhotoRow>;
  labels: PhoneLabels;
}

/** All photos in rows by day; only the visible rows are rendered. */
export function PhotoGrid({ photos, selection, labels }: GridProps) {
  const { t } = labels;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const lines = useMemo(() => (width > 0 ? linesOf(photos, width) : []), [photos, width]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const line = lines[index];
      return line?.kind === 'row' ? line.height + GAP : DAY_HEIGHT;
    },
    overscan: 4,
  });
  // The lines depend on the width, so the measured heights no longer apply.
  useLayoutEffect(() => {
    rows.measure();
  }, [lines, rows]);
  useSavedScroll(box, t('view.photos'), lines.length > 0);
  return (
    <div ref={box} className="phone-grid" role="region" aria-label={t('view.photos')} tabIndex={0}>
      <div className="phone-space" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          const style = { transform: `translateY(${start}px)` };
          if (!line) return null;
          return line.kind === 'day' ? (
            <DayHeading key={index} line={line} style={style} labels={labels} />
          ) : (
            <PhotoRowLine key={index} row={line} style={style} photos={photos} selection={selection} labels={labels} />
          );
        })}
      </div>
    </div>
  );
}

function DayHeading({ line, style, labels }: { line: DayLine; style: CSSProperties } & { labels: PhoneLabels }) {
  const { t, formats } = labels;
  return (
    <h3 className="phone-line phone-grid-day" style={style}>
      {line.day === '' ? t('date_unknown') : formats.dateLong(line.day)}{' '}
      <span className="cap num">{formats.count(line.count)}</span>
    </h3>
  );
}

const targetOf = (photo: PhotoRow, what: string): Target => ({
  fileId: photo.metadata.edited_file_id ?? photo.file_id ?? '',
  name: photo.original_filename ?? photo.relative_path?.split('/').at(-1) ?? photo.asset_id,
  path: photo.relative_path ?? '',
  domain: PHOTO_DOMAIN,
  at: photo.taken_at,
  offset: photo.timezone_offset_minutes,
  what,
});

function PhotoRowLine({ row, style, photos, selection, labels }: GridProps & { row: ImageRow; style: CSSProperties }) {
  const openPreview = usePreview();
  const what = labels.t('origin_photo');
  const allTargets = (): Target[] =>
    photos.filter((photo) => photo.file_id !== null).map((photo) => targetOf(photo, what));
  return (
    <div className="phone-line phone-grid-row" style={{ ...style, height: row.height, gap: GAP }}>
      {row.items.map((item) => {
        const photo = photos[item.index];
        return (
          photo && (
            <PhotoTile
              key={photo.asset_id}
              photo={photo}
              width={item.width}
              height={row.height}
              isSelected={selection.has(photo)}
              onToggle={() => selection.toggle(photo)}
              onOpen={() => openPreview(targetOf(photo, what), allTargets())}
              labels={labels}
            />
          )
        );
      })}
    </div>
  );
}
