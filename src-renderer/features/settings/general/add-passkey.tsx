import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { makePasskey, PasskeyCancelled } from '../../../client/passkeys.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { Notice } from '../../../ui/states.tsx';
import { browserOf } from '../sessions/browser.ts';

/** Adds a passkey of this device, a phone or a security key. */
export function AddPasskey({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const words = useTranslation().t;
  const vocabulary = useVocabulary();
  const [name, setName] = useState(() => browserOf(navigator.userAgent) ?? '');
  const [password, setPassword] = useState('');
  const add = useAddPasskey(() => setPassword(''));
  const isComplete = name.trim() !== '' && (!hasPassword || password !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete) add.mutate({ name: name.trim(), password: hasPassword ? password : null });
  };
  return (
    <form className="panel-body stack settings-form settings-tail" onSubmit={submit}>
      {add.error && (
        <Notice tone="bad">
          {add.error instanceof PasskeyCancelled ? words('login.passkey_cancelled') : vocabulary.error(add.error)}
        </Notice>
      )}
      <Field label={t('passkey_name')} hint={t('passkey_name_hint')}>
        {(control) => (
          <Input {...control} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      {hasPassword && (
        <Field label={t('present_password')}>
          {(control) => (
            <SecretInput
              {...control}
              labels={{ show: words('login.show_password'), hide: words('login.hide_password') }}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="row">
        <Button type="submit" glyph={Plus} disabled={!isComplete || add.isPending}>
          {add.isPending ? words('login.passkey_waiting') : t('passkey_add')}
        </Button>
      </div>
    </form>
  );
}

function useAddPasskey(onAdded: () => void) {
  const client = useQueryClient();
  const { show } = useToasts();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string | null }) => {
      const body = password === null ? {} : { current_password: password };
      const credential = await makePasskey(await call(contract.passkeys.creationOptions, { body }));
      return call(contract.passkeys.create, { body: { name, credential } });
    },
    onSuccess: ({ name }) => {
      show({ text: (words) => words.t('passkey_added', { ns: 'settings', name }) });
      void client.invalidateQueries({ queryKey: cacheKeys.passkeys });
      onAdded();
    },
  });
}
