import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestPipeline, type TestPipeline } from '../../../test/support/pipeline.ts';
import { itWith } from '../../../test/support/requirements.ts';
import { putFile, testLog } from '../../../test/support/vault.ts';
import { createInboxWatcher, isFinishedName, removeEmptyFolders, type InboxWatcher } from './watch.ts';

let t: TestPipeline, watcher: InboxWatcher;
const createWatcher = (stableMs: number): InboxWatcher =>
  createInboxWatcher({
    root: t.root,
    store: t.documents.store,
    clock: t.clock,
    log: testLog(),
    pollSeconds: 1,
    stableMs,
  });
beforeEach(() => {
  t = openTestPipeline();
  watcher = createWatcher(100);
});
afterEach(async () => {
  await watcher.stop();
  t.close();
});

const pdf = (text: string): string => `%PDF-1.7 ${text}`;
const paths = (): string[] =>
  t.db.prepare('SELECT file_path FROM documents ORDER BY file_path').pluck().all() as string[];
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 75_000, interval: 20 });
/** Files that were added earlier have been processed once the last one is imported. */
async function lastIsTaken(): Promise<void> {
  putFile(t.root, 'inbox/zz-last.pdf', pdf('last'));
  await until(() => expect(paths()).toContain('inbox/zz-last.pdf'));
}

test('imports existing files, with the patient or user of their folder', async () => {
  t.db
    .prepare(
      `INSERT INTO users (id, username, username_key, password_hash, display_name, role, created_at)
        VALUES (3, 'ann', 'ann', 'x', 'Ann', 'admin', 'x')`,
    )
    .run();
  putFile(t.root, 'inbox/elena-keller/from the scanner/2025/a.pdf', pdf('a'));
  putFile(t.root, 'inbox/user-3/b.pdf', pdf('b'));
  putFile(t.root, 'inbox/c.pdf', pdf('c'));
  putFile(t.root, 'inbox/user-99/d.pdf', pdf('d'));
  putFile(t.root, 'inbox/nobody-yet/e.pdf', pdf('e'));
  await watcher.start();
  await until(() => expect(paths()).toHaveLength(5));
  expect(
    t.db.prepare('SELECT file_path, patient_id, uploaded_by_user_id FROM documents ORDER BY file_path').raw().all(),
  ).toEqual([
    ['inbox/c.pdf', null, null],
    ['inbox/elena-keller/from the scanner/2025/a.pdf', 1, null],
    ['inbox/nobody-yet/e.pdf', null, null],
    ['inbox/user-3/b.pdf', null, 3],
    ['inbox/user-99/d.pdf', null, null],
  ]);
  expect(t.jobs()).toHaveLength(5);
  expect(watcher.isActive()).toBe(true);
});

test('imports a file in a new folder', async () => {
  await watcher.start();
  putFile(t.root, 'inbox/elena-keller/deep/er/a.pdf', pdf('a'));
  await until(() => expect(paths()).toEqual(['inbox/elena-keller/deep/er/a.pdf']));
});

test.each([1, 2, 3, 4, 5, 6])('imports a file of a folder that is created %i turns after its start', async (turns) => {
  const started = watcher.start();
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  putFile(t.root, 'inbox/elena-keller/a.pdf', pdf('a'));
  await started;
  await until(() => {
    // Less than the time between two later scans.
    t.clock.advance(100);
    expect(paths()).toEqual(['inbox/elena-keller/a.pdf']);
  });
});

test('imports a growing file once it is complete', async () => {
  // Longer than a busy machine pauses between two parts.
  watcher = createWatcher(2500);
  await watcher.start();
  const path = join(t.root, 'inbox/elena-keller/slow.pdf');
  putFile(t.root, 'inbox/elena-keller/slow.pdf', pdf(''));
  for (let part = 0; part < 20; part += 1) {
    appendFileSync(path, 'x'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await until(() =>
    expect(t.db.prepare('SELECT file_size FROM documents').pluck().all()).toEqual([pdf('').length + 2000]),
  );
});

test('ignores unfinished and hidden files until they are renamed', async () => {
  const left = ['a.pdf.part', 'b.pdf.crdownload', '~$c.pdf', '.d.pdf', 'e.tmp', '.hidden/f.pdf'];
  for (const name of left) putFile(t.root, `inbox/elena-keller/${name}`, pdf(name));
  await watcher.start();
  await lastIsTaken();
  expect(paths()).toEqual(['inbox/zz-last.pdf']);
  renameSync(join(t.root, 'inbox/elena-keller/a.pdf.part'), join(t.root, 'inbox/elena-keller/a.pdf'));
  await until(() => expect(paths()).toEqual(['inbox/elena-keller/a.pdf', 'inbox/zz-last.pdf']));
});

itWith({ symlinks: true }, 'ignores linked files', async () => {
  putFile(t.root, 'outside.pdf', pdf('linked'));
  mkdirSync(join(t.root, 'inbox/elena-keller'));
  symlinkSync(join(t.root, 'outside.pdf'), join(t.root, 'inbox/elena-keller/link.pdf'));
  await watcher.start();
  await lastIsTaken();
  expect(paths()).toEqual(['inbox/zz-last.pdf']);
});

test('ignores a file that already has a row', async () => {
  const id = await t.add('upload.pdf');
  await watcher.start();
  await lastIsTaken();
  expect(t.db.prepare('SELECT count(*) FROM documents').pluck().get()).toBe(2);
  expect(t.row(id).file_path).toBe('inbox/elena-keller/upload.pdf');
});

test('moves a duplicate and an unsupported file to the trash', async () => {
  putFile(t.root, 'inbox/elena-keller/1.pdf', pdf('same'));
  await watcher.start();
  await until(() => expect(paths()).toHaveLength(1));
  putFile(t.root, 'inbox/elena-keller/2.pdf', pdf('same'));
  putFile(t.root, 'inbox/elena-keller/notes.txt', 'no document');
  await until(() =>
    expect(t.db.prepare('SELECT label FROM trash ORDER BY label').pluck().all()).toEqual(['2.pdf', 'notes.txt']),
  );
  expect(readdirSync(join(t.root, 'inbox/elena-keller'))).toEqual(['1.pdf']);
});

test('ignores a file that disappears again', async () => {
  await watcher.start();
  putFile(t.root, 'inbox/elena-keller/a.pdf', pdf('a'));
  rmSync(join(t.root, 'inbox/elena-keller/a.pdf'));
  await lastIsTaken();
  expect(paths()).toEqual(['inbox/zz-last.pdf']);
});

test('finds a file without a change event by scanning, once it no longer changes', async () => {
  let isMissed = true;
  const store = {
    adopt: t.documents.store.adopt.bind(t.documents.store),
    adoptDisc: t.documents.store.adoptDisc.bind(t.documents.store),
    knows: (path: string) => (isMissed && path.endsWith('/missed.pdf')) || t.documents.store.knows(path),
  };
  watcher = createInboxWatcher({
    root: t.root,
    store,
    clock: t.clock,
    log: testLog(),
    pollSeconds: 1,
    stableMs: 100,
    scanIntervalMs: 1000,
  });
  putFile(t.root, 'inbox/elena-keller/missed.pdf', pdf('missed'));
  await watcher.start();
  await lastIsTaken();
  expect(paths()).toEqual(['inbox/zz-last.pdf']);
  isMissed = false;
  await until(() => {
    t.clock.advance(1000);
    expect(paths()).toEqual(['inbox/elena-keller/missed.pdf', 'inbox/zz-last.pdf']);
  });
});

test('imports a file with an invalid name under a valid one', async () => {
  await watcher.start();
  for (const name of ['CON.pdf', 'back\\slash.pdf', 'line\nbreak.pdf', 'scans. /deep.pdf'])
    putFile(t.root, `inbox/elena-keller/${name}`, pdf(name));
  await until(() => expect(paths()).toHaveLength(4));
  expect(paths()).toEqual(['CON-file', 'deep', 'linebreak', 'slash'].map((name) => `inbox/elena-keller/${name}.pdf`));
});

test('removes empty folders, but not the inbox and folders with files', () => {
  mkdirSync(join(t.root, 'inbox/elena-keller/a/b'), { recursive: true });
  putFile(t.root, 'inbox/user-1/c/half.pdf.part', 'x');
  removeEmptyFolders(join(t.root, 'inbox'));
  expect(readdirSync(join(t.root, 'inbox'), { recursive: true })).toEqual([
    'user-1',
    'user-1/c',
    'user-1/c/half.pdf.part',
  ]);
});

test.each([
  ['scan.pdf', true],
  ['partial report.pdf', true],
  ['a/b/scan.pdf', true],
  ['scan.pdf.part', false],
  ['scan.PARTIAL', false],
  ['Unconfirmed 1.crdownload', false],
  ['~$letter.docx', false],
  ['~lock.pdf', false],
  ['.DS_Store', false],
  ['Thumbs.db', false],
  ['desktop.ini', false],
  ['x.tmp', false],
  ['.stfolder/a.pdf', false],
])('%s was put there on purpose: %s', (path, finished) => {
  expect(isFinishedName(path)).toBe(finished);
});

test('creates a removed inbox again and imports later files', async () => {
  putFile(t.root, 'inbox/elena-keller/a.pdf', pdf('a'));
  await watcher.start();
  await until(() => expect(paths()).toEqual(['inbox/elena-keller/a.pdf']));
  rmSync(join(t.root, 'inbox'), { recursive: true });
  // Removing empty folders at that moment must do no harm.
  t.clock.advance(11 * 60_000);
  await until(() => expect(readdirSync(t.root)).toContain('inbox'));
  await until(() => expect(watcher.isActive()).toBe(true));
  // It is still listing the new folder, so the event of this file can be lost; a scan then finds the file.
  putFile(t.root, 'inbox/elena-keller/b.pdf', pdf('b'));
  await until(() => {
    t.clock.advance(30_000);
    expect(paths()).toContain('inbox/elena-keller/b.pdf');
  });
});
