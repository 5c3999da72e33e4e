import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretField } from './secret-field.tsx';

/** As `VAULT_PASSWORD` of the contract, whose schemas the page does not load. */
const MIN = 12;
const MAX = 256;

/** A new password that is typed twice: its value once both agree, and the fields, which are focused after `reset`. */
export function useNewPassword(): { password: string | null; reset: () => void; fields: ReactNode } {
  const { t } = useTranslation('encryption');
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const [isAgain, setIsAgain] = useState(false);
  const isLong = first.length > MAX;
  const isShort = first !== '' && first.length < MIN;
  const tooShort = isShort && again !== '' ? t('too_short', { count: MIN }) : undefined;
  const lengthError = isLong ? t('too_long', { count: MAX }) : tooShort;
  const differs = again !== '' && !first.startsWith(again) && again !== first;
  return {
    password: first.length >= MIN && !isLong && first === again ? first : null,
    reset() {
      setFirst('');
      setAgain('');
      setIsAgain(true);
    },
    fields: (
      <>
        <SecretField
          isNew
          label={t('new_password')}
          hint={t('new_password_hint', { count: MIN })}
          error={lengthError}
          autoFocus={isAgain}
          value={first}
          onChange={setFirst}
        />
        <SecretField
          isNew
          label={t('password_again')}
          error={differs ? t('passwords_differ') : undefined}
          value={again}
          onChange={setAgain}
        />
      </>
    ),
  };
}
