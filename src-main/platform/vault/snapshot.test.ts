import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestVault, type TestVault } from '../../../test/support/vault.ts';
import { collectRows, deleteRows, partSnapshot, restoreRows, type TableRows } from './snapshot.ts';

let t: TestVault;
/** A root with owned rows at two levels, a weak reference, a self reference and a column that needs quoting. */
beforeEach(() => {
  t = openTestVault();
  t.db.sqlite.exec(`
    CREATE TABLE root (id INTEGER PRIMARY KEY, code TEXT UNIQUE, bytes BLOB,
      parent_id INTEGER REFERENCES root(id) ON DELETE SET NULL);
    CREATE TABLE child (id INTEGER PRIMARY KEY, root_id INTEGER NOT NULL REFERENCES root(id) ON DELETE CASCADE,
      "odd ""name" TEXT);
    CREATE TABLE grandchild (child_id INTEGER NOT NULL REFERENCES child(id) ON DELETE CASCADE, n INTEGER);
    CREATE TABLE weak (id INTEGER PRIMARY KEY, root_id INTEGER REFERENCES root(id) ON DELETE SET NULL);
    CREATE TABLE coded (id INTEGER PRIMARY KEY, root_code TEXT REFERENCES root(code) ON DELETE CASCADE);
  `);
});
afterEach(() => t.close());

const run = (sql: string): void => void t.db.sqlite.exec(sql);
const all = (table: string): unknown[] => t.db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
const collect = (id: number, table = 'root'): TableRows[] => collectRows(t.db, [{ table, id }]);
const TABLES = ['root', 'child', 'grandchild', 'weak', 'coded'];
const state = (): unknown[] => TABLES.map(all);

/** Deletes rows as the trash does. */
function remove(snapshot: TableRows[]): void {
  t.db.transaction(() => deleteRows(t.db, snapshot));
}
const restore = (snapshot: TableRows[]): void => t.db.transaction(() => restoreRows(t.db, snapshot));

function fill(): void {
  run(`INSERT INTO root (id, code, bytes) VALUES (1, 'a', x'00ff'), (2, 'b', NULL);
    INSERT INTO root (id, code, parent_id) VALUES (3, 'c', 1);
    INSERT INTO child VALUES (10, 1, 'x'), (11, 1, NULL), (12, 2, 'y');
    INSERT INTO grandchild (rowid, child_id, n) VALUES (100, 10, 5), (101, 12, 6);
    INSERT INTO weak VALUES (20, 1), (21, 2), (22, NULL);
    INSERT INTO coded VALUES (30, 'a'), (31, 'b');`);
}

describe('a snapshot', () => {
  test('has the row first, then the rows it owns, then the references that the deletion clears', () => {
    fill();
    const snapshot = collect(1);
    expect(snapshot[0]).toEqual({
      table: 'root',
      rows: [{ '@rowid': 1, id: 1, code: 'a', bytes: { '@base64': 'AP8=' }, parent_id: null }],
    });
    expect(snapshot.slice(1)).toHaveLength(5);
    expect(snapshot).toContainEqual({
      table: 'child',
      rows: [
        { '@rowid': 10, id: 10, root_id: 1, 'odd "name': 'x' },
        { '@rowid': 11, id: 11, root_id: 1, 'odd "name': null },
      ],
    });
    expect(snapshot).toContainEqual({ table: 'grandchild', rows: [{ '@rowid': 100, child_id: 10, n: 5 }] });
    expect(snapshot).toContainEqual({ table: 'coded', rows: [{ '@rowid': 30, id: 30, root_code: 'a' }] });
    expect(
      snapshot.filter((part) => part.relink !== undefined).toSorted((a, b) => (a.table < b.table ? -1 : 1)),
    ).toEqual([
      { table: 'root', relink: 'parent_id', rows: [{ '@rowid': 3, parent_id: 1 }] },
      { table: 'weak', relink: 'root_id', rows: [{ '@rowid': 20, root_id: 1 }] },
    ]);
    expect(snapshot.findIndex((part) => part.table === 'child')).toBeLessThan(
      snapshot.findIndex((part) => part.table === 'grandchild'),
    );
  });

  test('of a missing row is empty, also beside others', () => {
    fill();
    expect(collect(99)).toEqual([]);
    expect(
      collectRows(t.db, [
        { table: 'root', id: 99 },
        { table: 'root', id: 1 },
      ]),
    ).toEqual([]);
    expect(
      collectRows(t.db, [
        { table: 'root', id: 2 },
        { table: 'root', id: 99 },
      ]),
    ).toEqual(collect(2));
  });

  test('of several rows has each row once, and relinks none that is in it', () => {
    fill();
    const snapshot = collectRows(t.db, [
      { table: 'root', id: 1 },
      { table: 'child', id: 10 },
      { table: 'root', id: 3 },
    ]);
    const ids = snapshot.flatMap((part) =>
      part.rows.map((row) => `${part.table} ${row['@rowid']} ${part.relink ?? ''}`),
    );
    expect(ids.toSorted()).toEqual([
      'child 10 ',
      'child 11 ',
      'coded 30 ',
      'grandchild 100 ',
      'root 1 ',
      'root 3 ',
      'weak 20 root_id',
    ]);
  });

  test('of a document has its lab results, or only their reference if they stay, and no jobs', () => {
    run(`INSERT INTO documents
        (id, file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
        VALUES (1, 'a', 'a', 'application/pdf', 1, 'h', 'done', 'x', 'x');
      INSERT INTO jobs (kind, document_id, priority, size, state, options, created_at)
        VALUES ('upload', 1, 5, 1, 'queued', '{}', 'x');
      INSERT INTO lab_results (id, document_id, test_name_original, value) VALUES (7, 1, 'Ferritin', 23);`);
    const parts = (staying: 'lab_results' | null): unknown[] =>
      collectRows(t.db, [{ table: 'documents', id: 1 }], staying).map(({ table, relink }) => [table, relink]);
    expect(parts(null)).toEqual([
      ['documents', undefined],
      ['lab_results', undefined],
    ]);
    expect(parts('lab_results')).toEqual([
      ['documents', undefined],
      ['lab_results', 'document_id'],
    ]);
  });
});

describe('the rows of a snapshot', () => {
  test('are deleted and restored unchanged', () => {
    fill();
    const before = state();
    const snapshot = JSON.parse(JSON.stringify(collect(1))) as TableRows[];
    remove(snapshot);
    expect(all('root')).toEqual([
      { id: 2, code: 'b', bytes: null, parent_id: null },
      { id: 3, code: 'c', bytes: null, parent_id: null },
    ]);
    expect([all('child'), all('grandchild'), all('coded')].map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(all('weak')).toEqual([
      { id: 20, root_id: null },
      { id: 21, root_id: 2 },
      { id: 22, root_id: null },
    ]);
    restore(snapshot);
    expect(state()).toEqual(before);
  });

  test('are not relinked if another link was set meanwhile, or if the row is missing', () => {
    fill();
    const snapshot = collect(1);
    remove(snapshot);
    run('UPDATE weak SET root_id = 2 WHERE id = 20; DELETE FROM root WHERE id = 3');
    restore(snapshot);
    expect(all('weak')).toContainEqual({ id: 20, root_id: 2 });
    expect(all('root')).toHaveLength(2);
  });

  test('lose a reference to a missing row, or are skipped if they require it', () => {
    fill();
    const snapshot = collect(3);
    remove(snapshot);
    run('UPDATE weak SET root_id = NULL; DELETE FROM child; DELETE FROM coded; DELETE FROM root WHERE id = 1');
    restore(snapshot);
    expect(all('root')).toContainEqual({ id: 3, code: 'c', bytes: null, parent_id: null });
    restore([
      { table: 'child', rows: [{ '@rowid': 40, id: 40, root_id: 77, 'odd "name': null }] },
      { table: 'grandchild', rows: [{ '@rowid': 400, child_id: 40, n: 1 }] },
      { table: 'weak', rows: [{ '@rowid': 41, id: 41, root_id: 77 }] },
    ]);
    expect([all('child'), all('grandchild').length]).toEqual([[], 0]);
    expect(all('weak')).toContainEqual({ id: 41, root_id: null });
    expect(t.db.sqlite.pragma('foreign_key_check')).toEqual([]);
  });

  test('are skipped if other rows use their keys now, except for the first row', () => {
    fill();
    const snapshot = collect(1);
    remove(snapshot);
    run("INSERT INTO child VALUES (10, 2, 'new')");
    restore(snapshot);
    expect(all('child')).toContainEqual({ id: 10, root_id: 2, 'odd "name': 'new' });
    expect(all('child')).toContainEqual({ id: 11, root_id: 1, 'odd "name': null });
    const second = collect(1);
    remove(second);
    run("INSERT INTO root (id, code) VALUES (50, 'a')");
    expect(() => restore(second)).toThrow(/UNIQUE/);
  });
});

describe('the parts of a snapshot', () => {
  const byRow = (parts: readonly TableRows[]): string[] =>
    parts
      .flatMap((part) => part.rows.map((row) => `${part.table} ${row['@rowid']}${part.relink ? ' relink' : ''}`))
      .toSorted();

  test('are each row of a table with the rows it owns, and the rest', () => {
    fill();
    const snapshot = collectRows(t.db, [
      { table: 'root', id: 1 },
      { table: 'root', id: 2 },
    ]);
    const { ownRows, rest } = partSnapshot(t.db, snapshot, 'root', new Set([1]));
    expect([...ownRows.keys()]).toEqual([1]);
    expect(ownRows.get(1)?.[0]).toMatchObject({ table: 'root', rows: [{ '@rowid': 1 }] });
    expect(byRow(ownRows.get(1) ?? [])).toEqual([
      'child 10',
      'child 11',
      'coded 30',
      'grandchild 100',
      'root 1',
      'root 3 relink',
      'weak 20 relink',
    ]);
    expect(byRow(rest)).toEqual(['child 12', 'coded 31', 'grandchild 101', 'root 2', 'weak 21 relink']);
    expect(rest.every((part) => part.rows.length > 0)).toBe(true);
  });

  test('are as many as there are rows to separate, and nothing is lost', () => {
    fill();
    const snapshot = collectRows(t.db, [
      { table: 'root', id: 1 },
      { table: 'root', id: 2 },
    ]);
    const { ownRows, rest } = partSnapshot(t.db, snapshot, 'root', new Set([2, 1]));
    expect([[...ownRows.keys()], rest]).toEqual([[2, 1], []]);
    expect(byRow([...ownRows.values()].flat())).toEqual(byRow(snapshot));
    expect(byRow(partSnapshot(t.db, snapshot, 'root', new Set()).rest)).toEqual(byRow(snapshot));
  });
});
