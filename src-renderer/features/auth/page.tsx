import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
import { oidcError } from '../../client/oidc-error.ts';
import { usePageTitle } from '../../client/page-title.ts';
import { useSample } from '../../client/sample.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { Notice } from '../../ui/states.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { SignInService } from './sign-in-service.tsx';
import '../../ui/gate.css';
import './auth.css';

/** The sign-in page; continues to the page that was requested. */
export default function LoginPage() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { next, expired, ...back } = useSearch({ from: '/login' });
  usePageTitle(t('login.title'));
  const failure = oidcError(back);
  const [typed, setTyped] = useState<{ username?: string; password?: string }>({});
  // Everybody may enter the sample household, so the form is filled in.
  const sample = useSample()?.open ?? { username: '', password: '' };
  const { username, password } = { ...sample, ...typed };
  const finish = useFinish(next);
  const login = useLogin(finish);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    login.mutate({ username, password });
  };
  return (
    <main className="gate">
      <form className="gate-card" onSubmit={submit}>
        <p className="gate-brand">{t('app.name')}</p>
        <h1>{t('login.title')}</h1>
        {failure && !login.isError && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
        {expired && !failure && !login.isError && <Notice tone="warn">{t('login.expired')}</Notice>}
        {sample.username !== '' && (
          <Notice tone="ok" glyph={FlaskConical}>
            {t('sample.sign_in', { username: sample.username, password: sample.password })}
          </Notice>
        )}
        {login.isError && <Notice tone="bad">{vocabulary.error(login.error)}</Notice>}
        <Field label={t('login.username')}>
          {(control) => (
            <Input
              isLarge
              {...control}
              autoFocus
              autoComplete="username"
              required
              value={username}
              onChange={(event) => setTyped({ ...typed, username: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('login.password')}>
          {(control) => (
            <SecretInput
              isLarge
              {...control}
              labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setTyped({ ...typed, password: event.target.value })}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="large" disabled={login.isPending}>
          {login.isPending ? t('login.submitting') : t('login.submit')}
        </Button>
        <PasskeySignIn onSignedIn={finish} />
        <SignInService next={next} />
      </form>
    </main>
  );
}

const useLogin = (onSignedIn: () => void) =>
  useMutation({
    mutationFn: (body: { username: string; password: string }) => call(contract.auth.login, { body }),
    onSuccess: onSignedIn,
  });

/** Opens the page that was requested, for the user who has just signed in. */
function useFinish(next: string | undefined): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return () => {
    client.clear();
    // Only paths of this application, so that a forged link cannot redirect to another site.
    router.history.push(next?.startsWith('/') && !next.startsWith('//') ? next : '/');
  };
}
