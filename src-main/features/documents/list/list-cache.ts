import type { Database } from '../../../platform/database/connection.ts';
import { createForeignWrites } from '../../../platform/database/row-changes.ts';

/** A value of a facet with its number of documents; null for documents without a value. */
export interface FacetValue {
  value: string | number | null;
  count: number;
}

export interface ListCache {
  total(key: unknown, count: () => number): number;
  facet(key: unknown, count: () => FacetValue[]): FacetValue[];
  clear(): void;
}

const MAX_ENTRIES = 500;

/** Totals and facets until a document changes: the exact total of a common word costs more than its page. */
export function createListCache(db: Database): ListCache {
  const totals = new Map<string, number>();
  const facets = new Map<string, FacetValue[]>();
  const hasForeignWrites = createForeignWrites(db);
  const clear = (): void => {
    totals.clear();
    facets.clear();
  };
  function cached<T>(entries: Map<string, T>, key: unknown, count: () => T): T {
    if (hasForeignWrites()) clear();
    const text = JSON.stringify(key);
    const known = entries.get(text);
    if (known !== undefined) return known;
    const value = count();
    if (entries.size >= MAX_ENTRIES) entries.clear();
    entries.set(text, value);
    return value;
  }
  return {
    total: (key, count) => cached(totals, key, count),
    facet: (key, count) => cached(facets, key, count),
    clear,
  };
}
