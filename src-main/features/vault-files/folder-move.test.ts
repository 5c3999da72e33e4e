import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addDocument,
  commitAndDie,
  filesOf,
  openTestVault,
  putFile,
  type TestVault,
} from '../../../test/support/vault.ts';
import { verifyVault } from '../../platform/vault/verify.ts';

const opened: TestVault[] = [];
const open = (root?: string): TestVault => {
  const vault = openTestVault(root);
  opened.push(vault);
  return vault;
};
afterEach(() => {
  for (const vault of opened.splice(0)) vault.close();
});

const FROM = 'patients/elena/2024',
  TO = 'patients/elena/archive/old';
/** A folder whose move is planned but not applied, with the paths of rows changed in the same transaction. */
function promised(): TestVault {
  const t = open();
  for (const name of ['a.pdf', 'deep/b.pdf']) addDocument(t, `${FROM}/${name}`, name);
  putFile(t.root, `${FROM}/stray.txt`, 'stray');
  commitAndDie(t, () => {
    t.vault.journal.planMove(FROM, TO);
    t.db.prepare('UPDATE documents SET file_path = ? || substr(file_path, ?)').run(TO, FROM.length + 1);
  });
  return t;
}
const MOVED = { [`${TO}/a.pdf`]: 'a.pdf', [`${TO}/deep/b.pdf`]: 'deep/b.pdf', [`${TO}/stray.txt`]: 'stray' };
const left = ({ db }: TestVault): unknown => db.prepare('SELECT count(*) FROM vault_journal').pluck().get();

describe('a journaled move of a folder', () => {
  test('moves at the next start if the process was killed before', async () => {
    const t = promised();
    // Before the move is applied, verification finds no fault, because a planned move names the folder.
    expect((await verifyVault(t.db, t.root)).faults).toEqual([]);
    const again = open(t.root);
    expect([filesOf(t.root), left(again)]).toEqual([MOVED, 0]);
    expect((await verifyVault(again.db, t.root)).faults).toEqual([
      { kind: 'foreign', path: `${TO}/stray.txt`, same_as: null },
    ]);
  });

  test('does not move twice if the process was killed after', () => {
    const t = promised();
    mkdirSync(join(t.root, 'patients/elena/archive'));
    renameSync(join(t.root, FROM), join(t.root, TO));
    expect([filesOf(open(t.root).root), left(t)]).toEqual([MOVED, 0]);
  });

  test('does not overwrite a newer folder, whose files remain under another name', () => {
    const t = promised();
    putFile(t.root, `${TO}/came.txt`, 'meanwhile');
    t.vault.journal.apply();
    expect(filesOf(t.root)).toEqual({ ...MOVED, [`${TO}-2/came.txt`]: 'meanwhile' });
  });

  test('moves before changes of its files, and after earlier moves into it', () => {
    const t = open();
    putFile(t.root, `${FROM}/a.pdf`, 'a');
    putFile(t.root, 'tmp/new', 'new');
    commitAndDie(t, () => {
      t.vault.journal.planMove('tmp/new', `${FROM}/new.pdf`);
      t.vault.journal.planMove(FROM, TO);
      t.vault.journal.planMove(`${TO}/a.pdf`, 'trash/1/0.pdf');
    });
    t.vault.journal.apply();
    expect([filesOf(t.root), left(t)]).toEqual([{ [`${TO}/new.pdf`]: 'new', 'trash/1/0.pdf': 'a' }, 0]);
  });

  test('reserves the names of its files while it waits, and no others', () => {
    const t = promised();
    expect([t.vault.freePath(`${TO}/deep`, 'b.pdf'), t.vault.freePath(TO, 'new.pdf')]).toEqual([
      `${TO}/deep/b-2.pdf`,
      `${TO}/new.pdf`,
    ]);
    // Files added to the old folder in the meantime are not moved, and stay there.
    putFile(t.root, 'tmp/late', 'late');
    const path = t.vault.freePath(FROM, 'late.pdf');
    t.vault.transaction(() => t.vault.journal.planMove('tmp/late', path));
    expect(filesOf(t.root)).toEqual({ ...MOVED, [`${FROM}/late.pdf`]: 'late' });
  });
});

test('finds the next free number among hundreds of equal file names, also in a gap', () => {
  const t = openTestVault();
  try {
    const path = (n: number): string => `patients/a/2025/x${n === 1 ? '' : `-${n}`}.pdf`;
    for (let n = 1; n <= 300; n += 1) if (n !== 250) addDocument(t, path(n), `${n}`);
    putFile(t.root, path(301), 'a foreign file');
    expect(t.vault.freePath('patients/a/2025', 'x.pdf')).toBe(path(250));
    addDocument(t, path(250), '250');
    expect(t.vault.freePath('patients/a/2025', 'x.pdf')).toBe(path(302));
    expect(t.vault.freePath('patients/a/2025', 'x.pdf', path(77))).toBe(path(77));
  } finally {
    t.close();
  }
});
