import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import type { ShareLabels } from './labels.ts';

/** Why a recipient could not open a document; nothing if one can. */
export function Unopenable({ failure, labels: { t } }: { failure: ErrorReference | undefined; labels: ShareLabels }) {
  const vocabulary = useVocabulary();
  if (failure === undefined) return null;
  return <span className="docline-why">{t('doc_unopenable', { reason: vocabulary.failure(failure) })}</span>;
}
