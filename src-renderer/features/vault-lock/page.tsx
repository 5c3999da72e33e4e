import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { VaultLockState } from '../../../src-shared/contract/vault-lock.ts';
import { call, contract } from '../../client/api.ts';
import { storedFailure } from '../../client/stored-failure.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { usePageTitle } from '../../client/page-title.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { Notice } from '../../ui/states.tsx';
import '../../ui/gate.css';

/** How often the page looks whether the vault is open. */
const LOOK_MS = 500;

/** The lock of an encrypted vault; continues to the page that was requested. */
export default function UnlockPage() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const [secret, setSecret] = useState('');
  const unlock = useMutation({ mutationFn: () => call(contract.vaultLock.unlock, { body: { secret } }) });
  const leave = useMutation({ mutationFn: () => call(contract.vaultLock.leave, {}) });
  const state = useOpening();
  const cancel = useMutation({ mutationFn: () => call(contract.vaultLock.cancel, { body: { secret } }) });
  const name = state?.switching ? nameOf(state.switching) : 'title';
  usePageTitle(t(`unlock.${name}`));
  // After a failure, the password is asked for again.
  const isOpening = (unlock.isSuccess || cancel.isSuccess) && !state?.failed;
  const refusal = unlock.error ?? cancel.error;
  const isLeaving = leave.isPending || (leave.isSuccess && !state?.failed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    cancel.reset();
    unlock.mutate();
  };
  const isBusy = unlock.isPending || cancel.isPending || isOpening || isLeaving;
  if (state?.switching) return <Switching {...state.switching} />;
  return (
    <main className="gate">
      <form className="gate-card" onSubmit={submit}>
        <p className="gate-brand">{t('app.name')}</p>
        <h1>{t('unlock.title')}</h1>
        <p>{t(state?.unfinished ? `unlock.${state.unfinished}` : 'unlock.text')}</p>
        {state?.failed && refusal === null && (
          <Notice tone="bad">{vocabulary.error(storedFailure(state.failed, 'vault.switch_failed'))}</Notice>
        )}
        {leave.isError && <Notice tone="bad">{vocabulary.error(leave.error)}</Notice>}
        {refusal !== null && <Notice tone="bad">{vocabulary.error(refusal)}</Notice>}
        {isOpening && <Notice tone="ok">{t('unlock.opening')}</Notice>}
        {isLeaving && <Notice tone="ok">{t('unlock.going_back')}</Notice>}
        <Field label={t('unlock.secret')}>
          {(control) => (
            <SecretInput
              isLarge
              {...control}
              labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
              autoComplete="current-password"
              autoFocus
              required
              value={secret}
              onChange={(event) => setSecret(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          {unlock.isPending ? t('unlock.submitting') : t('unlock.submit')}
        </Button>
        {state?.unfinished && (
          <Button
            size="large"
            disabled={isBusy || secret === ''}
            onClick={() => {
              unlock.reset();
              cancel.mutate();
            }}
          >
            {cancel.isPending ? t('unlock.turning_back') : t('unlock.turn_back')}
          </Button>
        )}
        {state?.can_go_back && (
          <Button size="large" disabled={isBusy} onClick={() => leave.mutate()}>
            {t('unlock.back')}
          </Button>
        )}
      </form>
    </main>
  );
}

type Switch = NonNullable<VaultLockState['switching']>;

/** The message that names what is done with the vault. */
const nameOf = ({ direction, is_undo: isUndo }: Switch) => (isUndo ? (`undo_${direction}` as const) : direction);

/** How far the vault is encrypted or decrypted, with a way back. */
function Switching(state: Switch) {
  const { t } = useTranslation();
  const title = t(`unlock.${nameOf(state)}`);
  const { percent } = state;
  return (
    <main className="gate">
      <div className="gate-card">
        <p className="gate-brand">{t('app.name')}</p>
        <h1>{title}</h1>
        <p>{t('unlock.switching')}</p>
        <div
          className="meter"
          role="progressbar"
          aria-label={title}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${percent}%` }} />
        </div>
        <p className="cap num">{t('unlock.percent', { percent })}</p>
        {!state.is_undo && <Cancel />}
      </div>
    </main>
  );
}

/** Asks for the password, without which nobody may take the encryption from a vault. */
function Cancel() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState('');
  const cancel = useMutation({ mutationFn: () => call(contract.vaultLock.cancel, { body: { secret } }) });
  const isCancelling = cancel.isPending || cancel.isSuccess;
  if (!isAsking) return <Button onClick={() => setAsking(true)}>{t('unlock.cancel')}</Button>;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        cancel.mutate();
      }}
    >
      <p>{t('unlock.cancel_text')}</p>
      {cancel.isError && <Notice tone="bad">{vocabulary.error(cancel.error)}</Notice>}
      <Field label={t('unlock.secret')}>
        {(control) => (
          <SecretInput
            {...control}
            labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
            autoComplete="current-password"
            autoFocus
            required
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" variant="primary" disabled={isCancelling}>
          {isCancelling ? t('unlock.turning_back') : t('unlock.turn_back')}
        </Button>
        <Button disabled={isCancelling} onClick={() => setAsking(false)}>
          {t('unlock.keep_on')}
        </Button>
      </div>
    </form>
  );
}

/** Loads the requested page once the vault is open: by this page, another window, or a new start. Returns its state. */
function useOpening(): VaultLockState | undefined {
  const { next } = useSearch({ from: '/unlock' });
  const { data } = useQuery({
    queryKey: cacheKeys.vaultLock,
    // Nothing listens for a moment while the core takes the place of the lock.
    queryFn: ({ signal }) => call(contract.vaultLock.state, {}, signal),
    refetchInterval: LOOK_MS,
    retry: true,
    retryDelay: LOOK_MS,
  });
  const isOpen = data?.is_open === true;
  useEffect(() => {
    // Only paths of this application, so that a forged link cannot redirect to another site.
    if (isOpen) location.replace(next?.startsWith('/') && !next.startsWith('//') ? next : '/');
  }, [isOpen, next]);
  return data;
}
