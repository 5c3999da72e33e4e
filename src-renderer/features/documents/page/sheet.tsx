import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useMayEdit } from '../../../client/session.tsx';
import { useShareDocuments } from '../../../client/share-documents.ts';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag, type Tone } from '../../../ui/chip.tsx';
import { ActionsMenu, type OpenDialog } from './actions-menu.tsx';
import { Banner } from './banner.tsx';
import type { EditableField } from './changes.ts';
import { ChildRows } from './child-rows.tsx';
import { Fields } from './fields.tsx';
import { Heading } from './heading.tsx';
import { History } from './history.tsx';
import { LabTable } from './lab-table.tsx';
import { Links } from './links.tsx';
import { Rows } from './rows.tsx';
import { isComposed, useSummaryOf } from './summary.ts';
import { Translations } from './translations.tsx';
import { TwoLanguages } from './two-languages.tsx';
import type { DocumentActions } from './use-actions.ts';
import type { Highlight } from './highlight.ts';

const TONES: Partial<Record<DocumentDetail['status'], Tone>> = {
  failed: 'bad',
  needs_review: 'warn',
  processing: 'accent',
};

/** The extracted data: title, notices, fields, rows, history. */
export function Sheet({
  document,
  actions,
  page,
  isMissing,
  ...highlight
}: {
  document: DocumentDetail;
  actions: DocumentActions;
  page: number;
  isMissing: boolean;
} & Highlight) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const mayEdit = useMayEdit();
  const [editing, setEditing] = useState<EditableField | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const ifEditable = (act: () => void) => () => {
    if (mayEdit) act();
  };
  const share = useShareDocuments(document.patient_id, [document.id]);
  useShortcuts({
    ...(share && { s: share }),
    r: ifEditable(actions.reprocess),
    Delete: ifEditable(() => actions.remove()),
    e: ifEditable(() => setEditing('doc_type')),
  });
  return (
    <section className="sheet" aria-label={t('details')}>
      <header className="sheet-head">
        <Heading
          document={document}
          mayEdit={mayEdit}
          isEditing={editing === 'title'}
          onEdit={(on) => setEditing(on ? 'title' : null)}
        />
        <ActionsMenu
          document={document}
          actions={actions}
          mayEdit={mayEdit}
          page={page}
          dialog={dialog}
          onDialog={setDialog}
        />
        {document.status !== 'done' && (
          <p className="sheet-state">
            <Tag tone={TONES[document.status] ?? 'plain'}>{vocabulary.status(document.status)}</Tag>
          </p>
        )}
        <Summary document={document} />
      </header>
      {isMissing && <MissingFile mayEdit={mayEdit} onFind={() => setDialog('find')} />}
      <Banner document={document} actions={actions} mayEdit={mayEdit} onShow={highlight.onShow} onEdit={setEditing} />
      <Fields document={document} mayEdit={mayEdit} editing={editing} onEdit={setEditing} {...highlight} />
      <LabTable document={document} mayEdit={mayEdit} {...highlight} />
      <ChildRows document={document} mayEdit={mayEdit} {...highlight} />
      <Rows document={document} {...highlight} />
      <Translations document={document} page={page} mayEdit={mayEdit} />
      <Links document={document} mayEdit={mayEdit} />
      {document.file_path !== '' && <History document={document} />}
    </section>
  );
}

/** The summary in the language of the reader, or the stored one if a user or a model wrote it. */
function Summary({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('document');
  const summaryOf = useSummaryOf();
  if (isComposed(document)) {
    const text = summaryOf(document);
    return text === '' ? null : <p className="sheet-summary">{text}</p>;
  }
  return (
    <TwoLanguages
      label={t('field_summary_en')}
      english={document.summary_en}
      original={document.summary_original}
      first="english"
    >
      {(text) => <p className="sheet-summary">{text}</p>}
    </TwoLanguages>
  );
}

function MissingFile({ mayEdit, onFind }: { mayEdit: boolean; onFind: () => void }) {
  const { t } = useTranslation('document');
  return (
    <div className="banner banner-bad" role="alert">
      <span>{t('missing_file')}</span>
      {mayEdit && (
        <Button size="small" className="push" onClick={onFind}>
          {t('find_file')}
        </Button>
      )}
    </div>
  );
}
