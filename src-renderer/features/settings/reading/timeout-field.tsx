import { useTranslation } from 'react-i18next';
import { Field, Input } from '../../../ui/field.tsx';
import type { ProviderDraft } from './provider-draft.ts';

/** Seconds that a provider may take. */
export function TimeoutField({
  draft,
  onChange,
}: {
  draft: ProviderDraft;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { t } = useTranslation('settings');
  return (
    <Field label={t('provider_timeout')} hint={t('provider_timeout_hint')}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className="settings-number num"
          pattern="\d+([.,]\d+)?"
          value={draft.timeout}
          onChange={(event) => onChange({ timeout: event.target.value })}
        />
      )}
    </Field>
  );
}
