import { useTranslation } from 'react-i18next';
import { Field, Input } from '../../../ui/field.tsx';
import type { ProviderDraft } from './provider-draft.ts';

/** What a million tokens cost, as the owner of the account enters it. */
export function PriceFields({
  draft,
  onChange,
}: {
  draft: ProviderDraft;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { t } = useTranslation('settings');
  const price = (key: 'priceIn' | 'priceOut', label: string, hint?: string) => (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className="settings-number num"
          pattern="\d+([.,]\d+)?"
          value={draft[key]}
          onChange={(event) => onChange({ [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      {price('priceIn', t('provider_price_in'), t('provider_price_hint'))}
      {price('priceOut', t('provider_price_out'))}
      <Field label={t('provider_price_currency')}>
        {(control) => (
          <Input
            {...control}
            className="settings-number"
            spellCheck={false}
            pattern="[A-Za-z]{3}"
            maxLength={3}
            value={draft.priceCurrency}
            onChange={(event) => onChange({ priceCurrency: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
