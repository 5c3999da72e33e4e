import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import { call, contract } from '../../../client/api.ts';
import { ModelUsage } from '../../../client/model-usage.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '');

/** Another name for the file, typed or suggested. */
export function RenameDialog({
  id,
  name,
  onRename,
  onClose,
}: {
  id: number;
  name: string;
  onRename: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const [text, setText] = useState(stemOf(name));
  const suggest = useMutation({
    mutationFn: () => call(contract.documents.generateFilename, { params: { id: String(id) } }),
    onSuccess: (reply) => setText(stemOf(reply.suggested_filename)),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('document:rename')}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text);
          onClose();
        }}
      >
        <Field label={t('document:rename_label')}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              required
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div role="status">
          {suggest.error && <Notice tone="bad">{vocabulary.error(suggest.error)}</Notice>}
          {suggest.data && <NamedBy {...suggest.data} />}
        </div>
        <div className="dialog-actions">
          <Button
            variant="quiet"
            className="dialog-aside"
            disabled={suggest.isPending}
            onClick={() => suggest.mutate()}
          >
            {t('document:rename_suggest')}
          </Button>
          <Button onClick={onClose}>{t('app:action.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('app:action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Why a file is called so, if a model named it or failed to. */
function NamedBy({ by_model, failure }: Reply<typeof contract.documents.generateFilename>) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  if (failure) return <Notice tone="warn">{t('rename_by_details', { reason: vocabulary.failure(failure) })}</Notice>;
  if (!by_model) return null;
  return (
    <div className="stack">
      <span className="row">
        <span className="cap">{by_model.reason}</span>
        {by_model.confidence === 'review' && <Tag tone="warn">{t('suggest_unsure')}</Tag>}
      </span>
      {by_model.usage && <ModelUsage usage={by_model.usage} />}
    </div>
  );
}
