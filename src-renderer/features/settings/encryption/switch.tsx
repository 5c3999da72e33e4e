import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { useNewPassword } from './new-password.tsx';
import { useDecrypt, useEncrypt, useMakeRecoveryKey } from './queries.ts';
import { RecoveryStep } from './recovery-step.tsx';
import { SecretField } from './secret-field.tsx';

/** Switches the encryption on: a password, then the recovery key, then the work. */
export function SwitchOnPanel() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const { password, fields, reset } = useNewPassword();
  const make = useMakeRecoveryKey();
  const encrypt = useEncrypt();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== null) make.mutate(password);
  };
  const cancel = (): void => {
    make.reset();
    encrypt.reset();
    reset();
  };
  return (
    <Panel title={t('switch_on')}>
      <div className="panel-body stack settings-lead">
        {make.data ? (
          <>
            {encrypt.isPending && <p role="status">{t('closing')}</p>}
            <RecoveryStep
              recoveryKey={make.data.recovery_key}
              button={t('encrypt_do')}
              isBusy={encrypt.isPending}
              error={encrypt.isError ? vocabulary.error(encrypt.error) : undefined}
              onConfirm={(typed) => encrypt.mutate(typed)}
              onCancel={cancel}
            />
          </>
        ) : (
          <form className="stack settings-form" onSubmit={submit}>
            <p>{t('switch_on_text')}</p>
            {make.isError && <Notice tone="bad">{vocabulary.error(make.error)}</Notice>}
            {fields}
            <div className="row">
              <Button type="submit" variant="primary" disabled={password === null || make.isPending}>
                {t('continue')}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Panel>
  );
}

/** Switches the encryption off. */
export function SwitchOffPanel() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const [secret, setSecret] = useState('');
  const decrypt = useDecrypt();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret !== '') decrypt.mutate(secret);
  };
  return (
    <Panel title={t('switch_off')}>
      <form className="panel-body stack settings-form" onSubmit={submit}>
        <p>{t('switch_off_text')}</p>
        {decrypt.isError && <Notice tone="bad">{vocabulary.error(decrypt.error)}</Notice>}
        {decrypt.isPending && <p role="status">{t('closing')}</p>}
        <SecretField label={t('secret')} value={secret} onChange={setSecret} />
        <div className="row">
          <Button type="submit" variant="danger" disabled={secret === '' || decrypt.isPending}>
            {t('decrypt_do')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
