import { copyText } from '../../client/copy-text.ts';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';

/** Returns a function that copies a text and says so, or that the browser refuses. */
export function useCopy(): (text: string, done: Message) => Promise<boolean> {
  const { show } = useToasts();
  return async (text, done) => {
    const hasCopied = await copyText(text);
    show(hasCopied ? { text: done } : { text: ({ t }) => t('not_copied', { ns: 'shares' }), tone: 'bad' });
    return hasCopied;
  };
}
