import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { useNewPassword } from './new-password.tsx';
import { useChangePassword, useMakeRecoveryKey, useReplaceRecoveryKey } from './queries.ts';
import { RecoveryStep } from './recovery-step.tsx';
import { SecretField } from './secret-field.tsx';

/** Changes the password by the present one or the recovery key. */
export function PasswordPanel() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const [secret, setSecret] = useState('');
  const { password, fields, reset } = useNewPassword();
  const change = useChangePassword();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password === null || secret === '') return;
    change.mutate(
      { secret, password },
      {
        onSuccess() {
          setSecret('');
          reset();
        },
      },
    );
  };
  return (
    <Panel title={t('password')}>
      <form className="panel-body stack settings-form" onSubmit={submit}>
        <p>{t('password_text')}</p>
        {change.isError && <Notice tone="bad">{vocabulary.error(change.error)}</Notice>}
        <SecretField label={t('secret')} value={secret} onChange={setSecret} />
        {fields}
        <div className="row">
          <Button type="submit" variant="primary" disabled={password === null || secret === '' || change.isPending}>
            {t('password_do')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Replaces the recovery key. */
export function RecoveryPanel() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const [password, setPassword] = useState('');
  const [isAgain, setIsAgain] = useState(false);
  const make = useMakeRecoveryKey();
  const replace = useReplaceRecoveryKey();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== '') make.mutate(password);
  };
  const end = (): void => {
    make.reset();
    replace.reset();
    setPassword('');
    setIsAgain(true);
  };
  return (
    <Panel title={t('recovery')}>
      <div className="panel-body stack settings-lead">
        {make.data ? (
          <RecoveryStep
            recoveryKey={make.data.recovery_key}
            button={t('recovery_do')}
            isBusy={replace.isPending}
            error={replace.isError ? vocabulary.error(replace.error) : undefined}
            onConfirm={(typed) => replace.mutate(typed, { onSuccess: end })}
            onCancel={end}
          />
        ) : (
          <form className="stack settings-form" onSubmit={submit}>
            <p>{t('recovery_text')}</p>
            {make.isError && <Notice tone="bad">{vocabulary.error(make.error)}</Notice>}
            <SecretField label={t('present_password')} autoFocus={isAgain} value={password} onChange={setPassword} />
            <div className="row">
              <Button type="submit" disabled={password === '' || make.isPending}>
                {t('recovery_make')}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Panel>
  );
}
