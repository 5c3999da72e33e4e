import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ChatSource } from '../../../src-shared/contract/chat.ts';
import { addressOf, contract } from '../../client/api.ts';
import { useTitles } from '../../client/document-title.ts';
import { buttonClass } from '../../ui/button.tsx';
import { SidePane } from '../../ui/side-pane.tsx';

const IMAGE_WIDTH = 1200;
/** Enough words of a passage to find it in the document. */
const FOUND_WORDS = 6;

/** The cited page with the passage marked. */
export function SourcePane({ source, onClose }: { source: ChatSource; onClose: () => void }) {
  const { t } = useTranslation('ask');
  const titles = useTitles();
  const title = titles.title({ ...source, original_filename: source.filename });
  const page = source.page ?? 1;
  const image = addressOf(contract.documents.pageImage, {
    params: { id: String(source.id), page: String(page) },
    query: { width: IMAGE_WIDTH },
  });
  return (
    <SidePane title={title} closeLabel={t('close')} onClose={onClose}>
      <div className="ask-pane-head">
        <span className="cap">{t('page', { page })}</span>
        <Link
          className={buttonClass({ size: 'small' })}
          to="/documents/$id"
          params={{ id: String(source.id) }}
          search={(before: object) => ({ ...before, ...placeOf(source) })}
        >
          {t('open')}
        </Link>
      </div>
      <div className="ask-page">
        <img src={image} alt={t('page_of', { page, title })} />
        {source.bbox && <span className="ask-mark" style={styleOf(source.bbox)} />}
      </div>
      {source.quote && <blockquote className="ask-quote">{source.quote}</blockquote>}
    </SidePane>
  );
}

/** How an address of a document names the place. */
const placeOf = ({ page, value, quote }: ChatSource) => ({
  page: page === null ? undefined : String(page),
  ...(value === null ? { find: quote?.split(' ').slice(0, FOUND_WORDS).join(' ') } : { value }),
});

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

const styleOf = ([x, y, w, h]: NonNullable<ChatSource['bbox']>) => ({
  insetInlineStart: percent(x),
  insetBlockStart: percent(y),
  width: percent(w),
  height: percent(h),
});
