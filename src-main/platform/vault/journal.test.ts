import { existsSync, linkSync, mkdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { commitAndDie, filesOf, openTestVault, putFile, type TestVault } from '../../../test/support/vault.ts';
import { hasPendingMove } from './journal.ts';

const opened: TestVault[] = [];
const open = (root?: string): TestVault => {
  const vault = openTestVault(root);
  opened.push(vault);
  return vault;
};
afterEach(() => {
  for (const vault of opened.splice(0)) vault.close();
});

type Change = [from: string, to: string | null];
/** Changes as the journal groups them: no path twice within one batch. */
interface Scenario {
  name: string;
  files: Record<string, string>;
  batches: Change[][];
  after: Record<string, string>;
}

const SCENARIOS: Scenario[] = [
  {
    name: 'an upload',
    files: { 'tmp/u': 'new' },
    batches: [[['tmp/u', 'inbox/user-1/a.pdf']]],
    after: { 'inbox/user-1/a.pdf': 'new' },
  },
  {
    name: 'a replaced file',
    files: { 'patients/a/x.pdf': 'old', 'tmp/n': 'new' },
    batches: [[['patients/a/x.pdf', 'trash/1/0.pdf']], [['tmp/n', 'patients/a/x.pdf']]],
    after: { 'trash/1/0.pdf': 'old', 'patients/a/x.pdf': 'new' },
  },
  {
    name: 'two files that change places',
    files: { 'patients/a/1.pdf': 'one', 'patients/a/2.pdf': 'two' },
    batches: [
      [['patients/a/1.pdf', 'tmp/s']],
      [['patients/a/2.pdf', 'patients/a/1.pdf']],
      [['tmp/s', 'patients/a/2.pdf']],
    ],
    after: { 'patients/a/1.pdf': 'two', 'patients/a/2.pdf': 'one' },
  },
  {
    name: 'a purge of several',
    files: { 'trash/1/0.pdf': 'x', 'trash/1/1.pdf': 'y', 'trash/2/0.pdf': 'z' },
    batches: [
      [
        ['trash/1/0.pdf', null],
        ['trash/1/1.pdf', null],
      ],
    ],
    after: { 'trash/2/0.pdf': 'z' },
  },
  {
    name: 'a patient that moves',
    files: { 'patients/a/1.pdf': 'one', 'patients/a/2.pdf': 'two', 'inbox/a/3.pdf': 'three' },
    batches: [
      [
        ['patients/a/1.pdf', 'trash/4/0.pdf'],
        ['patients/a/2.pdf', 'trash/4/1.pdf'],
        ['inbox/a/3.pdf', 'trash/4/2.pdf'],
      ],
    ],
    after: { 'trash/4/0.pdf': 'one', 'trash/4/1.pdf': 'two', 'trash/4/2.pdf': 'three' },
  },
];

/**
 * The single file operations in order; a process can die before each of them. Within a batch, new names are created
 * before old ones are removed; or each file is moved separately.
 */
function acts({ db, root }: TestVault, { batches }: Scenario, order: 'together' | 'one by one'): (() => void)[] {
  let first = 1;
  return batches.flatMap((batch) => {
    const ids = batch.map((_change, index) => first + index);
    first += batch.length;
    const changes = batch.map(([from, to]) => ({
      give:
        to === null
          ? []
          : [
              () => {
                mkdirSync(dirname(join(root, to)), { recursive: true });
                linkSync(join(root, from), join(root, to));
              },
            ],
      drop: () => unlinkSync(join(root, from)),
    }));
    const moves =
      order === 'one by one'
        ? changes.flatMap(({ give, drop }) => [...give, drop])
        : [...changes.flatMap(({ give }) => give), ...changes.map(({ drop }) => drop)];
    return [...moves, () => ids.forEach((id) => db.prepare('DELETE FROM vault_journal WHERE id = ?').run(id))];
  });
}

describe.each(SCENARIOS)('$name, killed', (scenario) => {
  const total = scenario.batches.reduce(
    (sum, batch) => sum + batch.reduce((acts, [, to]) => acts + (to === null ? 1 : 2), 1),
    0,
  );
  const isAlone = scenario.batches.every((batch) => batch.length === 1);
  const orders = isAlone ? (['together'] as const) : (['together', 'one by one'] as const);
  test.each(orders.flatMap((order) => Array.from({ length: total + 1 }, (_, done) => ({ order, done }))))(
    'after $done acts ($order), ends as promised at the next start',
    ({ order, done }) => {
      const t = open();
      for (const [path, bytes] of Object.entries(scenario.files)) putFile(t.root, path, bytes);
      commitAndDie(t, () => {
        for (const [from, to] of scenario.batches.flat()) t.vault.journal.planMove(from, to);
      });
      const all = acts(t, scenario, order);
      expect(all).toHaveLength(total);
      for (const act of all.slice(0, done)) act();
      t.db.close();

      const next = open(t.root);
      expect(filesOf(next.root)).toEqual(scenario.after);
      expect(next.db.prepare('SELECT count(*) FROM vault_journal').pluck().get()).toBe(0);
    },
  );
});

test('moves nothing if the transaction fails', () => {
  const t = open();
  putFile(t.root, 'tmp/u', 'new');
  expect(() =>
    t.vault.transaction(() => {
      t.vault.journal.planMove('tmp/u', 'inbox/user-1/a.pdf');
      throw new Error('no row');
    }),
  ).toThrow('no row');
  expect(filesOf(t.root)).toEqual({ 'tmp/u': 'new' });
});

test('applies planned moves after the outermost transaction, and none after a rollback', () => {
  const t = open();
  for (const name of ['u', 'v']) putFile(t.root, `tmp/${name}`, name);
  t.db.transaction(() => {
    t.vault.transaction(() => t.vault.journal.planMove('tmp/u', 'inbox/user-1/u.pdf'));
    expect(t.vault.journal.hasPendingMoveTo('inbox/user-1/u.pdf')).toBe(true);
    expect(filesOf(t.root)).toEqual({ 'tmp/u': 'u', 'tmp/v': 'v' });
  });
  expect(t.vault.journal.hasPendingMoveTo('inbox/user-1/u.pdf')).toBe(false);
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/u.pdf': 'u', 'tmp/v': 'v' });
  expect(() =>
    t.db.transaction(() => {
      t.vault.transaction(() => t.vault.journal.planMove('tmp/v', 'inbox/user-1/v.pdf'));
      throw new Error('back');
    }),
  ).toThrow('back');
  t.db.transaction(() => undefined);
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/u.pdf': 'u', 'tmp/v': 'v' });
});

test('rejects moves outside a transaction and outside the vault', () => {
  const { vault, db } = open();
  expect(() => vault.journal.planMove('tmp/u', 'inbox/a')).toThrow('within a transaction');
  for (const path of ['../a', '/etc/passwd', 'inbox/../../a', 'C:/a', 'a\\..\\b', 'inbox/nul.pdf']) {
    expect(() => db.transaction(() => vault.journal.planMove('tmp/u', path)), path).toThrow(
      expect.objectContaining({ code: 'vault.path_outside' }),
    );
    expect(() => db.transaction(() => vault.journal.planMove(path, 'inbox/a')), path).toThrow(
      expect.objectContaining({ code: 'vault.path_outside' }),
    );
  }
});

test('sets a foreign file at the target aside and never overwrites it', () => {
  const t = open();
  putFile(t.root, 'tmp/u', 'new');
  putFile(t.root, 'inbox/user-1/a.pdf', 'foreign');
  t.vault.transaction(() => t.vault.journal.planMove('tmp/u', 'inbox/user-1/a.pdf'));
  expect(filesOf(t.root)).toEqual({ 'inbox/user-1/a.pdf': 'new', 'inbox/user-1/a-2.pdf': 'foreign' });
});

test('keeps a file that takes the place of a deleted one in the same transaction', () => {
  const t = open();
  putFile(t.root, 'patients/a/x.pdf', 'old');
  putFile(t.root, 'tmp/n', 'new');
  t.vault.transaction(() => {
    t.vault.journal.planMove('patients/a/x.pdf', null);
    t.vault.journal.planMove('tmp/n', 'patients/a/x.pdf');
  });
  expect(filesOf(t.root)).toEqual({ 'patients/a/x.pdf': 'new' });
});

test('removes temporary files without a planned move at startup', () => {
  const t = open();
  putFile(t.root, 'tmp/broken-off', 'half');
  putFile(t.root, 'tmp/promised', 'whole');
  commitAndDie(t, () => t.vault.journal.planMove('tmp/promised', 'inbox/a.pdf'));
  t.db.close();
  expect(filesOf(open(t.root).root)).toEqual({ 'inbox/a.pdf': 'whole' });
});

test('removes folders that a move empties, up to the patient', () => {
  const t = open();
  putFile(t.root, 'patients/a/2025/hip/1.pdf', 'one');
  t.vault.transaction(() => t.vault.journal.planMove('patients/a/2025/hip/1.pdf', 'patients/b/2025/1.pdf'));
  expect(() => mkdirSync(join(t.root, 'patients/a/2025'))).not.toThrow();
});

describe('a planned move', () => {
  /** The journal while these moves are planned and not yet applied. */
  const planned = (t: TestVault, ...moves: [from: string, to: string | null][]): TestVault['vault']['journal'] => {
    commitAndDie(t, () => {
      for (const [from, to] of moves) t.vault.journal.planMove(from, to);
    });
    return t.vault.journal;
  };
  const rows = (t: TestVault): unknown[] => t.db.prepare('SELECT from_path, to_path FROM vault_journal').raw().all();

  test('is not stored if both paths are the same', () => {
    const t = open();
    planned(t, ['tmp/a', 'tmp/a']);
    expect(rows(t)).toEqual([]);
  });

  test('is stored with the time of the clock', () => {
    const t = open();
    planned(t, ['tmp/a', null]);
    expect(t.db.prepare('SELECT * FROM vault_journal').get()).toMatchObject({
      from_path: 'tmp/a',
      to_path: null,
      created_at: '2026-11-21T08:00:00',
    });
  });

  test('mentions its own paths, and brings a file to the new one only', () => {
    const t = open();
    const journal = planned(t, ['tmp/a', 'inbox/user-1/a.pdf'], ['tmp/b', null]);
    const paths = ['tmp/a', 'inbox/user-1/a.pdf', 'tmp/b', 'inbox/user-1', 'inbox/user-1/a.pdf/x', 'tmp/c'];
    expect(paths.map((path) => journal.mentions(path))).toEqual([true, true, true, false, false, false]);
    expect(paths.map((path) => journal.hasPendingMoveTo(path))).toEqual([false, true, false, false, false, false]);
    expect(paths.map((path) => hasPendingMove(t.db, path))).toEqual([true, true, true, false, true, false]);
  });

  test('of a folder brings the files that are in it', () => {
    const t = open();
    putFile(t.root, 'patients/a/old/sub/1.pdf', 'one');
    const journal = planned(t, ['patients/a/old', 'patients/a/new']);
    expect(
      ['sub/1.pdf', 'sub', 'sub/2.pdf', '1.pdf'].map((name) => journal.hasPendingMoveTo(`patients/a/new/${name}`)),
    ).toEqual([true, true, false, false]);
    expect([journal.mentions('patients/a/new/sub/1.pdf'), journal.mentions('patients/a/old/sub/1.pdf')]).toEqual([
      true,
      false,
    ]);
    expect(journal.hasPendingMoveTo('patients/a/newer/sub/1.pdf')).toBe(false);
    expect(journal.apply()).toBe(0);
    expect(filesOf(t.root)).toEqual({ 'patients/a/new/sub/1.pdf': 'one' });
  });

  test('waits with those that follow it on the same paths, above or below them', () => {
    const t = open();
    for (const name of ['a', 'b', 'c', 'd']) putFile(t.root, `tmp/${name}`, name);
    putFile(t.root, 'patients/x', 'a file in the way of a folder');
    const journal = planned(
      t,
      ['tmp/a', 'patients/x/1/a'],
      ['tmp/b', 'patients/x/1'],
      ['tmp/c', 'patients/x/1/a/c'],
      ['tmp/d', 'patients/y'],
    );
    expect(journal.apply()).toBe(3);
    expect(rows(t)).toEqual([
      ['tmp/a', 'patients/x/1/a'],
      ['tmp/b', 'patients/x/1'],
      ['tmp/c', 'patients/x/1/a/c'],
    ]);
    expect(filesOf(t.root)).toMatchObject({ 'patients/y': 'd', 'tmp/a': 'a', 'tmp/b': 'b', 'tmp/c': 'c' });
  });

  test('counts at startup as applied, waiting or swept', () => {
    const t = open();
    for (const name of ['a', 'b', 'left']) putFile(t.root, `tmp/${name}`, name);
    mkdirSync(join(t.root, 'tmp/folder'));
    putFile(t.root, 'patients/x', 'a file in the way of a folder');
    const journal = planned(t, ['tmp/a', 'inbox/a'], ['tmp/b', 'patients/x/b']);
    expect(journal.recover()).toEqual({ applied: 1, waiting: 1, removed: 1 });
    expect(filesOf(t.root)).toEqual({ 'inbox/a': 'a', 'tmp/b': 'b', 'patients/x': 'a file in the way of a folder' });
    expect(existsSync(join(t.root, 'tmp/folder'))).toBe(true);
  });

  test.each([
    ['patients/a/2025/hip/1.pdf', ['patients/a']],
    ['unclassified/user-1/x/1.pdf', ['unclassified/user-1']],
    ['trash/7/0.pdf', ['trash']],
    ['inbox/user-1/scans/1.pdf', ['inbox/user-1/scans']],
    ['patients/1.pdf', ['patients']],
  ])('of %s leaves the folders from %s on upwards', (path, [remaining]) => {
    const t = open();
    putFile(t.root, path, 'one');
    t.vault.transaction(() => t.vault.journal.planMove(path, null));
    const folders = path.split('/').slice(0, -1);
    const left = folders
      .map((_, i) => folders.slice(0, i + 1).join('/'))
      .filter((one) => existsSync(join(t.root, one)));
    expect(left.at(-1)).toBe(remaining);
  });

  test('leaves a folder that still has a file, and those above it', () => {
    const t = open();
    putFile(t.root, 'patients/a/2025/hip/1.pdf', 'one');
    putFile(t.root, 'patients/a/2025/2.pdf', 'two');
    t.vault.transaction(() => t.vault.journal.planMove('patients/a/2025/hip/1.pdf', null));
    expect([existsSync(join(t.root, 'patients/a/2025/hip')), filesOf(t.root)]).toEqual([
      false,
      { 'patients/a/2025/2.pdf': 'two' },
    ]);
  });
});
