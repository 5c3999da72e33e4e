import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { homeOf, parentOf, targetsOf } from './places.ts';
import { useWholeTree } from './queries.ts';

/** Moves or renames by keyboard: a name, a folder of the same person, and optionally a new folder in it. */
export function MoveDialog({
  entry,
  onClose,
  onMove,
}: {
  entry: VaultEntry;
  onClose: () => void;
  onMove: (to: string) => void;
}) {
  const { t } = useTranslation('vault_files');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useWholeTree(true);
  return (
    <Dialog open onOpenChange={onClose} title={t('move_title', { name: entry.name })}>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={3} label={t('loading')} />}
      {data && <MoveForm entry={entry} targets={targetsOf(data, entry.path)} onClose={onClose} onMove={onMove} />}
    </Dialog>
  );
}

const isBadName = (text: string): boolean => /[/\\]/.test(text) || text.trim() === '.' || text.trim() === '..';

function MoveForm({
  entry,
  targets,
  onClose,
  onMove,
}: {
  entry: VaultEntry;
  targets: readonly string[];
  onClose: () => void;
  onMove: (to: string) => void;
}) {
  const { t } = useTranslation('vault_files');
  const [name, setName] = useState(entry.name);
  const [selected, setSelected] = useState<string | null>(null);
  const [newFolder, setNewFolder] = useState('');
  const folder = selected ?? (targets.includes(parentOf(entry.path)) ? parentOf(entry.path) : targets[0]);
  const home = homeOf(entry.path);
  const nameError = name.trim() === '' || isBadName(name) ? t('move_name_bad') : undefined;
  const newFolderError = isBadName(newFolder) ? t('move_name_bad') : undefined;
  const isValid = folder !== undefined && !nameError && !newFolderError;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isValid) onMove([folder, newFolder.trim(), name.trim()].filter(Boolean).join('/'));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <PathField label={t('move_name')} value={name} error={nameError} autoFocus onChange={setName} />
      <Field label={t('move_folder')}>
        {(control) => (
          <Select
            {...control}
            className="mono"
            value={folder ?? ''}
            options={targets.map((path) => ({
              value: path,
              label: path === home ? t('move_top', { folder: path }) : path.slice(home.length + 1),
            }))}
            onChange={(event) => setSelected(event.target.value)}
          />
        )}
      </Field>
      <PathField
        label={t('move_new')}
        hint={t('move_new_hint')}
        value={newFolder}
        error={newFolderError}
        onChange={setNewFolder}
      />
      <div className="row">
        <Button type="submit" variant="primary" disabled={!isValid}>
          {t('move_do')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

function PathField({
  label,
  hint,
  error,
  value,
  autoFocus,
  onChange,
}: {
  label: string;
  hint?: string;
  error: string | undefined;
  value: string;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          className="mono"
          autoFocus={autoFocus}
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
