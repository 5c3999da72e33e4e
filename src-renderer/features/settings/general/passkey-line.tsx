import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../../src-shared/contract/passkeys.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';

/** A passkey with its name, which can be changed in place. */
export function PasskeyLine({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t } = useTranslation('settings');
  const { moment } = useFormats();
  const [isRenaming, setRenaming] = useState(false);
  const { name, rp_id: address, synced, last_used_at: used } = passkey;
  if (isRenaming)
    return (
      <li>
        <RenameForm passkey={passkey} onClose={() => setRenaming(false)} />
      </li>
    );
  return (
    <li className="session-row">
      <span className="truncate">
        <span className="strong">{name}</span> <span className="mono cap">{address}</span>{' '}
        {synced && <span className="cap">{t('passkey_synced')}</span>}
      </span>
      <span className="muted">{used === null ? t('passkey_unused') : t('passkey_used', { when: moment(used) })}</span>
      <span />
      <span className="row push">
        <Button size="small" onClick={() => setRenaming(true)} aria-label={t('passkey_rename', { name })}>
          {t('passkey_rename_short')}
        </Button>
        <Button size="small" onClick={onRemove} aria-label={t('passkey_remove', { name })}>
          {t('passkey_remove_short')}
        </Button>
      </span>
    </li>
  );
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const [name, setName] = useState(passkey.name);
  const { rename, save } = useRename(passkey);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '' || name.trim() === passkey.name) return onClose();
    rename.mutate(name.trim(), { onSuccess: (changed) => (save(changed), onClose()) });
  };
  return (
    <form className="stack settings-inline" onSubmit={submit}>
      {rename.error && <Notice tone="bad">{vocabulary.error(rename.error)}</Notice>}
      <Field label={t('passkey_name')}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" variant="primary" disabled={rename.isPending}>
          {t('save')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

/** Renames and offers to undo it. */
function useRename(passkey: Passkey) {
  const client = useQueryClient();
  const { show } = useToasts();
  const send = (name: string) =>
    call(contract.passkeys.rename, { params: { passkey_id: String(passkey.id) }, body: { name } });
  const refresh = () => client.invalidateQueries({ queryKey: cacheKeys.passkeys });
  const save = (changed: Passkey): void => {
    void refresh();
    show({
      text: (words) => words.t('passkey_renamed', { ns: 'settings', name: changed.name }),
      undo: () => send(passkey.name).then(refresh),
    });
  };
  return { rename: useMutation({ mutationFn: send }), save };
}
