import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Estimated row height in pixels; rows are measured when they render. */
const ROW_HEIGHT = 38;
/** Rows rendered above and below the viewport. */
const OVERSCAN = 12;
/** What is in view is on the screen by then. */
const OVERSCAN_AFTER_MS = 100;
/** Rows before the end at which the next page is fetched. */
const PREFETCH_ROWS = 20;

const scroller = (): HTMLElement | null => document.getElementById('content');

/**
 * Virtualizes table rows, scrolls to the active one and calls `onEnd` near the end. `width` is what the table may take, in pixels.
 */
export function useRows({ ids, active, onEnd }: { ids: readonly number[]; active: number; onEnd: () => void }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [width, setWidth] = useState(0);
  // At first only what is in view, which is on the screen sooner.
  const [overscan, setOverscan] = useState(0);
  useEffect(() => {
    const timer = setTimeout(setOverscan, OVERSCAN_AFTER_MS, OVERSCAN);
    return () => clearTimeout(timer);
  }, []);
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: scroller,
    estimateSize: () => ROW_HEIGHT,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: ROW_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
  });
  useLayoutEffect(() => {
    const [content, page] = [scroller(), body.current?.closest('.page')];
    if (!content || !page) return;
    const measureTable = (): void => {
      if (!body.current) return;
      const box = body.current.getBoundingClientRect();
      setTop(Math.round(box.top - content.getBoundingClientRect().top + content.scrollTop));
      // Not of the table itself, which its columns keep as wide as they were.
      setWidth(body.current.closest('table')?.parentElement?.clientWidth ?? 0);
    };
    // The content above the list changes height: filters wrap, and the files in progress come and go.
    const observer = new ResizeObserver(measureTable);
    observer.observe(page);
    measureTable();
    return () => observer.disconnect();
  }, []);
  const lastActive = useRef(active);
  useEffect(() => {
    // Skip the first render, so that a restored scroll position stays.
    if (lastActive.current !== active) rows.scrollToIndex(active);
    lastActive.current = active;
  }, [active, rows]);
  const rendered = rows.getVirtualItems();
  const last = rendered.at(-1);
  useEffect(() => {
    if (last && last.index >= ids.length - PREFETCH_ROWS) onEnd();
  }, [last, ids.length, onEnd]);
  return {
    body,
    width,
    measure: rows.measureElement,
    rendered,
    above: (rendered[0]?.start ?? top) - top,
    below: rows.getTotalSize() - ((last?.end ?? top) - top),
  };
}
