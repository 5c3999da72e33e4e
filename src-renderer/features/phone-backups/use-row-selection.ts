import { useState } from 'react';

/** Tracks the selected items by id; the selection survives scrolling. */
export function useRowSelection<T>(idOf: (item: T) => string) {
  const [selected, setSelected] = useState<ReadonlyMap<string, T>>(new Map());
  return {
    items: [...selected.values()],
    size: selected.size,
    has: (item: T): boolean => selected.has(idOf(item)),
    toggle: (item: T): void =>
      setSelected((before) => {
        const next = new Map(before);
        if (!next.delete(idOf(item))) next.set(idOf(item), item);
        return next;
      }),
    set: (items: readonly T[]): void => setSelected(new Map(items.map((item) => [idOf(item), item]))),
    clear: (): void => setSelected(new Map()),
  };
}
export type Selection<T> = ReturnType<typeof useRowSelection<T>>;
