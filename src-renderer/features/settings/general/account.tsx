import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallArguments, Reply } from '../../../../src-shared/contract/endpoint.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { oidcError } from '../../../client/oidc-error.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useMe, useSignOut } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice, SkeletonLines } from '../../../ui/states.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { ServiceRow } from './service-row.tsx';

type Me = Reply<typeof contract.auth.me>;
type UserChanges = CallArguments<typeof contract.users.update>['body'];

/** Name, password and sign-in service of the signed-in person. */
export function AccountPanel() {
  const { t } = useTranslation();
  const me = useMe();
  const signOut = useSignOut();
  const vocabulary = useVocabulary();
  // The sign-in service redirects here if connecting the account failed.
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
  const { show } = useToasts();
  const [name, setName] = useState(me.display_name);
  const [currentPassword, setCurrentPassword] = useState('');
  const [password, setPassword] = useState('');
  // Only an account of the sign-in service has none; of those, only administrators may set one.
  const needsCurrentPassword = me.has_password;
  const save = useSaveAccount(me.id, () => {
    const key = password === '' ? 'saved' : 'password_changed';
    show({ text: (words) => words.t(key, { ns: 'settings' }) });
    setCurrentPassword('');
    setPassword('');
  });
  const isDirty = name.trim() !== me.display_name || password !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDirty) return;
    save.mutate({
      ...(name.trim() !== me.display_name && { display_name: name.trim() }),
      ...(password !== '' && { password, ...(needsCurrentPassword && { current_password: currentPassword }) }),
    });
  };
  return (
    <form className="panel-body stack settings-form settings-tail" onSubmit={submit}>
      {save.isError && <Notice tone="bad">{vocabulary.error(save.error)}</Notice>}
      <NameField label={t('display_name')} value={name} onChange={setName} />
      {(me.has_password || me.role === 'admin') && (
        <PasswordField
          label={t('new_password')}
          hint={t('new_password_hint')}
          minLength={12}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
      )}
      {needsCurrentPassword && password !== '' && (
        <PasswordField
          label={t('present_password')}
          required
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrentPassword}
        />
      )}
      <div className="row">
        <Button type="submit" variant="primary" disabled={!isDirty || save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

function NameField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          required
          maxLength={200}
          autoComplete="name"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function PasswordField({
  label,
  hint,
  onChange,
  ...input
}: {
  label: string;
  hint?: string;
  minLength?: number;
  required?: boolean;
  autoComplete: 'new-password' | 'current-password';
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <SecretInput
          {...control}
          {...input}
          labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function useSaveAccount(id: number, onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UserChanges) => call(contract.users.update, { params: { id: String(id) }, body }),
    onSuccess: () => {
      for (const queryKey of [cacheKeys.me, cacheKeys.people, cacheKeys.sessions])
        void client.invalidateQueries({ queryKey });
      onSaved();
    },
  });
}
