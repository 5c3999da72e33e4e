import { useTranslation } from 'react-i18next';
import { Field } from '../../../ui/field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';

/** A field for a password of the vault. */
export function SecretField({
  label,
  hint,
  error,
  isNew = false,
  autoFocus = false,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  isNew?: boolean;
  autoFocus?: boolean;
  value: string;
  onChange: (text: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <SecretInput
          {...control}
          autoFocus={autoFocus}
          labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
          autoComplete={isNew ? 'new-password' : 'off'}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
