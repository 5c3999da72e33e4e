import { useState } from 'react';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useShortcuts } from '../../client/shortcuts.ts';

interface Given {
  items: readonly NameRow[];
  opened: number | null;
  mayEdit: boolean;
  onOpen: (id: number | null) => void;
  onRemove: (entries: readonly NameRow[]) => void;
  onConfirm: (entries: readonly NameRow[]) => void;
}

export type Choice = ReturnType<typeof useChoice>;

/** Which row the keys act on, which are selected, and which one is being renamed in its place. */
export function useChoice({ items, opened, mayEdit, onOpen, onRemove, onConfirm }: Given) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState(0);
  const [byKey, setByKey] = useState(false);
  const [renaming, setRenaming] = useState<number | null>(null);
  const [merging, setMerging] = useState(false);
  const active = Math.max(0, Math.min(at, items.length - 1));
  const current = items[active];
  const selected = items.filter(({ id }) => ids.has(id));
  const toggle = (id: number): void =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const clear = (): void => {
    setIds(new Set());
    setMerging(false);
  };
  const step = (by: number): void => {
    const next = Math.max(0, Math.min(items.length - 1, active + by));
    // The row takes the focus: Enter and space must not press what had it before.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setByKey(true);
    setAt(next);
    const item = items[next];
    if (opened !== null && item) onOpen(item.id);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => {
      if (current) onOpen(current.id);
    },
    Escape: () => (opened === null ? clear() : onOpen(null)),
    ...(mayEdit && {
      x: () => {
        if (current) toggle(current.id);
      },
      e: () => {
        if (current) setRenaming(current.id);
      },
      m: () => {
        if (selected.length > 1) setMerging(true);
      },
      c: () => {
        const waiting = (selected.length > 0 ? selected : current ? [current] : []).filter(
          ({ unreviewed_count }) => unreviewed_count > 0,
        );
        if (waiting.length > 0) onConfirm(waiting);
      },
      Delete: () => {
        if (selected.length > 0) onRemove(selected);
      },
    }),
  });
  return {
    selected,
    active,
    byKey,
    renaming,
    merging,
    setRenaming,
    setMerging,
    clear,
    toggle,
    isSelected: (id: number): boolean => ids.has(id),
    selectAll: (all: boolean): void => setIds(new Set(all ? items.map(({ id }) => id) : [])),
    reset: (): void => {
      clear();
      setAt(0);
      setByKey(false);
      setRenaming(null);
    },
  };
}
