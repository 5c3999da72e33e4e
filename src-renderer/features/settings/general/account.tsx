import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { oidcError } from '../../../client/oidc-error.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useMe, useSignOut } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice, SkeletonLines } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { ServiceRow } from './service-row.tsx';

type Me = Reply<typeof contract.accounts.me>;

/** Name, password and ways to sign in of the person who looks. */
export function AccountPanel() {
  const { t } = useTranslation();
  const me = useMe();
  const signOut = useSignOut();
  const vocabulary = useVocabulary();
  // Connecting the account ended here without success.
  const failure = oidcError(useSearch({ from: '/frame/settings/' }));
  return (
    <Panel
      title={t('account', { ns: 'settings' })}
      actions={
        <Button className="push" size="small" glyph={LogOut} onClick={() => void signOut()}>
          {t('settings.signout')}
        </Button>
      }
    >
      {failure && (
        <div className="panel-body settings-lead">
          <Notice tone="bad">{vocabulary.error(failure)}</Notice>
        </div>
      )}
      {me ? (
        <>
          <p className="panel-body muted">
            {t('settings.signed_in', { name: me.display_name })} <span className="mono">{me.username}</span>
          </p>
          <AccountForm key={me.display_name} me={me} />
          <ServiceRow me={me} />
        </>
      ) : (
        <SkeletonLines count={3} label={t('app.loading')} />
      )}
    </Panel>
  );
}

function AccountForm({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const [name, setName] = useState(me.display_name);
  const [present, setPresent] = useState('');
  const [password, setPassword] = useState('');
  // Administrators may set any password; everybody else must enter their current one.
  const needsPresent = me.role !== 'admin';
  const save = useMutation({
    mutationFn: () =>
      call(contract.users.update, {
        params: { id: String(me.id) },
        body: {
          ...(name.trim() !== me.display_name && { display_name: name.trim() }),
          ...(password !== '' && { password, ...(needsPresent && { current_password: present }) }),
        },
      }),
    onSuccess: () => {
      for (const queryKey of [cacheKeys.me, cacheKeys.people, cacheKeys.sessions])
        void client.invalidateQueries({ queryKey });
      show({ text: password === '' ? t('saved') : t('password_changed') });
      setPresent('');
      setPassword('');
    },
  });
  const isDirty = name.trim() !== me.display_name || password !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isDirty) save.mutate();
  };
  return (
    <form className="panel-body stack settings-form settings-tail" onSubmit={submit}>
      {save.isError && <Notice tone="bad">{vocabulary.error(save.error)}</Notice>}
      <Field label={t('display_name')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={200}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {(me.has_password || !needsPresent) && (
        <Field label={t('new_password')} hint={t('new_password_hint')}>
          {(control) => (
            <Input
              {...control}
              type="password"
              minLength={12}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      )}
      {needsPresent && password !== '' && (
        <Field label={t('present_password')}>
          {(control) => (
            <Input
              {...control}
              type="password"
              required
              autoComplete="current-password"
              value={present}
              onChange={(event) => setPresent(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="row">
        <Button type="submit" variant="primary" disabled={!isDirty || save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
