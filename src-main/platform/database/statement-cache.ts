import type Sqlite from 'better-sqlite3';

/** Enough for all statements of the program; only texts that vary by their number of values are more. */
const MAX_STATEMENTS = 500;

/** Strings and comments, which stay as they are, or an equals sign before a parameter. */
const BEFORE_PARAMETER = /'[^']*'|"[^"]*"|--[^\n]*|=\s*(?=[?@:$])/g;

/**
 * Writes `= ?` as `= +?`. Otherwise, SQLite plans a statement anew whenever its values change, because a value of 0 or 1
 * could have another best plan; with a join or an order, planning takes five times as long as running
 * (`sqlite3VdbeReprepareOnBind` of SQLite 3.54). The plus changes no value, of whatever type.
 */
export const keepPlan = (sql: string): string =>
  sql.replaceAll(BEFORE_PARAMETER, (part) => (part.startsWith('=') ? `${part}+` : part));

/**
 * Prepares a statement once per text. Of more than `max` texts, the one that was used longest ago is forgotten. A
 * statement keeps its mode (`raw`, `pluck`), so the same text must always be used in the same one.
 */
export function createStatementCache(
  sqlite: Pick<Sqlite.Database, 'prepare'>,
  max = MAX_STATEMENTS,
): { prepare(sql: string): Sqlite.Statement; clear(): void } {
  const statements = new Map<string, Sqlite.Statement>();
  return {
    prepare(sql) {
      const statement = statements.get(sql) ?? sqlite.prepare(keepPlan(sql));
      // A map keeps the order of insertion: the first key is the one that was used longest ago.
      statements.delete(sql);
      statements.set(sql, statement);
      const [oldest] = statements.size > max ? statements.keys() : [];
      if (oldest !== undefined) statements.delete(oldest);
      return statement;
    },
    clear: () => statements.clear(),
  };
}
