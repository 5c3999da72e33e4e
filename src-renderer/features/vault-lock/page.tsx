import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
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
  usePageTitle(t('unlock.title'));
  const [secret, setSecret] = useState('');
  const unlock = useMutation({ mutationFn: () => call(contract.vaultLock.unlock, { body: { secret } }) });
  useOpening();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    unlock.mutate();
  };
  return (
    <main className="gate">
      <form className="gate-card" onSubmit={submit}>
        <p className="gate-brand">{t('app.name')}</p>
        <h1>{t('unlock.title')}</h1>
        <p>{t('unlock.text')}</p>
        {unlock.isError && <Notice tone="bad">{vocabulary.error(unlock.error)}</Notice>}
        {unlock.isSuccess && <Notice tone="ok">{t('unlock.opening')}</Notice>}
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
        <Button type="submit" variant="primary" size="large" disabled={unlock.isPending || unlock.isSuccess}>
          {unlock.isPending ? t('unlock.submitting') : t('unlock.submit')}
        </Button>
      </form>
    </main>
  );
}

/** Loads the requested page once the vault is open: by this page, another window, or a new start. */
function useOpening(): void {
  const { next } = useSearch({ from: '/unlock' });
  const isOpen =
    useQuery({
      queryKey: cacheKeys.vaultLock,
      // Nothing listens for a moment while the core takes the place of the lock.
      queryFn: ({ signal }) => call(contract.auth.health, {}, signal),
      refetchInterval: LOOK_MS,
      retry: true,
      retryDelay: LOOK_MS,
    }).data?.status === 'ok';
  useEffect(() => {
    // Only paths of this application, so that a forged link cannot redirect to another site.
    if (isOpen) location.replace(next?.startsWith('/') && !next.startsWith('//') ? next : '/');
  }, [isOpen, next]);
}
