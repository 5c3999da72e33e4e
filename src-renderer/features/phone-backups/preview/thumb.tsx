import { ImageOff } from 'lucide-react';
import { Icon } from '../../../ui/icon.tsx';
import type { BackupSource } from '../source/source.ts';
import { usePicture } from './use-pictures.tsx';

/** A small picture; a grey field until it is there, a sign where it cannot be shown. `size` in CSS pixels. */
export function Thumb({
  fileId,
  path,
  alt,
  size,
}: {
  source: BackupSource;
  fileId: string | null;
  path: string | null;
  alt: string;
  size: number;
}) {
  const url = usePicture(fileId, path, size * 2);
  if (url === undefined) return <span className="phone-thumb skeleton" />;
  if (url === null)
    return (
      <span className="phone-thumb phone-thumb-none">
        <Icon glyph={ImageOff} size={18} />
        <span className="sr-only">{alt}</span>
      </span>
    );
  return <img className="phone-thumb" src={url} alt={alt} loading="lazy" decoding="async" />;
}
