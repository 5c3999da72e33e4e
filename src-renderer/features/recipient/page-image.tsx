import { useEffect, useState, type ReactNode } from 'react';
import { door, DoorError } from './door.ts';
import { useTexts } from './texts.ts';

type Loaded = { url: string } | { code: string } | null;

/** On a large screen a page is about as wide as a sheet of paper. */
const MAX_WIDTH_PX = 880;

/** Why a page can't be shown, where trying again does not help. */
const LASTING = {
  'share.file_not_showable': 'page_not_showable',
  'upload.too_many_pages': 'page_not_showable',
  'upload.too_many_pixels': 'page_not_showable',
  'upload.damaged': 'page_damaged',
  'document.file_missing': 'page_damaged',
  'upload.encrypted': 'page_locked',
} as const;
const isLasting = (code: string): code is keyof typeof LASTING => code in LASTING;

/** Loads a page as a picture, which is forgotten with the page. */
function usePicture(documentId: number, page: number, attempt: number, onFailed: () => Promise<void>): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const left = new AbortController();
    let url: string | null = null;
    const load = async (): Promise<void> => {
      try {
        const picture = await door.page(documentId, page, left.signal);
        if (left.signal.aborted) return;
        url = URL.createObjectURL(picture);
        setLoaded({ url });
      } catch (error) {
        if (left.signal.aborted) return;
        setLoaded({ code: error instanceof DoorError ? error.code : 'offline' });
        // The session may have ended, or the document may have left the share.
        await onFailed();
      }
    };
    void load();
    return () => {
      left.abort();
      if (url !== null) URL.revokeObjectURL(url);
      setLoaded(null);
    };
  }, [documentId, page, attempt, onFailed]);
  return loaded;
}

/** One stamped page; `children` are drawn over it. */
export function PageImage({
  documentId,
  page,
  name,
  zoom,
  onFailed,
  children,
}: {
  documentId: number;
  page: number;
  name: string;
  /** Width in parts of the stage. */
  zoom: number;
  onFailed: () => Promise<void>;
  children: ReactNode;
}) {
  const { t } = useTexts();
  const [attempt, setAttempt] = useState(0);
  const loaded = usePicture(documentId, page, attempt, onFailed);
  if (loaded === null)
    return (
      <p className="rv-note" role="status">
        {t.page_loading}
      </p>
    );
  if ('code' in loaded) return <Failure code={loaded.code} onRetry={() => setAttempt(attempt + 1)} />;
  return (
    <div className="rv-page" style={{ width: `calc(min(100%, ${MAX_WIDTH_PX}px) * ${zoom})` }}>
      <img src={loaded.url} alt={t.page_image(page, name)} draggable={false} />
      {children}
    </div>
  );
}

/** Why a page can't be shown, and the way to try again where that may help. */
export function Failure({ code, onRetry }: { code: string; onRetry: () => void }) {
  const { t } = useTexts();
  if (isLasting(code))
    return (
      <p className="rv-note" role="alert">
        {t[LASTING[code]]}
      </p>
    );
  return (
    <div className="rv-note" role="alert">
      <p>{code === 'share.text_unavailable' ? t.text_failed : t.page_failed}</p>
      <button type="button" className="rp-button" onClick={onRetry}>
        {t.retry}
      </button>
    </div>
  );
}
