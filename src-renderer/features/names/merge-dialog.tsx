import { TRASH_DAYS } from '../../../src-shared/contract/trash.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import type { MergeInto } from './use-actions.ts';
import { codeOf } from './row.tsx';

interface Props {
  entries: readonly NameRow[];
  isBusy: boolean;
  onClose: () => void;
  onMerge: (sources: readonly NameRow[], into: MergeInto) => void;
}

/** The dialog that asks which of the selected names to keep, or for a new name. */
export function MergeDialog({ entries, isBusy, onClose, onMerge }: Props) {
  const { t } = useTranslation('names');

  const likely = entries.reduce((best, entry) =>
    (entry.uses - best.uses || entry.canonical_display.length - best.canonical_display.length) > 0 ? entry : best,
  );
  const [target, setTarget] = useState<Target>(likely.id);
  const [name, setName] = useState('');
  const into = entries.find(({ id }) => id === target);
  const isReady = into !== undefined || name.trim() !== '';
  const merge = (): void => {
    if (into)
      onMerge(
        entries.filter(({ id }) => id !== into.id),
        into,
      );
    else onMerge(entries, { canonical_display: name.trim(), canonical_code: slugOf(name) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('merge_many', { count: entries.length })}
    >
      <form
        className="merge-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) merge();
        }}
      >
        <Targets entries={entries} target={target} onChange={setTarget} />
        {target === 'new' && (
          <Field label={t('merge_new_name')}>
            {(control) => (
              <Input
                {...control}
                autoFocus
                value={name}
                maxLength={120}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        )}
        <p className="cap">{t('merge_text', { days: TRASH_DAYS })}</p>
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!isReady || isBusy}>
            {t('merge')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Target = number | 'new';

function Targets({
  entries,
  target,
  onChange,
}: {
  entries: readonly NameRow[];
  target: Target;
  onChange: (target: Target) => void;
}) {
  const { t } = useTranslation('names');
  const nameOf = useEntryName();
  const formats = useFormats();
  return (
    <fieldset>
      <legend>{t('merge_choose')}</legend>
      {entries.map((entry) => (
        <label key={entry.id} className="merge-option">
          <input type="radio" name="target" checked={target === entry.id} onChange={() => onChange(entry.id)} />
          <span className="merge-name">{nameOf(entry)}</span>
          <span className="cap">{codeOf(entry)}</span>
          <span className="cap num">{formats.count(entry.uses)}</span>
        </label>
      ))}
      <label className="merge-option">
        <input type="radio" name="target" checked={target === 'new'} onChange={() => onChange('new')} />
        <span className="merge-name">{t('merge_new')}</span>
      </label>
    </fieldset>
  );
}

/** A code for a new name: `Gelber Fleck` → `gelber-fleck`. */
const slugOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 120) || name.trim();
