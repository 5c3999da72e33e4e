import { ImageOff } from 'lucide-react';
import { Icon } from '../../../ui/icon.tsx';
import { useImageUrl } from './use-image-url.tsx';
import './thumb.css';

/** A thumbnail: gray while it loads, an icon if it cannot be shown. `size`: in CSS pixels. */
export function Thumb({
  fileId,
  path,
  alt,
  size,
}: {
  fileId: string | null;
  path: string | null;
  alt: string;
  size: number;
}) {
  const url = useImageUrl(fileId, path, size * 2);
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
