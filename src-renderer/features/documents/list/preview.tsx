import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { addressOf, contract } from '../../../client/api.ts';
import { useTitles } from '../../../client/document-title.ts';
import { RowPerson } from '../../../client/people.tsx';
import { Button } from '../../../ui/button.tsx';
import { SideSheet } from '../../../ui/dialog.tsx';
import { FirstPage } from './first-page.tsx';

/** The first page of a document beside the list. */
export function Preview({
  item,
  onClose,
  onOpen,
}: {
  item: DocumentListItem;
  onClose: () => void;
  onOpen: (id: number) => void;
}) {
  const { t } = useTranslation();
  const titles = useTitles();
  return (
    <SideSheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={titles.title(item)}
      closeLabel={t('action.close')}
    >
      <div className="preview">
        <RowPerson of={item} />
        <p className="muted">{titles.caption(item)}</p>
        <Button onClick={() => onOpen(item.id)}>{t('action.open')}</Button>
        <FirstPage
          name={titles.title(item)}
          address={addressOf(contract.documents.pageImage, {
            params: { id: item.id, page: 1 },
            query: { width: '900' },
          })}
        />
      </div>
    </SideSheet>
  );
}
