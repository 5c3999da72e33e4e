import { useState } from 'react';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useShortcuts } from '../../client/shortcuts.ts';
import { useTableSelection } from '../../ui/table/use-table-selection.ts';

interface Props {
  items: readonly NameRow[];
  openId: number | null;
  mayEdit: boolean;
  onOpen: (id: number | null) => void;
  onRemove: (entries: readonly NameRow[]) => void;
  onConfirm: (entries: readonly NameRow[]) => void;
}

export type NameSelection = ReturnType<typeof useNameKeys>;

/** Selection and keyboard shortcuts of the table of names, and which entry is being renamed in place. */
export function useNameKeys({ items, openId, mayEdit, onOpen, onRemove, onConfirm }: Props) {
  const { selectedIds, current, step, ...selection } = useTableSelection({ items, openId, onOpen });
  const [renamingId, setRenamingId] = useState<number | null>(null);
  const [isMerging, setMerging] = useState(false);
  const selected = items.filter(({ id }) => selectedIds.has(id));
  const currentRows = current ? [current] : [];
  const clear = (): void => {
    selection.clear();
    setMerging(false);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => {
      if (current) onOpen(current.id);
    },
    Escape: () => (openId === null ? clear() : onOpen(null)),
    ...(mayEdit && {
      x: () => {
        if (current) selection.toggle(current.id);
      },
      e: () => {
        if (current) setRenamingId(current.id);
      },
      m: () => {
        if (selected.length > 1) setMerging(true);
      },
      c: () => {
        const rows = selected.length > 0 ? selected : currentRows;
        const unreviewed = rows.filter((row) => row.unreviewed_count > 0);
        if (unreviewed.length > 0) onConfirm(unreviewed);
      },
      Delete: () => {
        if (selected.length > 0) onRemove(selected);
      },
    }),
  });
  return {
    ...selection,
    selected,
    renamingId,
    isMerging,
    setRenamingId,
    setMerging,
    clear,
    isSelected: (id: number): boolean => selectedIds.has(id),
    reset: (): void => {
      clear();
      selection.reset();
      setRenamingId(null);
    },
  };
}
