import type { Database } from './connection.ts';

/**
 * A value that changes after every write, by this or another connection. Null in a transaction, because values read
 * there may be rolled back, which SQLite does not count as a change.
 */
export const databaseVersion = (db: Database): string | null =>
  db.sqlite.inTransaction
    ? null
    : `${String(db.prepare('PRAGMA data_version').pluck().get())} ` +
      `${String(db.prepare('SELECT total_changes()').pluck().get())}`;

const MAX_RESULTS = 200;

/**
 * Caches query results until the next write. `version` changes after every write; if it is null, nothing is cached.
 * `maxResults` limits the number of cached results, for large ones. Never what depends on the rights of a caller unless
 * they are part of the key.
 */
export function createQueryCache<V>(
  version: () => string | null,
  maxResults = MAX_RESULTS,
): (key: string, make: () => V) => V {
  const results = new Map<string, V>();
  let since = '';
  return (key, make) => {
    const now = version();
    if (now === null) return make();
    if (now !== since || (results.size >= maxResults && !results.has(key))) results.clear();
    since = now;
    if (results.has(key)) return results.get(key) as V;
    const value = make();
    results.set(key, value);
    return value;
  };
}
