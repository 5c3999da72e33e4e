import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { useTranslation } from 'react-i18next';
import { addressOf, contract } from '../../app/api.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';

/** First pages side by side, for those who know a paper by its looks. */
export function PageGrid({ items, onOpen }: { items: readonly DocumentListItem[]; onOpen: (id: number) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useVocabulary();
  return (
    <ul className="page-grid">
      {items.map((item) => (
        <li key={item.id}>
          <button type="button" className="page-card" onClick={() => onOpen(item.id)}>
            <img loading="lazy" alt={t('documents.first_page', { name: item.original_filename })} src={addressOf(contract.documents.thumbnail, { params: { id: item.id } })} />
            <span className="strong truncate">{words.documentType(item.doc_type) || item.original_filename}</span>
            <span className="cap truncate num">{formats.date(item.event_date)} {item.facility_name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
