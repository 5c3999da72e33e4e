import { useEffect, useRef, useState } from 'react';
import { door, DoorError } from './door.ts';
import { findWords } from './spoken.ts';

/** How a search goes: on which page it is, or how it ended. */
export type Search =
  | { state: 'idle' }
  | { state: 'searching'; page: number }
  | { state: 'found'; words: string; page: number }
  | { state: 'none' }
  | { state: 'failed'; error: DoorError };

export interface Find {
  search: Search;
  /** Shows the page that is next with these words. */
  run: (words: string) => Promise<void>;
  clear: () => void;
}

/** Finds words in a document, page by page from the one that is shown. */
export function useFind(documentId: number, page: number, count: number, show: (page: number) => void): Find {
  const [search, setSearch] = useState<Search>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const begin = (): AbortSignal => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  };
  const look = async (words: string, signal: AbortSignal): Promise<void> => {
    const isNext = search.state === 'found' && search.words === words && search.page === page;
    const first = isNext ? page + 1 : page;
    for (let step = 0; step < count; step += 1) {
      const at = ((first - 1 + step) % count) + 1;
      setSearch({ state: 'searching', page: at });
      const { text } = await door.text(documentId, at, signal);
      if (findWords(text, words).length === 0) continue;
      setSearch({ state: 'found', words, page: at });
      return show(at);
    }
    setSearch({ state: 'none' });
  };
  return {
    search,
    async run(words) {
      const signal = begin();
      await look(words, signal).catch((error: unknown) => {
        // Another search may have begun, or the page have been left.
        if (!signal.aborted)
          setSearch({ state: 'failed', error: error instanceof DoorError ? error : new DoorError('offline') });
      });
    },
    clear() {
      begin();
      setSearch({ state: 'idle' });
    },
  };
}
