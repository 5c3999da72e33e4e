import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  src: string;
  page: number;
  total: number;
  /** Reports height / width when the image has loaded. */
  onRatio: (page: number, ratio: number) => void;
  onFailed: ((page: number) => void) | undefined;
}

/** The image of a page. The previous image stays until a sharper one has loaded; on failure, Retry is offered. */
export function PageImage({ src, page, total, onRatio, onFailed }: Props) {
  const { t } = useTranslation('viewer');
  const [loadedSrc, setShown] = useState<string | null>(null);
  const [failedSrc, setFailed] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const sources = loadedSrc === null || loadedSrc === src ? [src] : [loadedSrc, src];

  if (failedSrc === src) {
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
      className={source === loadedSrc ? 'vw-image' : 'vw-image vw-image-coming'}
      alt={index === 0 ? t('page_image', { page, total }) : ''}
      onLoad={(event) => {
        setShown(source);
        onRatio(page, event.currentTarget.naturalHeight / Math.max(event.currentTarget.naturalWidth, 1));
      }}
      onError={() => {
        setFailed(source);
        onFailed?.(page);
      }}
    />
  ));
}
