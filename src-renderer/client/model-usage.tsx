import { useTranslation } from 'react-i18next';
import type { StageUsage } from '../../src-shared/contract/rows.ts';
import { useFormats } from './format.ts';

/** An amount of a price list; null without a price. A page often costs less than a cent. */
export function useCost(): (amount: number | null, currency: string | null) => string | null {
  const { i18n } = useTranslation();
  return (amount, currency) => {
    const style = { maximumSignificantDigits: 2, ...(currency && { style: 'currency' as const, currency }) };
    return amount === null ? null : new Intl.NumberFormat(i18n.language, style).format(amount);
  };
}

/** What models used, in one line. */
export function ModelUsage({ usage }: { usage: StageUsage }) {
  const { t } = useTranslation('model_usage');
  const formats = useFormats();
  const costOf = useCost();
  const tokens = t('tokens', {
    provider: usage.provider,
    tokens_in: formats.count(usage.tokens_in),
    tokens_out: formats.count(usage.tokens_out),
  });
  const cost = costOf(usage.amount, usage.currency);
  return <span className="cap">{cost === null ? tokens : t('with_cost', { usage: tokens, amount: cost })}</span>;
}
