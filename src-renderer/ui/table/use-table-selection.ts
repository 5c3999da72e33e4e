import { useState } from 'react';
import { toggleSelection } from './toggle-selection.ts';

interface Props<Row> {
  items: readonly Row[];
  /** Id of the row shown beside the table, if any. */
  openId: number | null;
  onOpen: (id: number) => void;
}

/** The active row of a table for keyboard actions, and the selected rows. */
export function useTableSelection<Row extends { id: number }>({ items, openId, onOpen }: Props<Row>) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | null>(null);
  const [position, setPosition] = useState(0);
  const [byKey, setByKey] = useState(false);
  const active = Math.max(0, Math.min(position, items.length - 1));
  const clear = (): void => setSelectedIds(new Set());
  return {
    selectedIds,
    active,
    byKey,
    current: items[active],
    clear,
    /** Toggles a row; with `through`, every row from the last toggled one to this one. */
    toggle: (id: number, through = false): void => {
      const ids = items.map((item) => item.id);
      setSelectedIds((before) => toggleSelection(before, ids, { id, anchor: through ? anchor : null }));
      setAnchor(id);
    },
    /** Makes a row the active one, as a click on it does. */
    activate: (id: number): void => {
      setByKey(false);
      setPosition(items.findIndex((item) => item.id === id));
    },
    selectAll: (all: boolean): void => setSelectedIds(new Set(all ? items.map(({ id }) => id) : [])),
    /** Moves the active row; an open preview follows it. */
    step: (by: number): void => {
      const next = Math.max(0, Math.min(items.length - 1, active + by));
      // The focus moves to the row; otherwise Enter and Space would press the button that was focused before.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      setByKey(true);
      setPosition(next);
      const item = items[next];
      if (openId !== null && item) onOpen(item.id);
    },
    reset: (): void => {
      clear();
      setPosition(0);
      setByKey(false);
    },
  };
}
