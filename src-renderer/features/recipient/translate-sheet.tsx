import { Copy, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { languageCode } from '../../../src-shared/contract/language-names.ts';
import type { BBox } from '../../../src-shared/medical/page.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from './action.tsx';
import { door, type Me } from './door.ts';
import { errorText, languageName, useTexts } from './texts.ts';
import { useTranslationOf } from './translation.ts';

interface Props {
  me: Me;
  documentId: number;
  page: number;
  bbox: BBox;
  onAnother: () => void;
  onClose: () => void;
  /** A translation counts against the limit of the hour. */
  onUsed: () => Promise<void>;
}

/** The service names languages in English. */
const codeOf = (name: string): string => languageCode(name) ?? name;

/** Shows a part of a page in another language, below the page. */
export function TranslateSheet({ me, documentId, page, bbox, onAnother, onClose, onUsed }: Props) {
  const { t, language } = useTexts();
  const sheet = useRef<HTMLElement>(null);
  const languages = me.allowed_translation_languages;
  const [target, setTarget] = useState(
    languages.find((name) => codeOf(name) === language) ?? me.default_translation_language ?? languages[0] ?? '',
  );
  const { per_share_per_hour: all, remaining_in_last_hour: left } = me.translate_rate_limit;
  // The limit counts before a translation begins; the one that is shown took the last.
  const [hadOneLeft] = useState(left > 0);
  useEffect(() => sheet.current?.focus(), []);
  return (
    <section className="rv-sheet" role="dialog" aria-label={t.translate} ref={sheet} tabIndex={-1}>
      <div className="rp-between">
        <select aria-label={t.translate_language} value={target} onChange={(event) => setTarget(event.target.value)}>
          {languages.map((name) => (
            <option key={name} value={name}>
              {languageName(language, codeOf(name))}
            </option>
          ))}
        </select>
        <button type="button" className="rp-icon" aria-label={t.close} onClick={onClose}>
          <Icon glyph={X} size={20} />
        </button>
      </div>
      {hadOneLeft ? (
        <Result documentId={documentId} page={page} bbox={bbox} target={target} onUsed={onUsed} />
      ) : (
        <Problem>{t.translate_none_left}</Problem>
      )}
      <p className="rp-quiet">
        {t.translate_note}
        <br />
        {t.translate_left(left, all)}
      </p>
      <button type="button" className="rp-button" onClick={onAnother}>
        {t.translate_another}
      </button>
    </section>
  );
}

function Result({
  documentId,
  page,
  bbox: [x, y, w, h],
  target,
  onUsed,
}: Pick<Props, 'documentId' | 'page' | 'bbox' | 'onUsed'> & { target: string }): ReactNode {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const translation = useTranslationOf(documentId, { page, bbox: { x, y, w, h }, target_language: target }, onUsed);
  if (translation.state === 'working') return <p role="status">{t.translate_working}</p>;
  if (translation.state === 'waiting') return <p role="status">{t.translate_waiting(translation.seconds)}</p>;
  if (translation.state === 'failed') {
    const { error } = translation;
    return <Problem>{error.code === 'auth.rate_limited' ? errorText(t, error) : t.translate_failed}</Problem>;
  }
  const { id, ocr_text, translated_text, has_thumbnail } = translation.row;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(translated_text ?? '');
    setCopied(true);
  };
  return (
    <div className="rv-translation" role="status">
      {has_thumbnail && <Picture documentId={documentId} region={id} />}
      {ocr_text !== null && <blockquote>{ocr_text}</blockquote>}
      <p lang={codeOf(target)}>{translated_text}</p>
      {typeof navigator.clipboard?.writeText === 'function' && (
        <button type="button" className="rp-button rp-small" onClick={() => void copy()}>
          <Icon glyph={Copy} />
          {isCopied ? t.translate_copied : t.translate_copy}
        </button>
      )}
    </div>
  );
}

/** The stamped picture of the part; without it the words remain. */
function Picture({ documentId, region }: { documentId: number; region: number }) {
  const { t } = useTexts();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const left = new AbortController();
    let made: string | null = null;
    const load = async (): Promise<void> => {
      const picture = await door.regionPicture(documentId, region, left.signal).catch(() => null);
      if (left.signal.aborted || picture === null) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    void load();
    return () => {
      left.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [documentId, region]);
  return url === null ? null : <img className="rv-part" src={url} alt={t.translate_picture} draggable={false} />;
}
