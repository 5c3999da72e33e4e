import type { Database } from './connection.ts';

/** A value that changes after every write, by this or another connection. */
export const databaseVersion = (db: Database): string =>
  `${String(db.sqlite.pragma('data_version', { simple: true }))} ` +
  `${String(db.prepare('SELECT total_changes()').pluck().get())}`;

/** Caches query results until the next write; `version` changes after every write. */
export function createQueryCache<V>(version: () => string): (key: string, make: () => V) => V {
  const MAX_RESULTS = 200;
  const results = new Map<string, V>();
  let since = '';
  return (key, make) => {
    const now = version();
    if (now !== since || results.size >= MAX_RESULTS) results.clear();
    since = now;
    if (results.has(key)) return results.get(key) as V;
    const made = make();
    results.set(key, made);
    return made;
  };
}
