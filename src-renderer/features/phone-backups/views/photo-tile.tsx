import { Film, Heart, Trash2 } from 'lucide-react';
import type { PhotoRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { PhoneLabels } from '../labels.ts';
import { Thumb } from '../preview/thumb.tsx';
import '../preview/thumb.css';

export const PHOTO_DOMAIN = 'CameraRollDomain';
/** Pixels of a row of photos on a wide screen. */
export const PHOTO_HEIGHT = 150;

interface Props {
  photo: PhotoRow;
  width: number;
  height: number;
  isSelected: boolean;
  onToggle: () => void;
  onOpen: () => void;
  labels: PhoneLabels;
}

/** One photo or video with its checkbox; disabled if the file is only in iCloud. */
export function PhotoTile({ photo, width, height, isSelected, onToggle, onOpen, labels }: Props) {
  const { t } = labels;
  const { metadata } = photo;
  const name = photo.original_filename ?? photo.asset_id;
  const isMissing = photo.file_id === null;
  const label = isMissing
    ? t('in_icloud', { name })
    : `${name}, ${labels.day(photo.taken_at)} ${labels.time(photo.taken_at)}${
        metadata.is_trashed ? `, ${t('recently_deleted')}` : ''
      }`;
  return (
    <figure className="phone-tile" style={{ width, height }} data-selected={isSelected || undefined}>
      <button type="button" disabled={isMissing} aria-label={label} title={label} onClick={onOpen}>
        {photo.media_type === 'video' ? (
          <VideoThumb photo={photo} labels={labels} />
        ) : (
          <Thumb
            fileId={metadata.edited_file_id ?? photo.file_id}
            path={photo.relative_path}
            alt=""
            size={PHOTO_HEIGHT}
          />
        )}
      </button>
      <span className="phone-tile-tick">
        <Checkbox
          label={t('choose_of', { name })}
          hideLabel
          checked={isSelected}
          disabled={isMissing}
          onChange={onToggle}
        />
      </span>
      <span className="phone-tile-marks">
        {metadata.is_live && <span title={t('live')}>LIVE</span>}
        {metadata.is_trashed && <Icon glyph={Trash2} size={12} />}
        {metadata.is_favourite && <Icon glyph={Heart} size={12} />}
      </span>
    </figure>
  );
}

function VideoThumb({ photo, labels }: { photo: PhotoRow; labels: PhoneLabels }) {
  const { duration_seconds: duration } = photo.metadata;
  return (
    <span className="phone-thumb phone-thumb-none">
      <Icon glyph={Film} size={20} />
      <span className="cap num">{duration === null ? '' : labels.duration(duration)}</span>
    </span>
  );
}
