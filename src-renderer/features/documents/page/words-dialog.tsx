import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import {
  EDITABLE_BY_MODEL,
  type EditableByModel,
  type ProposedChange,
} from '../../../../src-shared/contract/suggestions.ts';
import { call, contract } from '../../../client/api.ts';
import { useFormats } from '../../../client/format.ts';
import { ModelUsage } from '../../../client/model-usage.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field, TextArea } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { DocumentActions } from './use-actions.ts';
import './words-dialog.css';

const MAX_INSTRUCTION = 2000;
type Proposal = Reply<typeof contract.suggestions.editWithAi>;

/** Changes details as asked in plain words: a model proposes, and the person applies what is right. */
export function WordsDialog({
  document,
  onApply,
  onClose,
}: {
  document: DocumentDetail;
  onApply: DocumentActions['apply'];
  onClose: () => void;
}) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const [text, setText] = useState('');
  const [left, setLeft] = useState<readonly string[]>([]);
  const ask = useMutation({
    mutationFn: (instruction: string) =>
      call(contract.suggestions.editWithAi, { params: { id: String(document.id) }, body: { instruction } }),
    onSuccess: () => setLeft([]),
  });
  const proposal = ask.data;
  const chosen = fieldsOf(proposal).filter((field) => !left.includes(field));
  const apply = (): void => {
    const pick = (values: object): DocumentChanges =>
      Object.fromEntries(Object.entries(values).filter(([field]) => chosen.some((one) => one === field)));
    onApply(pick(proposal?.patch ?? {}), pick(document));
    onClose();
  };
  return (
    <Dialog open wide title={t('document:words_title')} onOpenChange={(open) => !open && onClose()}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate(text.trim());
        }}
      >
        <Field label={t('document:words_label')} hint={t('document:words_hint')}>
          {(control) => (
            <TextArea
              {...control}
              autoFocus
              required
              rows={2}
              maxLength={MAX_INSTRUCTION}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {ask.isPending && (
          <p role="status" className="muted">
            {t('document:suggest_working')}
          </p>
        )}
        {ask.error && <Notice tone="bad">{vocabulary.error(ask.error)}</Notice>}
        {proposal && !ask.isPending && (
          <Changes
            proposal={proposal}
            chosen={chosen}
            onChoose={(field, on) =>
              setLeft((before) => (on ? before.filter((one) => one !== field) : [...before, field]))
            }
          />
        )}
        {proposal?.usage && !ask.isPending && <ModelUsage usage={proposal.usage} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('app:action.cancel')}</Button>
          <Button
            type="submit"
            variant={chosen.length > 0 ? 'plain' : 'primary'}
            disabled={ask.isPending || text.trim() === ''}
          >
            {t('document:words_ask')}
          </Button>
          {chosen.length > 0 && (
            <Button variant="primary" onClick={apply}>
              {t('document:words_apply')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

const fieldsOf = (proposal: Proposal | undefined): EditableByModel[] =>
  EDITABLE_BY_MODEL.filter((field) => proposal?.changes[field] !== undefined);

function Changes({
  proposal,
  chosen,
  onChoose,
}: {
  proposal: Proposal;
  chosen: readonly EditableByModel[];
  onChoose: (field: EditableByModel, on: boolean) => void;
}) {
  const { t } = useTranslation('document');
  const fields = fieldsOf(proposal);
  return (
    <div role="status" className="stack">
      {proposal.missing !== null && <Notice tone="warn">{proposal.missing}</Notice>}
      {fields.length === 0 && proposal.missing === null && <p className="muted">{t('words_nothing')}</p>}
      <ul className="words-changes">
        {fields.map((field) => {
          const change = proposal.changes[field];
          return (
            change && (
              <li key={field}>
                <Checkbox
                  label={t(`field_${field}`)}
                  checked={chosen.includes(field)}
                  onChange={(event) => onChoose(field, event.target.checked)}
                />
                <BeforeAndAfter field={field} change={change} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** The present value, the new one, and where it is from. */
function BeforeAndAfter({
  field,
  change: { from, to, support, page },
}: {
  field: EditableByModel;
  change: ProposedChange;
}) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const describeValue = (value: string | null): string => {
    if (value === null || value === '') return t('words_empty');
    if (field === 'doc_type') return vocabulary.documentType(value as DocumentDetail['doc_type']);
    return field.endsWith('_date') ? formats.date(value) : value;
  };
  return (
    <span className="words-values">
      <del>{describeValue(from)}</del> <ins>{describeValue(to)}</ins>{' '}
      {support === 'none' && <Tag tone="warn">{t('words_unsupported')}</Tag>}
      {page !== null && <span className="cap">{t('words_page', { page })}</span>}
    </span>
  );
}
