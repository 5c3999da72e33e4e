import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Null while the size of the page is not known. */
  src: string | null;
  /** A small image that is there at once, shown until a sharper one has loaded. */
  preview: string | undefined;
  page: number;
  total: number;
  /** Reports height / width when the image has loaded. */
  onRatio: (page: number, ratio: number) => void;
  onFailed: ((page: number) => void) | undefined;
}

/** The image of a page. The previous image stays until a sharper one has loaded; on failure, Retry is offered. */
export function PageImage({ src, preview, page, total, onRatio, onFailed }: Props) {
  const { t } = useTranslation('viewer');
  const [loadedSrc, setShown] = useState<string | null>(null);
  const [failedSrc, setFailed] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasPreview, setHasPreview] = useState(true);
  const before = loadedSrc ?? (hasPreview ? preview : null);
  const sources = [...new Set([before, src])].filter((source) => typeof source === 'string');

  if (src !== null && failedSrc === src) {
    return (
      <div className="vw-failed" role="alert">
        <p>{t('page_failed', { page })}</p>
        <button
          type="button"
          className="vw-tool"
          onClick={() => {
            setFailed(null);
            setAttempt(attempt + 1);
          }}
        >
          <RotateCw aria-hidden /> {t('retry')}
        </button>
      </div>
    );
  }
  return sources.map((source, index) => (
    <img
      key={`${source}#${attempt}`}
      src={source}
      draggable={false}
      decoding="async"
      className={source === before ? 'vw-image' : 'vw-image vw-image-coming'}
      alt={index === 0 ? t('page_image', { page, total }) : ''}
      data-preview={source === preview || undefined}
      onLoad={(event) => {
        if (source !== preview) setShown(source);
        onRatio(page, event.currentTarget.naturalHeight / Math.max(event.currentTarget.naturalWidth, 1));
      }}
      onError={() => {
        if (source === preview) return setHasPreview(false);
        setFailed(source);
        onFailed?.(page);
      }}
    />
  ));
}
