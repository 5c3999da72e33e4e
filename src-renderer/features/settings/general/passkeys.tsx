import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../../src-shared/contract/passkeys.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { passkeySupport } from '../../../client/passkeys.ts';
import { useMe } from '../../../client/session.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyLine } from './passkey-line.tsx';

/** The passkeys of the signed-in person. */
export function PasskeysPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const me = useMe();
  const [toRemove, setToRemove] = useState<Passkey | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.passkeys,
    queryFn: ({ signal }) => call(contract.passkeys.list, {}, signal),
  });
  const remove = useRemove();
  return (
    <Panel title={t('passkeys')}>
      <div className="panel-body stack settings-lead">
        <p>{t('passkeys_text')}</p>
        <Support />
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={1} label={t('loading')} />}
      {data && data.items.length > 0 && (
        <ul className="lines">
          {data.items.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onRemove={() => setToRemove(passkey)} />
          ))}
        </ul>
      )}
      {me && passkeySupport() === 'supported' && <AddPasskey hasPassword={me.has_password} />}
      <RemoveDialog
        passkey={toRemove}
        onClose={() => setToRemove(null)}
        onConfirm={(passkey) => {
          remove.mutate(passkey);
          setToRemove(null);
        }}
      />
    </Panel>
  );
}

/** Why no passkey can be added here, and what to do. */
function Support() {
  const { t } = useTranslation('settings');
  const support = passkeySupport();
  if (support === 'supported') return null;
  if (support === 'unsupported') return <Notice tone="warn">{t('passkeys_unsupported')}</Notice>;
  const address = `${location.protocol}//localhost${location.port && `:${location.port}`}/settings`;
  return (
    <Notice tone="warn">
      {t('passkeys_need_name')} <a href={address}>{address}</a>
    </Notice>
  );
}

function useRemove() {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: ({ id }: Passkey) => call(contract.passkeys.remove, { params: { passkey_id: String(id) } }),
    onSuccess: (_, { name }) => {
      show({ text: (words) => words.t('passkey_removed', { ns: 'settings', name }) });
      void client.invalidateQueries({ queryKey: cacheKeys.passkeys });
    },
    onError: showError,
  });
}

function RemoveDialog({
  passkey,
  onClose,
  onConfirm,
}: {
  passkey: Passkey | null;
  onClose: () => void;
  onConfirm: (passkey: Passkey) => void;
}) {
  const { t } = useTranslation('settings');
  return (
    <Dialog
      open={passkey !== null}
      onOpenChange={onClose}
      title={t('passkey_remove_title', { name: passkey?.name ?? '' })}
    >
      <p>{t('passkey_remove_text')}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="danger" onClick={() => passkey && onConfirm(passkey)}>
          {t('passkey_remove_short')}
        </Button>
      </div>
    </Dialog>
  );
}
