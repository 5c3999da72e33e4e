import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import type { Sending, TrashedCopy } from './uploads.tsx';
import { useTrashAnswers } from './use-trash-answers.ts';

/**
 * Asks what to do with files whose content is in the trash: restore them, keep them there, or add them again. The keys
 * 1 to 3 answer while the focus is on the question; `q` moves the focus to it.
 */
export function TrashedCopies({ item }: { item: Sending }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const { restore, keep, addAsNew } = useTrashAnswers(item);
  const text = useQuestionText(item.trashed);
  const answers = [
    { label: t('upload.restore'), run: restore },
    { label: t('upload.keep_in_trash'), run: keep },
    { label: t('upload.add_as_new'), run: addAsNew },
  ];
  const answer = async (run: () => unknown): Promise<void> => {
    setBusy(true);
    await run();
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = answers[Number(event.key) - 1];
    if (!chosen || isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void answer(chosen.run);
  };
  return (
    <div className="upload-question" role="group" aria-label={`${item.name}: ${text}`} onKeyDown={onKeyDown}>
      <p role="status">{text}</p>
      <div className="row">
        {answers.map(({ label, run }, index) => (
          <Button key={label} size="small" disabled={isBusy} onClick={() => void answer(run)}>
            <Kbd keys={String(index + 1)} />
            {label}
          </Button>
        ))}
        <span className="push upload-focus-key">
          <Kbd keys="q" />
        </span>
      </div>
    </div>
  );
}

/** When the copies were deleted, and with what. */
function useQuestionText(copies: readonly TrashedCopy[]): string {
  const { t } = useTranslation();
  const formats = useFormats();
  const [first] = copies;
  if (!first) return '';
  if (copies.length > 1) return t('upload.trashed_many', { count: copies.length });
  const date = formats.moment(first.deleted_at);
  if (first.trash_kind === 'document') return t('upload.trashed', { date });
  return t('upload.trashed_with', { date, name: first.trash_label });
}

/** Moves the focus to the first question about a file in the trash, if there is one. */
export const focusTrashQuestion = (): void =>
  document.querySelector<HTMLElement>('.upload-question button:not(:disabled)')?.focus();
