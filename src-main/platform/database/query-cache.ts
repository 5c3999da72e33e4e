import { keepJson } from '../kernel/kept-json.ts';
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
/** Some forty pages of a list. */
const MAX_ROWS = 2000;

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

/**
 * Reads rows by id, in the order of the ids, and keeps them until the next write: pages, orders and searches of a list
 * show the same rows. Readers share them and cannot change them. `read` reads the missing ones, in any order. Never
 * for rows that differ by caller.
 */
export function createRowCache<V extends object>(
  version: () => string | null,
  read: (ids: readonly number[]) => Iterable<readonly [number, V]>,
  maxRows = MAX_ROWS,
): (ids: readonly number[]) => V[] {
  const kept = new Map<number, V>();
  let since = '';
  return (ids) => {
    const now = version();
    if (now === null || ids.length > maxRows) return inOrder(ids, new Map(read(ids)));
    if (now !== since) kept.clear();
    since = now;
    if (ids.every((id) => kept.has(id))) return inOrder(ids, kept);
    if (kept.size + ids.length > maxRows) kept.clear();
    for (const [id, row] of read(ids.filter((id) => !kept.has(id)))) kept.set(id, keepJson(row));
    return inOrder(ids, kept);
  };
}

const inOrder = <V>(ids: readonly number[], rows: ReadonlyMap<number, V>): V[] =>
  ids.flatMap((id) => rows.get(id) ?? []);
