import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row without a snippet, px; each is measured once it is drawn. */
const ROW_HEIGHT = 38;
/** Rows drawn above and below what is seen. */
const OVERSCAN = 12;
/** So many rows before the end, the next ones are fetched. */
const AHEAD = 20;

const scroller = (): HTMLElement | null => document.getElementById('content');

/** Draws only the rows that can be seen, brings the active one into view and asks for more before the end; `width` is that of the table, px. */
export function useRows({ ids, active, onEnd }: { ids: readonly number[]; active: number; onEnd: () => void }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [width, setWidth] = useState(0);
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: scroller,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: ROW_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
  });
  useLayoutEffect(() => {
    const [content, page] = [scroller(), body.current?.closest('.page')];
    if (!content || !page) return;
    const place = (): void => {
      if (!body.current) return;
      const box = body.current.getBoundingClientRect();
      setTop(Math.round(box.top - content.getBoundingClientRect().top + content.scrollTop));
      setWidth(Math.floor(box.width));
    };
    // The content above the list changes height: filters wrap, and the files in progress come and go.
    const observer = new ResizeObserver(place);
    observer.observe(page);
    place();
    return () => observer.disconnect();
  }, []);
  const shown = useRef(active);
  useEffect(() => {
    // Not when the list is first drawn: it may have been scrolled elsewhere before.
    if (shown.current !== active) rows.scrollToIndex(active);
    shown.current = active;
  }, [active, rows]);
  const rendered = rows.getVirtualItems();
  const last = rendered.at(-1);
  useEffect(() => {
    if (last && last.index >= ids.length - AHEAD) onEnd();
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
