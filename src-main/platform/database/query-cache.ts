import type { Database } from './connection.ts';

/**
 * A value that changes after every write, by this or another connection. Null in a transaction, because values read
 * there may be rolled back, which SQLite does not count as a change.
 */
export const databaseVersion = (db: Database): string | null =>
  db.sqlite.inTransaction
    ? null
    : `${String(db.sqlite.pragma('data_version', { simple: true }))} ` +
      `${String(db.prepare('SELECT total_changes()').pluck().get())}`;

/** Caches query results until the next write. `version` changes after every write; if it is null, nothing is cached. */
export function createQueryCache<V>(version: () => string | null): (key: string, make: () => V) => V {
  const MAX_RESULTS = 200;
  const results = new Map<string, V>();
  let since = '';
  return (key, make) => {
    const now = version();
    if (now === null) return make();
    if (now !== since || results.size >= MAX_RESULTS) results.clear();
    since = now;
    if (results.has(key)) return results.get(key) as V;
    const value = make();
    results.set(key, value);
    return value;
  };
}
