import type { Database } from './connection.ts';

/** Another one after every write, by whom ever. */
export const databaseVersion = (db: Database): string =>
  `${String(db.sqlite.pragma('data_version', { simple: true }))} ${String(db.prepare('SELECT total_changes()').pluck().get())}`;

/** Answers kept while nothing is written to the database; `stamp` is another one after every write, by whom ever. */
export function createQueryCache<V>(stamp: () => string): (key: string, make: () => V) => V {
  const MOST = 200;
  const answers = new Map<string, V>();
  let since = '';
  return (key, make) => {
    const now = stamp();
    if (now !== since || answers.size >= MOST) answers.clear();
    since = now;
    if (answers.has(key)) return answers.get(key) as V;
    const made = make();
    answers.set(key, made);
    return made;
  };
}
