import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { useTurnKeychainOff, useTurnKeychainOn } from './queries.ts';
import { SecretField } from './secret-field.tsx';

/** Lets the keychain of this computer open the vault when the program starts; takes the password to turn that on. */
export function KeychainPanel({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('encryption');
  return (
    <Panel title={t('keychain')}>
      <div className="panel-body stack settings-lead">
        <p>{t('keychain_text')}</p>
        {isOn ? <TurnOff /> : <TurnOn />}
      </div>
    </Panel>
  );
}

function TurnOn() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const [secret, setSecret] = useState('');
  const turnOn = useTurnKeychainOn();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret !== '') turnOn.mutate(secret);
  };
  return (
    <form className="stack settings-form" onSubmit={submit}>
      {turnOn.isError && <Notice tone="bad">{vocabulary.error(turnOn.error)}</Notice>}
      <SecretField label={t('secret')} value={secret} onChange={setSecret} />
      <div className="row">
        <Button type="submit" disabled={secret === '' || turnOn.isPending}>
          {t('keychain_do')}
        </Button>
      </div>
    </form>
  );
}

function TurnOff() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const turnOff = useTurnKeychainOff();
  return (
    <>
      {turnOff.isError && <Notice tone="bad">{vocabulary.error(turnOff.error)}</Notice>}
      <Notice tone="warn">{t('keychain_on')}</Notice>
      <div className="row">
        <Button disabled={turnOff.isPending} onClick={() => turnOff.mutate()}>
          {t('keychain_stop')}
        </Button>
      </div>
    </>
  );
}
