import Database from 'better-sqlite3';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Small databases whose pages are linked so that reading them never ends, or takes gigabytes. */

const PAGE_BYTES = 4096;
/** SQLite follows at most 20 levels of a tree. */
const LEVELS = 16;
const CHILDREN = 200;

/** The pages of a file, numbered from 1. */
type Pages = (number: number) => Buffer;

/** The bytes of a database whose pages are changed after it was filled. */
function databaseOf(
  fill: (db: Database.Database) => void,
  change: (page: Pages, db: Database.Database) => void,
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-hostile-'));
  const file = join(folder, 'db.sqlite');
  try {
    const db = new Database(file);
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = OFF');
    fill(db);
    const bytes = readFileSync(file);
    change((number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES), db);
    db.close();
    return bytes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rootOf = (db: Database.Database, table: string): number =>
  db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number;

/** An interior page of a table all of whose children are one page (sqlite.org/fileformat2, 1.6). */
function writeInteriorPage(page: Buffer, child: number): void {
  page.fill(0);
  page[0] = 5;
  page.writeUInt16BE(CHILDREN, 3);
  page.writeUInt16BE(PAGE_BYTES - CHILDREN * 5, 5);
  page.writeUInt32BE(child, 8);
  for (let i = 0; i < CHILDREN; i += 1) {
    const at = PAGE_BYTES - (i + 1) * 5;
    page.writeUInt16BE(at, 12 + i * 2);
    page.writeUInt32BE(child, at);
    page[at + 4] = 1;
  }
}

/**
 * A table with one stored row that a scan returns 200^16 times: on each level of its tree, all children are the same
 * page. `create` makes the table and its row.
 */
export function endlessTable(table: string, create: string): Buffer {
  const filler = `CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(${PAGE_BYTES * (LEVELS + 4)}));`;
  return databaseOf(
    (db) => db.exec(create + filler),
    (page, db) => {
      const root = rootOf(db, table);
      const last = page(1).readUInt32BE(28);
      page(last).set(page(root));
      for (let level = 0; level < LEVELS; level += 1)
        writeInteriorPage(page(level === 0 ? root : last - level), level === LEVELS - 1 ? last : last - level - 1);
    },
  );
}

/**
 * A table with rows that all have the same text of 20 MB: they share its overflow pages. `insert` adds a row with the
 * text as its parameter.
 */
export function sharedOverflow(table: string, create: string, insert: string, rows: number): Buffer {
  const text = 'x'.repeat(20 * 2 ** 20);
  return databaseOf(
    (db) => void db.exec(create).prepare(insert).run(text),
    (page, db) => {
      const leaf = page(rootOf(db, table));
      const cell = leaf.readUInt16BE(8);
      leaf.writeUInt16BE(rows, 3);
      for (let i = 0; i < rows; i += 1) leaf.writeUInt16BE(cell, 8 + i * 2);
    },
  );
}
