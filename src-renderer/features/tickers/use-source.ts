import { useQueryClient } from '@tanstack/react-query';
import type { SourceView } from '../../../src-shared/contract/ticker-source.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';

/** Shows what a change answered, and offers to undo it. A failure is shown and changes nothing: false. */
export type ApplyChange = (
  change: () => Promise<SourceView>,
  text: Message,
  undo: () => Promise<SourceView>,
) => Promise<boolean>;

/** Changes the list of prices for tickers. */
export function useApply(): ApplyChange {
  const client = useQueryClient();
  const { begin } = useToasts();
  const run = async (change: () => Promise<SourceView>): Promise<void> => {
    client.setQueryData(cacheKeys.tickerSource, await change());
  };
  return async (change, text, undo) => {
    const pending = begin();
    try {
      await run(change);
      pending.done({ text, undo: () => run(undo) });
      return true;
    } catch (error) {
      pending.fail(error);
      return false;
    }
  };
}
