import { useDeferredValue, useMemo, useState } from 'react';
import { findText, firstHitFrom, type Hit } from './find.ts';
import type { ViewerPage } from './page.ts';

export interface FindState {
  open: boolean;
  query: string;
  hits: readonly Hit[];
  at: number;
  /** Counts how often the bar was asked for. */
  requested: number;
  show: () => void;
  close: () => void;
  setQuery: (query: string) => void;
  step: (direction: 1 | -1) => Hit | null;
}

/** Text search over the pages. It starts at the page a person looks at; with `initial` the bar is open from the start. */
export function useFind(pages: readonly ViewerPage[], initial: string, currentPage: number): FindState {
  const [open, setOpen] = useState(initial !== '');
  const [query, setQueryState] = useState(initial);
  const [requested, setRequested] = useState(0);
  const [stepped, setStepped] = useState<number | null>(null);
  const [from, setFrom] = useState(currentPage);
  const deferred = useDeferredValue(query);
  const hits = useMemo(() => (open ? findText(pages, deferred) : []), [open, pages, deferred]);
  const at = Math.min(stepped ?? firstHitFrom(hits, from), Math.max(hits.length - 1, 0));

  return {
    open,
    query,
    hits,
    at,
    requested,
    show: () => {
      setOpen(true);
      setRequested(requested + 1);
      setFrom(currentPage);
    },
    close: () => {
      setOpen(false);
      setStepped(null);
    },
    setQuery: (next) => {
      setQueryState(next);
      setStepped(null);
      setFrom(currentPage);
    },
    step: (direction) => {
      if (hits.length === 0) return null;
      const next = (at + direction + hits.length) % hits.length;
      setStepped(next);
      return hits[next] ?? null;
    },
  };
}
