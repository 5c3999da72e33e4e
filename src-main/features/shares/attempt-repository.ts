import type { Database } from '../../platform/database/connection.ts';

/** Rows are kept to this number, whatever strangers send. */
const MAX_ROWS = 200_000;

export type AttemptRepository = ReturnType<typeof createAttemptRepository>;

/** Requests and wrong codes, by which limits count; they outlast a restart. */
export function createAttemptRepository(db: Database) {
  return {
    add: (kind: string, key: string, now: string): number =>
      Number(
        db.prepare('INSERT INTO share_attempts (kind, key, created_at) VALUES (?, ?, ?)').run(kind, key, now)
          .lastInsertRowid,
      ),
    /** Writes rows that count nothing, always the same ones: strangers must not push out what counts. */
    writeIdle(rows: number, now: string): void {
      for (let id = -rows; id < 0; id += 1)
        db.prepare("INSERT OR REPLACE INTO share_attempts (id, kind, key, created_at) VALUES (?, 'idle', '', ?)").run(
          id,
          now,
        );
    },
    /** When the attempt was made that uses up a limit of `max` after `since`; undefined if there are fewer. */
    decisive: (kind: string, key: string, since: string, max: number): string | undefined =>
      db
        .prepare(
          `SELECT created_at FROM share_attempts WHERE kind = ? AND key = ? AND created_at > ?
            ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
        )
        .pluck()
        .get(kind, key, since, max - 1) as string | undefined,
    /** How many there are after `since`. */
    count: (kind: string, key: string, since: string): number =>
      db
        .prepare('SELECT count(*) FROM share_attempts WHERE kind = ? AND key = ? AND created_at > ?')
        .pluck()
        .get(kind, key, since) as number,
    remove: (ids: readonly number[]): void =>
      void db
        .prepare('DELETE FROM share_attempts WHERE id IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(ids)),
    /** Forgets attempts under a key, and under those that begin with it and a space. */
    forget: (kind: string, key: string): void =>
      void db
        .prepare(
          "DELETE FROM share_attempts WHERE kind = ?1 AND (key = ?2 OR substr(key, 1, length(?2) + 1) = ?2 || ' ')",
        )
        .run({ 1: kind, 2: key }),
    prune(before: string): void {
      db.prepare('DELETE FROM share_attempts WHERE created_at <= ?').run(before);
      db.prepare(
        'DELETE FROM share_attempts WHERE id <= (SELECT id FROM share_attempts ORDER BY id DESC LIMIT 1 OFFSET ?)',
      ).run(MAX_ROWS);
    },
  };
}
