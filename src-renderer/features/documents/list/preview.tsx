import { ChevronDown, ChevronUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { addressOf, contract } from '../../../client/api.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useFormats } from '../../../client/format.ts';
import { RowPerson } from '../../../client/people.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SidePane } from '../../../ui/side-pane.tsx';
import { FirstPage } from './first-page.tsx';

/** Width in which the first page is rendered, in pixels. */
const PAGE_WIDTH = 900;

/** The first page of a document beside the list. `position` says which of how many documents it is. */
export function Preview({
  item,
  position,
  onClose,
  onOpen,
  onStep,
}: {
  item: DocumentListItem;
  position: string;
  onClose: () => void;
  onOpen: (id: number) => void;
  onStep: (by: 1 | -1) => void;
}) {
  const { t } = useTranslation();
  const titles = useTitles();
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const facts = [formats.dateLong(item.event_date), item.doctor_name, item.facility_name];
  return (
    <SidePane title={titles.title(item)} closeLabel={t('action.close')} onClose={onClose}>
      <div className="preview">
        <div className="preview-bar">
          <Button variant="primary" onClick={() => onOpen(item.id)}>
            {t('action.open')}
          </Button>
          <span className="cap num push" role="status">
            {position}
          </span>
          <IconButton glyph={ChevronUp} label={t('documents.previous')} onClick={() => onStep(-1)} />
          <IconButton glyph={ChevronDown} label={t('documents.next')} onClick={() => onStep(1)} />
        </div>
        <RowPerson of={item} />
        <p className="muted">{titles.caption(item)}</p>
        <p className="cap">{facts.filter(Boolean).join(' · ')}</p>
        {item.review_reasons.map((reason, index) => (
          <p key={index} className="preview-reason">
            {vocabulary.review(reason)}
          </p>
        ))}
        <FirstPage
          key={item.id}
          name={titles.title(item)}
          stored={addressOf(contract.documents.thumbnail, { params: { id: item.id } })}
          sharp={addressOf(contract.documents.pageImage, {
            params: { id: item.id, page: 1 },
            query: { width: PAGE_WIDTH },
          })}
        />
      </div>
    </SidePane>
  );
}
