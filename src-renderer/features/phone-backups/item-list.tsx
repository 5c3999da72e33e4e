import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useShortcuts } from '../../client/shortcuts.ts';
import { Skeleton } from '../../ui/states.tsx';
import { useSavedScroll } from './use-saved-scroll.ts';

const OVERSCAN = 10;

interface Props {
  label: string;
  count: number;
  rowHeight: number;
  /** The index of the open line; -1 for none. */
  active: number;
  onShow: (first: number, last: number) => void;
  onActive: (index: number) => void;
  children: (index: number) => ReactNode;
}

/** A list of any length as a listbox: only the lines in sight are drawn; arrows, j and k walk through it. */
export function ItemList({ label, count, rowHeight, active, onShow, onActive, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  const rendered = rows.getVirtualItems();
  const first = rendered[0]?.index ?? 0,
    last = rendered.at(-1)?.index ?? 0;
  const show = useRef(onShow);
  show.current = onShow;
  useEffect(() => {
    show.current(first, last);
  }, [first, last]);
  const isRestoring = useSavedScroll(box, label, count > 0);
  // After navigating back, the list keeps its scroll position instead of scrolling to the selected line.
  const shown = useRef(isRestoring ? active : -1);
  useEffect(() => {
    if (active >= 0 && active !== shown.current) rows.scrollToIndex(active);
    shown.current = active;
  }, [active, rows]);
  const go = (index: number): void => {
    if (count > 0) onActive(Math.min(count - 1, Math.max(0, index)));
  };
  useShortcuts({ j: () => go(active + 1), k: () => go(active - 1) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: count - 1,
      PageDown: active + 10,
      PageUp: active - 10,
    }[event.key];
    if (to === undefined || !(event.target instanceof HTMLElement) || event.target.closest('input')) return;
    event.preventDefault();
    go(to);
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
