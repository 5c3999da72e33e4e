import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, contract } from '../../app/api.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';

/** First pages side by side, for those who know a paper by its looks. `onEnd` is called when the end comes near; what is out of view is not painted. */
export function PageGrid({ items, onOpen, onEnd }: { items: readonly DocumentListItem[]; onOpen: (id: number) => void; onEnd: () => void }) {
  const formats = useFormats();
  const words = useVocabulary();
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => { if (entry?.isIntersecting) onEnd(); }, { root: document.getElementById('content'), rootMargin: '600px' });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [onEnd, items.length]);
  return (
    <ul className="page-grid">
      {items.map((item) => (
        <li key={item.id}>
          <button type="button" className="page-card" onClick={() => onOpen(item.id)}>
            <FirstPage item={item} />
            <span className="strong truncate">{words.documentType(item.doc_type) || item.original_filename}</span>
            <span className="cap truncate num">{formats.date(item.event_date)} {item.facility_name}</span>
          </button>
        </li>
      ))}
      <li ref={end} aria-hidden="true" className="grid-end" />
    </ul>
  );
}

/** The first page in small; a document that is not read yet has none. */
function FirstPage({ item }: { item: DocumentListItem }) {
  const { t } = useTranslation();
  const [missing, setMissing] = useState(false);
  if (missing) return <span className="page-missing cap">{t('documents.preview_none')}</span>;
  return <img loading="lazy" alt={t('documents.first_page', { name: item.original_filename })} src={addressOf(contract.documents.thumbnail, { params: { id: item.id } })} onError={() => setMissing(true)} />;
}
