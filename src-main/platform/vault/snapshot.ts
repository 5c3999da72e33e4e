import type { Database } from '../database/connection.ts';

export type RowValues = Record<string, unknown>;

/**
 * Rows of one table in insertion order. With `relink`, only that column is restored: the rows still exist, but the
 * deletion cleared their reference.
 */
export interface TableRows {
  table: string;
  rows: RowValues[];
  relink?: string;
}

/** A table whose rows can outlive the row that they refer to. */
export type StayingTable = 'lab_results';

interface Reference {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
  onDelete: string;
}

/** Never part of a snapshot: unfinished work ends with the document, and vectors are made again. */
const TRANSIENT = new Set(['jobs', 'job_artifacts', 'document_vectors', 'passage_vectors']);
/**
 * References that the schema clears on delete, but whose rows are moved to the trash together with the deleted record.
 */
const OWNED = new Set(['lab_results.document_id']);

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** All foreign keys, as listed by the database. */
function references(db: Database): Reference[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES%'")
    .pluck()
    .all() as string[];
  return tables.flatMap((table) => {
    const keys = db.sqlite.pragma(`foreign_key_list(${quote(table)})`) as {
      table: string;
      from: string;
      to: string | null;
      on_delete: string;
    }[];
    return keys.map((key) => ({
      table,
      column: key.from,
      parent: key.table,
      parentColumn: key.to ?? 'id',
      onDelete: key.on_delete,
    }));
  });
}

const isOwning = (reference: Reference): boolean =>
  OWNED.has(`${reference.table}.${reference.column}`) || !['SET NULL', 'SET DEFAULT'].includes(reference.onDelete);

/**
 * Collects rows with everything that belongs to them by the schema, parents first, and the references that the deletion
 * clears. Returns nothing if the first row is missing. Rows of a `staying` table lose their reference instead.
 */
export function collectRows(
  db: Database,
  roots: readonly { table: string; id: number }[],
  staying: StayingTable | null = null,
): TableRows[] {
  const all = references(db).filter((reference) => !TRANSIENT.has(reference.table));
  const seen = new Map<string, Set<number>>();
  const found: { table: string; rows: Map<number, RowValues> }[] = [];
  const relinks: { reference: Reference; rows: Map<number, RowValues> }[] = [];

  const select = (table: string, column: string, values: readonly unknown[]): Map<number, RowValues> => {
    const rows = db
      .prepare(
        `SELECT rowid AS "@rowid", * FROM ${quote(table)} WHERE ${quote(column)} IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(values)) as (RowValues & { '@rowid': number })[];
    return new Map(rows.map(({ '@rowid': rowid, ...row }) => [rowid, row]));
  };
  const take = (table: string, rows: Map<number, RowValues>): RowValues[] => {
    const seenRowIds = seen.get(table) ?? new Set<number>();
    seen.set(table, seenRowIds);
    const fresh = new Map([...rows].filter(([rowid]) => !seenRowIds.has(rowid)));
    for (const rowid of fresh.keys()) seenRowIds.add(rowid);
    if (fresh.size > 0) found.push({ table, rows: fresh });
    return [...fresh.values()];
  };
  const follow = (table: string, rows: RowValues[]): void => {
    for (const reference of all.filter((candidate) => candidate.parent === table)) {
      const children = select(
        reference.table,
        reference.column,
        rows.map((row) => row[reference.parentColumn]),
      );
      if (!isOwning(reference) || reference.table === staying) relinks.push({ reference, rows: children });
      else {
        const fresh = take(reference.table, children);
        if (fresh.length > 0) follow(reference.table, fresh);
      }
    }
  };

  for (const { table, id } of roots) {
    follow(table, take(table, select(table, 'rowid', [id])));
    if (found.length === 0) return [];
  }
  const emptied = relinks.flatMap(({ reference, rows }): TableRows[] => {
    const staying = [...rows]
      .filter(([rowid]) => !seen.get(reference.table)?.has(rowid))
      .map(([rowid, row]) => ({ '@rowid': rowid, [reference.column]: row[reference.column] }));
    return staying.length > 0 ? [{ table: reference.table, relink: reference.column, rows: staying }] : [];
  });
  return [
    ...found.map(({ table, rows }) => ({
      table,
      rows: [...rows].map(([rowid, row]) => encode({ '@rowid': rowid, ...row })),
    })),
    ...emptied,
  ];
}

/**
 * Splits a snapshot into one part per row of a table, with everything that belongs to the row and its cleared
 * references (the row itself first), and the rest. A row that belongs to two of them is in the first part.
 */
export function partSnapshot(
  db: Database,
  snapshot: readonly TableRows[],
  table: string,
  ids: ReadonlySet<number>,
): { ownRows: Map<number, TableRows[]>; rest: TableRows[] } {
  const all = references(db);
  const owners = new Map<string, number>();
  const keyOf = (parent: string, column: string, value: unknown): string => JSON.stringify([parent, column, value]);
  function ownerOf(part: TableRows, row: RowValues): number | undefined {
    if (part.table === table && part.relink === undefined)
      return ids.has(Number(row['@rowid'])) ? Number(row['@rowid']) : undefined;
    const above = all.filter(
      (reference) =>
        reference.table === part.table &&
        (part.relink === undefined ? isOwning(reference) : reference.column === part.relink),
    );
    return above
      .map((reference) => owners.get(keyOf(reference.parent, reference.parentColumn, row[reference.column])))
      .find((owner) => owner !== undefined);
  }
  const ownRows = new Map<number, TableRows[]>([...ids].map((id) => [id, []]));
  // Parents come before their children, rows of the table itself first of all.
  const isRoot = (part: TableRows): boolean => part.table === table && part.relink === undefined;
  const rest = new Map(snapshot.map((part): [TableRows, TableRows] => [part, { ...part, rows: [] }]));
  for (const part of [...snapshot.filter(isRoot), ...snapshot.filter((one) => !isRoot(one))]) {
    const columns = new Set(
      all.filter((reference) => reference.parent === part.table).map((reference) => reference.parentColumn),
    );
    const mine = Map.groupBy(part.rows, (row) => {
      const owner = ownerOf(part, row);
      if (owner !== undefined && part.relink === undefined)
        for (const column of columns) owners.set(keyOf(part.table, column, row[column]), owner);
      return owner;
    });
    for (const [owner, rows] of mine) {
      if (owner === undefined) rest.set(part, { ...part, rows });
      else ownRows.get(owner)?.push({ ...part, rows });
    }
  }
  return { ownRows, rest: [...rest.values()].filter(({ rows }) => rows.length > 0) };
}

/** Deletes the rows of a snapshot, children first, within the caller's transaction. */
export function deleteRows(db: Database, snapshot: TableRows[]): void {
  for (const { table, rows } of snapshot.filter((part) => part.relink === undefined).reverse()) {
    const remove = db.prepare(`DELETE FROM ${quote(table)} WHERE rowid = ?`);
    for (const row of rows) remove.run(row['@rowid']);
  }
}

/**
 * Restores the rows of a snapshot under their old ids, within the caller's transaction. References to missing rows are
 * cleared; a row that requires a missing one is skipped.
 */
export function restoreRows(db: Database, snapshot: TableRows[]): void {
  db.sqlite.pragma('defer_foreign_keys = ON');
  const touched = snapshot.map((part, index) => ({
    table: part.table,
    rowids:
      part.relink === undefined
        ? insertRows(db, part.table, part.rows, index === 0)
        : relinkRows(db, part.table, part.relink, part.rows),
  }));
  // Runs twice: removing one row can make another one invalid.
  dropDeadReferences(db, touched);
  dropDeadReferences(db, touched);
}

/**
 * Inserts rows and returns their ids. The first row must be restored; a dependent row is skipped if its key was reused.
 */
function insertRows(db: Database, table: string, rows: RowValues[], isRoot: boolean): number[] {
  return rows.flatMap((row) => {
    const values = decode(row);
    delete values['@rowid'];
    const columns = Object.keys(values);
    const sql =
      `INSERT ${isRoot ? '' : 'OR IGNORE '}INTO ${quote(table)} (${columns.map(quote).join(', ')}) ` +
      `VALUES (${columns.map(() => '?').join(', ')})`;
    const result = db.prepare(sql).run(...Object.values(values));
    return result.changes === 1 ? [Number(result.lastInsertRowid)] : [];
  });
}

function relinkRows(db: Database, table: string, column: string, rows: RowValues[]): number[] {
  const update = db.prepare(
    `UPDATE ${quote(table)} SET ${quote(column)} = ? WHERE rowid = ? AND ${quote(column)} IS NULL`,
  );
  return rows
    .filter((row) => update.run(row[column], row['@rowid']).changes === 1)
    .map((row) => row['@rowid'] as number);
}

function dropDeadReferences(db: Database, touched: { table: string; rowids: number[] }[]): void {
  const all = references(db);
  for (const { table, rowids } of touched) {
    const columns = db.sqlite.pragma(`table_info(${quote(table)})`) as { name: string; notnull: number; pk: number }[];
    for (const reference of all.filter((candidate) => candidate.table === table)) {
      const nullable = columns.some(
        (column) => column.name === reference.column && column.notnull === 0 && column.pk === 0,
      );
      const action = nullable
        ? `UPDATE ${quote(table)} SET ${quote(reference.column)} = NULL`
        : `DELETE FROM ${quote(table)}`;
      const mend = db.prepare(`${action} WHERE rowid = ? AND ${quote(reference.column)} IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${quote(reference.parent)} AS parent WHERE parent.${quote(reference.parentColumn)} = ${quote(table)}.${quote(reference.column)})`);
      for (const rowid of rowids) mend.run(rowid);
    }
  }
}

/** JSON has no bytes: a blob is stored as `{"@base64": …}`. */
const encode = (row: RowValues): RowValues =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { '@base64': value.toString('base64') } : value,
    ]),
  );

const decode = (row: RowValues): RowValues =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null
        ? Buffer.from((value as { '@base64': string })['@base64'], 'base64')
        : value,
    ]),
  );
