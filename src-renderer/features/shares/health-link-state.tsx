import type { HealthLinkRow } from '../../../src-shared/contract/health-links.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import type { ShareLabels } from './labels.ts';

/** How many pages are drawn. */
export function LinkProgress({
  progress: { pages_done, pages_total },
  labels: { t },
}: {
  progress: NonNullable<HealthLinkRow['progress']>;
  labels: ShareLabels;
}) {
  const text = pages_total === 0 ? t('hl_waiting') : t('hl_pages', { done: pages_done, total: pages_total });
  return (
    <span className="hl-progress">
      <progress aria-label={text} {...(pages_total > 0 && { value: pages_done, max: pages_total })} />
      <span className="cap num">{text}</span>
    </span>
  );
}

/** Why a link opens nothing, where its state alone does not say it. */
export function Explanation({
  link: { status, failure },
  documents,
  labels,
}: {
  link: HealthLinkRow;
  documents: readonly SharedDocument[] | undefined;
  labels: ShareLabels;
}) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  if (failure) {
    const document = documents?.find(({ id }) => id === failure.document_id);
    const named = document ? `${labels.documentTitle(document)}: ` : '';
    return (
      <span className="hl-why">
        {named}
        {vocabulary.failure(failure)}
      </span>
    );
  }
  if (status === 'locked' || status === 'changed' || status === 'moved' || status === 'paused')
    return <span className="hl-why">{t(`hl_${status}_text`)}</span>;
  return null;
}
