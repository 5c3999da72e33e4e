import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';

/** Shows a recovery key, and goes on when it was typed back. */
export function RecoveryStep({
  recoveryKey,
  button,
  isBusy,
  error,
  onConfirm,
  onCancel,
}: {
  recoveryKey: string;
  button: string;
  isBusy: boolean;
  error: string | undefined;
  onConfirm: (typed: string) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('encryption');
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') onConfirm(typed);
  };
  return (
    <form className="stack settings-form" onSubmit={submit}>
      <Notice tone="warn">{t('recovery_once')}</Notice>
      <p className="mono settings-key" data-testid="recovery-key">
        {recoveryKey}
      </p>
      <Field label={t('recovery_type')} hint={t('recovery_type_hint')} error={error}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="characters"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" variant="primary" disabled={isBusy || typed.trim() === ''}>
          {button}
        </Button>
        <Button disabled={isBusy} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}
