import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import type { ProviderEntry } from './entries.ts';
import type { ModelAnswer } from './models/model.ts';

const MILLION = 1e6;

/** What an answer used, and what that costs by the prices that the owner entered. */
export function usageOf(
  { name, price = null }: ProviderEntry,
  { tokensIn, tokensOut }: Pick<ModelAnswer, 'tokensIn' | 'tokensOut'>,
): StageUsage {
  return {
    ...{ provider: name, tokens_in: tokensIn, tokens_out: tokensOut },
    amount: price && (tokensIn * price.input + tokensOut * price.output) / MILLION,
    currency: price?.currency || null,
  };
}

/** Both together. Amounts in two currencies can't be added: the later one counts. */
export function addUsage(before: StageUsage | null, more: StageUsage): StageUsage {
  if (before === null) return more;
  const isSame = before.currency === more.currency || before.currency === null || more.currency === null;
  const amounts = [...(isSame ? [before.amount] : []), more.amount].filter((amount) => amount !== null);
  return {
    provider: more.provider,
    tokens_in: before.tokens_in + more.tokens_in,
    tokens_out: before.tokens_out + more.tokens_out,
    amount: amounts.length > 0 ? amounts.reduce((sum, amount) => sum + amount, 0) : null,
    currency: more.currency ?? before.currency,
  };
}
