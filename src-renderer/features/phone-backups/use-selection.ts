import { useState } from 'react';

/** What is ticked, by its id and with what it is; kept while the list scrolls. */
export function useSelection<T>(idOf: (item: T) => string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  return {
    items: [...chosen.values()],
    size: chosen.size,
    has: (item: T): boolean => chosen.has(idOf(item)),
    toggle: (item: T): void =>
      setChosen((before) => {
        const next = new Map(before);
        if (!next.delete(idOf(item))) next.set(idOf(item), item);
        return next;
      }),
    set: (items: readonly T[]): void => setChosen(new Map(items.map((item) => [idOf(item), item]))),
    clear: (): void => setChosen(new Map()),
  };
}
export type Selection<T> = ReturnType<typeof useSelection<T>>;
