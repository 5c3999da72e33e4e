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

/** Moves or renames without a mouse: a name, a folder of the same person, and perhaps a new one in it. */
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
  const [name, setName] = useState(entry.name);
  const [selected, setSelected] = useState<string | null>(null);
  const [fresh, setFresh] = useState('');
  const targets = data ? targetsOf(data, entry.path) : [];
  const folder = selected ?? (targets.includes(parentOf(entry.path)) ? parentOf(entry.path) : targets[0]);
  const home = homeOf(entry.path);
  const isBad = (text: string): boolean => /[/\\]/.test(text) || text.trim() === '.' || text.trim() === '..';
  const nameError = name.trim() === '' || isBad(name) ? t('move_name_bad') : undefined;
  const freshError = isBad(fresh) ? t('move_name_bad') : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (folder !== undefined && !nameError && !freshError)
      onMove([folder, ...(fresh.trim() === '' ? [] : [fresh.trim()]), name.trim()].join('/'));
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('move_title', { name: entry.name })}>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={3} label={t('loading')} />}
      {data && (
        <form className="stack" onSubmit={submit}>
          <Field label={t('move_name')} error={nameError}>
            {(control) => (
              <Input
                {...control}
                className="mono"
                autoFocus
                spellCheck={false}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
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
          <Field label={t('move_new')} hint={t('move_new_hint')} error={freshError}>
            {(control) => (
              <Input
                {...control}
                className="mono"
                spellCheck={false}
                autoComplete="off"
                value={fresh}
                onChange={(event) => setFresh(event.target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button
              type="submit"
              variant="primary"
              disabled={folder === undefined || nameError !== undefined || freshError !== undefined}
            >
              {t('move_do')}
            </Button>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
