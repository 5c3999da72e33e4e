import { useCallback, useState } from 'react';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { chosen } from './toggle-selection.ts';

interface Given {
  items: readonly DocumentListItem[];
  previewed: number | null;
  onOpen: (id: number) => void;
  onPreview: (id: number | null) => void;
}

/** Which row the keys act on, which are selected and which is looked at beside the list. */
export function useChoice({ items, previewed, onOpen, onPreview }: Given) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState(0);
  const [byKey, setByKey] = useState(false);
  const active = Math.max(0, Math.min(at, items.length - 1));
  const current = items[active];
  const clear = useCallback(() => setSelected(new Set()), []);
  const [anchor, setAnchor] = useState<number | null>(null);
  /** Selects or clears a row; with `through`, every row between the last one that was chosen and this one becomes as this one does. */
  const toggle = (id: number, through = false): void => {
    const ids = items.map((item) => item.id);
    setSelected((before) => chosen(before, ids, { id, anchor: through ? anchor : null }));
    setAnchor(id);
  };
  const selectAll = (all: boolean): void => setSelected(new Set(all ? items.map((item) => item.id) : []));
  const step = (by: number): void => {
    const next = Math.max(0, Math.min(items.length - 1, active + by));
    // The row takes the focus: Enter and space must not press what had it before.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setByKey(true);
    setAt(next);
    const item = items[next];
    if (previewed !== null && item) onPreview(item.id);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    x: () => {
      if (current) toggle(current.id);
    },
    Enter: () => {
      if (current) onOpen(current.id);
    },
    space: () => {
      if (current) onPreview(previewed === null ? current.id : null);
    },
    Escape: () => (previewed === null ? clear() : onPreview(null)),
  });
  const reset = (): void => {
    clear();
    setAt(0);
    setByKey(false);
  };
  return {
    selected,
    active,
    byKey,
    preview: items.find((item) => item.id === previewed),
    clear,
    toggle,
    selectAll,
    reset,
  };
}
