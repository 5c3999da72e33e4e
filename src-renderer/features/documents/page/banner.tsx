import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { readingPage } from '../../../client/reading-page.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Dots, dotStates } from '../../../ui/dots.tsx';
import type { EditableField } from './changes.ts';
import { fieldPlace, type PlaceKey } from './places.ts';
import { usePipeline } from './queries.ts';
import { fieldToFix } from './field-to-fix.ts';
import type { DocumentActions } from './use-actions.ts';

/** Says whether the document is being read, failed, or needs review, with the matching actions. */
export function Banner({
  document,
  actions,
  mayEdit,
  onShow,
  onEdit,
}: {
  document: DocumentDetail;
  actions: DocumentActions;
  mayEdit: boolean;
  onShow: (key: PlaceKey) => void;
  onEdit: (field: EditableField) => void;
}) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  if (document.status === 'processing' || document.status === 'pending')
    return <ProgressBanner document={document} actions={actions} mayEdit={mayEdit} />;
  if (document.status === 'failed')
    return (
      <div className="banner banner-bad" role="alert">
        <span>{t('failed', { reason: vocabulary.readingError(document) ?? '' })}</span>
        {mayEdit && (
          <Button size="small" className="push" onClick={actions.reprocess}>
            {t('reprocess')}
          </Button>
        )}
      </div>
    );
  if (document.review_reasons.length === 0) return null;
  return (
    <div className="banner banner-warn">
      <ul>
        {document.review_reasons.map((reason, index) => (
          <li key={index}>
            <span>{vocabulary.review(reason)}</span>
            <FixButton {...{ reason, document, mayEdit, onShow, onEdit }} onReprocess={actions.reprocess} />
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button size="small" className="push" disabled={actions.busy} onClick={actions.markReviewed}>
          {t('mark_reviewed')}
        </Button>
      )}
    </div>
  );
}

function ProgressBanner({
  document,
  actions,
  mayEdit,
}: {
  document: DocumentDetail;
  actions: DocumentActions;
  mayEdit: boolean;
}) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const job = usePipeline().data?.current_job;
  const ownJob = job?.doc_id === document.id ? job : null;
  const stage = vocabulary.stage(ownJob?.stage ?? null);
  const readingText = (reading: NonNullable<typeof ownJob>): string => {
    const at = readingPage(reading);
    return at ? t('reading_page', { stage, ...at }) : t('reading', { stage });
  };
  const text = ownJob ? readingText(ownJob) : t('waiting');
  return (
    <div className="banner" role="status">
      <span>{text}</span>
      {ownJob && <Dots states={dotStates(ownJob.stages_planned, ownJob.stages_done, ownJob.stage)} label={text} />}
      {mayEdit && (
        <Button size="small" className="push" disabled={actions.busy} onClick={actions.cancel}>
          {t('cancel')}
        </Button>
      )}
    </div>
  );
}

/** A button that opens the field to fix and shows its place on the page, or reads the document again. */
function FixButton({
  reason,
  document,
  mayEdit,
  onShow,
  onEdit,
  onReprocess,
}: {
  reason: DocumentDetail['review_reasons'][number];
  document: DocumentDetail;
  mayEdit: boolean;
  onShow: (key: PlaceKey) => void;
  onEdit: (field: EditableField) => void;
  onReprocess: () => void;
}) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const fix = fieldToFix(document, reason);
  if (!fix || (fix.kind !== 'show' && !mayEdit)) return null;
  const label = fix.kind === 'reprocess' ? t('reprocess') : vocabulary.reviewAction(reason);
  const act = (): void => {
    if (fix.kind === 'reprocess') return onReprocess();
    if (fix.kind === 'show') return onShow(fix.key);
    onShow(fieldPlace(fix.field));
    onEdit(fix.field);
  };
  return (
    <button
      type="button"
      className="banner-link"
      aria-label={`${label}: ${vocabulary.reviewShort(reason)}`}
      onClick={act}
    >
      {label}
    </button>
  );
}
