import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useOpenBackups } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import { useRenderedRange } from '../use-rendered-range.ts';

/** Pixels from the end that still count as the end. */
const END_TOLERANCE = 40;
const ESTIMATED_LINE_HEIGHT = 64;

interface ThreadPosition {
  source: BackupSource;
  name: 'conversation' | 'chat';
  guid: string;
  /** Key under which the position of this thread is saved. */
  positionKey: string;
  total: number | undefined;
  /** Id of the message in the address. */
  requestedId: string | undefined;
  onRange: (first: number, last: number) => void;
}

/** Scrolls a thread to the message in the address, else to the position where the user left it, else to its end. */
export function useThreadScroll({ source, name, guid, positionKey, total, requestedId, onRange }: ThreadPosition) {
  const box = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => ESTIMATED_LINE_HEIGHT,
    overscan: 8,
  });
  useRenderedRange(lines.getVirtualItems(), onRange);
  const { backups } = useOpenBackups();
  // Line heights vary, so the saved position is the index of the first line; the end of the thread is not saved.
  const savedPosition = useRef(backups.scrollPositions.get(positionKey));
  const isAtEnd = useRef(savedPosition.current === undefined);
  const hasUserScrolled = useRef(false);
  useEffect(() => {
    if (!space.current) return undefined;
    // Lines are measured once they are rendered, which moves the end: follow it until the user scrolls.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && requestedId === undefined && box.current) box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(space.current);
    return () => observer.disconnect();
  }, [requestedId]);
  useEffect(() => {
    if (savedPosition.current !== undefined && requestedId === undefined && total)
      lines.scrollToIndex(savedPosition.current, { align: 'start' });
  }, [lines, total, requestedId]);
  useEffect(() => {
    if (requestedId === undefined || !total) return;
    const abort = new AbortController();
    // The address has the message's id; the source looks up its position in the thread.
    void source.query(name, { guid, query: { at: requestedId, limit: '1' } }, abort.signal).then(
      ({ place: index }) => {
        if (!abort.signal.aborted && index !== null) lines.scrollToIndex(index, { align: 'center' });
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [requestedId, total, source, name, guid, lines]);
  return {
    box,
    space,
    lines,
    /** Saves a position that the user scrolled to, not that of a search hit. */
    savePosition: (): void => {
      const element = box.current;
      if (!element || !hasUserScrolled.current) return;
      if (element.scrollHeight - element.scrollTop - element.clientHeight < END_TOLERANCE)
        backups.scrollPositions.delete(positionKey);
      else backups.scrollPositions.set(positionKey, lines.getVirtualItemForOffset(element.scrollTop)?.index ?? 0);
    },
    noteUserScroll: (): void => {
      isAtEnd.current = false;
      hasUserScrolled.current = true;
    },
  };
}
