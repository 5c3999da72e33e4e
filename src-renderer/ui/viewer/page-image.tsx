import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  src: string;
  page: number;
  total: number;
  /** Tells height / width once the image is here. */
  onRatio: (page: number, ratio: number) => void;
  onFailed: ((page: number) => void) | undefined;
}

/** The picture of a page. While a sharper one loads, the one before stays; a failure says so in place, with a retry. */
export function PageImage({ src, page, total, onRatio, onFailed }: Props) {
  const { t } = useTranslation('viewer');
  const [shown, setShown] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const sources = shown === null || shown === src ? [src] : [shown, src];

  if (failed === src) {
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
      className={source === shown ? 'vw-image' : 'vw-image vw-image-coming'}
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
