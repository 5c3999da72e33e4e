import { useState, type FormEvent } from 'react';
import type { LabResult } from '../../../src-shared/contract/labs.ts';
import { useTitles } from '../../client/document-title.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useTestName } from '../../client/test-name.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useAttachResult, useTargetDocuments } from './queries.ts';
import type { LabLabels } from './labels.ts';

/** The dialog that links an orphaned result to a document; documents of the same day come first. */
export function AttachDialog({
  result,
  labels,
  onClose,
}: {
  result: LabResult;
  labels: LabLabels;
  onClose: () => void;
}) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const titles = useTitles();
  const testName = useTestName();
  const { data, error, refetch } = useTargetDocuments(result);
  const attach = useAttachResult();
  const [selected, setSelected] = useState<string | null>(null);
  const document = selected ?? (data?.[0] ? String(data[0].id) : null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (document !== null) attach.mutate({ result, documentId: Number(document) }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('attach_title', { name: testName(result) })}>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      {data?.length === 0 && <p className="muted">{t('attach_none')}</p>}
      {data && data.length > 0 && (
        <form className="stack" onSubmit={submit}>
          <Field label={t('attach_document')}>
            {(control) => (
              <Select
                {...control}
                autoFocus
                value={document ?? ''}
                options={data.map((item) => ({
                  value: String(item.id),
                  label: [labels.date(item.event_date) || t('undated'), titles.title(item), titles.caption(item)].join(
                    ' · ',
                  ),
                }))}
                onChange={(event) => setSelected(event.target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button type="submit" variant="primary" disabled={attach.isPending}>
              {t('attach_do')}
            </Button>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
