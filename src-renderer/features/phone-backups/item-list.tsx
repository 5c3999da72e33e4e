import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Skeleton } from '../../ui/states.tsx';
import { useRenderedRange } from './use-rendered-range.ts';
import { useSavedScroll } from './use-saved-scroll.ts';
import './virtual-list.css';
import './item-list.css';

const OVERSCAN = 10;
/** Lines that the page keys move by. */
const PAGE_LINES = 10;

interface Props {
  label: string;
  count: number;
  rowHeight: number;
  /** The index of the open line; -1 for none. */
  active: number;
  /** Called with the range of rendered lines. */
  onShow: (first: number, last: number) => void;
  onActive: (index: number) => void;
  children: (index: number) => ReactNode;
}

/** The index that a key of the keyboard moves to; undefined for other keys. It may be beyond the ends. */
function targetIndex(key: string, active: number, count: number): number | undefined {
  return {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: count - 1,
    PageDown: active + PAGE_LINES,
    PageUp: active - PAGE_LINES,
  }[key];
}

/** A list of any length as a listbox that renders only the visible lines; arrow keys, j and k move through it. */
export function ItemList({ label, count, rowHeight, active, onShow, onActive, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  const rendered = rows.getVirtualItems();
  useRenderedRange(rendered, onShow);
  const isRestoring = useSavedScroll(box, label, count > 0);
  // After navigating back, the list keeps its scroll position instead of scrolling to the selected line.
  const lastActive = useRef(isRestoring ? active : -1);
  useEffect(() => {
    if (active >= 0 && active !== lastActive.current) rows.scrollToIndex(active);
    lastActive.current = active;
  }, [active, rows]);
  const go = (index: number): void => {
    if (count > 0) onActive(Math.min(count - 1, Math.max(0, index)));
  };
  useShortcuts({ j: () => go(active + 1), k: () => go(active - 1) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetIndex(event.key, active, count);
    if (target === undefined || !(event.target instanceof HTMLElement) || event.target.closest('input')) return;
    event.preventDefault();
    go(target);
  };
  return (
    <div
      ref={box}
      className="phone-list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-activedescendant={active >= 0 ? `phone-line-${active}` : undefined}
    >
      <div className="phone-space" style={{ height: rows.getTotalSize() }}>
        {rendered.map(({ index, start }) => (
          <button
            key={index}
            type="button"
            tabIndex={-1}
            id={`phone-line-${index}`}
            role="option"
            aria-selected={index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="phone-line"
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            onClick={() => onActive(index)}
          >
            {children(index) ?? <Skeleton width="60%" />}
          </button>
        ))}
      </div>
    </div>
  );
}
