/** @module-tag long */
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { openBackup } from '../../src-shared/ios-backup/index.ts';
import type { WorkerCall } from '../../src-renderer/features/phone-backups/worker/ios-backup/protocol.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { openBrowser } from '../support/browser.ts';
import { describeWith } from '../support/requirements.ts';
import { photographedPage } from '../support/sample-documents.ts';
import { ENCRYPTED, BACKUP_PASSWORD, PLAIN, phoneClient, phoneFolders } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

const ASSETS = fileURLToPath(new URL('../../dist/renderer/assets/', import.meta.url));
/** Larger than what 32 bits can tell, and than what a page may hold. */
const FAR = 4.3 * 1024 ** 3,
  PAGE = 65_536;
const HUGE = 'Media/PhotoData/Huge.sqlite';
/** What a renderer may have held at most, in all of this. */
const MOST_MEMORY = 700 * 1024 ** 2;

interface Entry {
  file_id: string;
  domain: string;
  relative_path: string;
  size: number;
  mtime: string | null;
  kind: string;
  flags: number;
  protection_class: number | null;
}
interface Listing {
  entries: Entry[];
  hashes: Record<string, string>;
  lists: Record<string, unknown[]>;
}
const LISTS = [
  'contacts',
  'conversations',
  'chats',
  'calls',
  'photos',
  'notes',
  'calendars',
  'history',
  'bookmarks',
  'voicemail',
  'recordings',
  'reminders',
  'health',
  'medications',
  'accounts',
  'apps',
  'healthRecords',
] as const;
const PATHS: Partial<Record<(typeof LISTS)[number], string>> = {
  conversations: 'messages/conversations',
  chats: 'whatsapp/chats',
  healthRecords: 'health/records',
  history: 'safari/history',
  bookmarks: 'safari/bookmarks',
};
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** Rows as text, whatever the order of their fields. */
const inOrder = (rows: readonly unknown[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_name, value: unknown) =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      ),
    )
    .sort();

let folders: Awaited<ReturnType<typeof phoneFolders>>, served: Served, browser: Browser, page: Page;
beforeAll(async () => {
  folders = await phoneFolders(26, [
    {
      domain: 'HomeDomain',
      path: 'odd/bytes.bin',
      content: Buffer.from(Array.from({ length: 70_001 }, (_, index) => (index * 31) % 256)),
    },
    { domain: 'HomeDomain', path: 'odd/empty', content: '' },
    { domain: 'HomeDomain', path: 'odd/extra', content: 'a block more than needed', padding: 'extra' },
    { domain: 'HomeDomain', path: 'odd/gone', content: 'x', missing: true },
    { domain: 'HomeDomain', path: '../../hostile', content: 'not a way out' },
    { domain: 'HomeDomain', path: 'odd', flags: 2 },
    { domain: 'HomeDomain', path: 'odd/link', flags: 4, target: '/etc/passwd' },
    { domain: 'HomeDomain', path: 'odd/future', content: 'x', modifiedAt: 8e15 },
    {
      domain: 'CameraRollDomain',
      path: 'Media/PhotoData/Thumbnails/V2/DCIM/100APPLE/IMG_0001.HEIC/5005.JPG',
      content: await photographedPage(),
    },
  ]);
  served = await serve({ env: folders.env });
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
  await page.goto(`${served.url}/login`);
  await page.evaluate(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', id: 'probe', webkitdirectory: true, multiple: true });
    document.body.append(input);
  });
});
afterAll(async () => {
  await browser?.close();
  await served?.remove();
  folders?.remove();
});

/** Starts the worker that was built, on the folder of backups, and lets it answer calls. */
async function startWorker(): Promise<<T>(call: WorkerCall['call'], ...args: unknown[]) => Promise<T>> {
  const script = readdirSync(ASSETS).find((name) => /^worker-ios-backup-.*\.js$/.test(name));
  await page.locator('#probe').setInputFiles(folders.base);
  await page.evaluate((path) => {
    const worker = new Worker(path, { type: 'module' });
    const waiting = new Map<number, (answer: { value?: unknown; error?: { code: string } }) => void>();
    worker.onmessage = ({ data }) => waiting.get(data.id)?.(data);
    let last = 0;
    Object.assign(window, {
      ask: async (call: string, args: unknown[]) => {
        const id = ++last;
        const place = {
          kind: 'files',
          files: [...((document.getElementById('probe') as HTMLInputElement).files ?? [])],
        };
        const answer = await new Promise<{ value?: unknown; error?: { code: string } }>((resolve) => {
          waiting.set(id, resolve);
          worker.postMessage({ id, call, args: call === 'discover' ? [place] : args });
        });
        if (answer.error) return { error: answer.error.code };
        if (!(answer.value instanceof Uint8Array)) return { value: answer.value };
        const digest = await crypto.subtle.digest('SHA-256', answer.value as Uint8Array<ArrayBuffer>);
        return { value: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
      },
    });
  }, `/assets/${script}`);
  return async <T>(call: WorkerCall['call'], ...args: unknown[]): Promise<T> => {
    const answer = await page.evaluate(
      ([name, values]) =>
        (
          window as unknown as { ask: (name: unknown, values: unknown) => Promise<{ value?: unknown; error?: string }> }
        ).ask(name, values),
      [call, args] as const,
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  };
}

async function fromWorker(): Promise<Listing> {
  const ask = await startWorker();
  await ask('discover');
  await ask('unlock', ENCRYPTED, BACKUP_PASSWORD);
  const { items: entries } = await ask<{ items: Entry[] }>('query', 'files', { query: { limit: '1000' } });
  const hashes: Record<string, string> = {},
    lists: Record<string, unknown[]> = {};
  for (const { file_id: id } of entries)
    hashes[id] = await ask<string>('bytes', id, 0, 1e9).catch((error: Error) => error.message);
  for (const name of LISTS)
    lists[name] = (await ask<{ items: unknown[] }>('query', name, { query: { limit: '1000' } })).items;
  lists.suggestions = (await ask<{ items: unknown[] }>('query', 'suggestions', { query: { limit: '1000' } })).items;
  lists.pictures = [
    await ask<unknown>('query', 'contactPicture', { guid: 'PERSON-1' }),
    await ask<unknown>('query', 'contactPicture', { guid: 'PERSON-2' }),
  ];
  await ask('query', 'integrity', {});
  while ((await ask<{ status: string }>('query', 'integrityState', {})).status === 'running');
  lists.integrityFindings = (await ask<{ items: unknown[] }>('query', 'integrityFindings', {})).items;
  return { entries, hashes, lists };
}

async function fromService(): Promise<Listing> {
  const person = phoneClient(served.backupsUrl);
  await person.post('/backups/refresh');
  const session = await person.unlock(ENCRYPTED);
  await person.index(ENCRYPTED, session);
  const {
    body: { items: entries },
  } = (await person.get(`/backups/${ENCRYPTED}/files?limit=1000`, session)) as { body: { items: Entry[] } };
  const hashes: Record<string, string> = {},
    lists: Record<string, unknown[]> = {};
  for (const { file_id: id } of entries) {
    const { status, bytes } = await person.get(`/backups/${ENCRYPTED}/file/${id}`, session);
    hashes[id] = status === 200 ? hash(bytes) : 'refused';
  }
  for (const name of LISTS)
    lists[name] = (await person.get(`/backups/${ENCRYPTED}/artifacts/${PATHS[name] ?? name}?limit=1000`)).body.items;
  lists.suggestions = (await person.get(`/backups/${ENCRYPTED}/suggestions?limit=1000`, session)).body.items;
  lists.pictures = [
    (await person.get(`/backups/${ENCRYPTED}/contacts/PERSON-1/picture`, session)).body,
    (await person.get(`/backups/${ENCRYPTED}/contacts/PERSON-2/picture`, session)).body,
  ];
  await person.post(`/backups/${ENCRYPTED}/integrity`, undefined, session);
  while ((await person.get(`/backups/${ENCRYPTED}/integrity`, session)).body.status === 'running');
  lists.integrityFindings = (await person.get(`/backups/${ENCRYPTED}/integrity/findings`, session)).body.items;
  return { entries, hashes, lists };
}

describeWith({ browser: true }, 'a backup read in three ways', () => {
  it('has the same entries, bytes and artifacts from Node, the service and the worker of the page', async () => {
    const worker = await fromWorker(),
      service = await fromService();
    const opened = await (
      await openBackup({
        files: nodeBackupFiles(join(folders.base, ENCRYPTED)),
        sqlite: nodeSqlite(folders.temp),
        crypto: nodeCrypto,
      })
    ).unlock(BACKUP_PASSWORD);
    const { items } = await opened.entries({ limit: 1000 });
    const hashes: Record<string, string> = {};
    for (const { fileId } of items)
      hashes[fileId] = await opened.content(fileId).then(
        async (content) => hash(await content.read(0, content.size)),
        () => 'refused',
      );
    await opened.lock();

    expect(worker.entries.length).toBeGreaterThan(30);
    expect(worker.entries).toEqual(service.entries);
    expect(
      items.map(({ fileId, domain, relativePath, flags, size }) => [fileId, domain, relativePath, flags, size ?? 0]),
    ).toEqual(
      service.entries.map((entry) => [entry.file_id, entry.domain, entry.relative_path, entry.flags, entry.size]),
    );
    expect(service.hashes).toEqual(hashes);
    expect(
      Object.fromEntries(
        Object.entries(worker.hashes).map(([id, value]) => [id, /^[0-9a-f]{64}$/.test(value) ? value : 'refused']),
      ),
    ).toEqual(hashes);
    expect(new Set(Object.values(hashes)).size).toBeGreaterThan(20);
    expect(JSON.stringify(worker.lists.suggestions)).toContain('picture_of_document');
    expect(JSON.stringify(worker.lists.integrityFindings)).toContain('odd/gone');
    expect(service.lists.pictures).toEqual([
      { picture: { mime_type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) } },
      { picture: null },
    ]);
    expect(worker.lists.pictures).toEqual(service.lists.pictures);
    for (const name of [...LISTS, 'suggestions', 'integrityFindings'])
      expect([name, ...inOrder(worker.lists[name] ?? [])]).toEqual([name, ...inOrder(service.lists[name] ?? [])]);
  });

  it('reads only the needed pages of a database of 4 GB', async () => {
    await folders.add({
      name: 'huge',
      folder: '',
      entries: [{ domain: 'CameraRollDomain', path: HUGE, content: 'replaced' }],
    });
    const id = fileIdOf('CameraRollDomain', HUGE);
    growDatabase(join(folders.base, 'huge', id.slice(0, 2), id));
    const ask = await startWorker();
    await ask('discover');
    await ask('unlock', 'huge', '');
    const view = await ask<{ table: string; rows: unknown[][]; total: number }>('tables', id, 'far', 0);
    expect(view).toMatchObject({ table: 'far', total: 1000, rows: expect.arrayContaining([[1, 'row 1']]) });
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const peaks = processInfo
      .map(({ id: pid }) => `/proc/${pid}/status`)
      .filter((path) => existsSync(path))
      .map((path) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1024);
    for (const peak of peaks) expect(peak).toBeLessThan(MOST_MEMORY);
  });

  it('opens an unencrypted backup one folder deeper', async () => {
    const ask = await startWorker();
    const found = await ask<{ id: string; isEncrypted: boolean }[]>('discover');
    expect(found.map(({ id, isEncrypted }) => [id, isEncrypted]).sort()).toEqual(
      expect.arrayContaining([
        [ENCRYPTED, true],
        [PLAIN, false],
      ]),
    );
    await ask('unlock', PLAIN, '');
    expect((await ask<{ items: Entry[] }>('query', 'files', {})).items.map(({ relative_path: path }) => path)).toEqual([
      'Library/notiz.txt',
    ]);
    await ask('lock');
    await expect(ask('query', 'files', {})).rejects.toThrow('locked');
    await expect(ask('unlock', ENCRYPTED, 'wrong')).rejects.toThrow('wrong_password');
  });
});

/** Makes a sparse database whose rows are beyond 4 GB: the pages in between were never used. */
function growDatabase(path: string): void {
  truncateSync(path, 0);
  const first = new Database(path);
  first.pragma(`page_size = ${PAGE}`);
  first.exec('CREATE TABLE near(a)');
  first.close();
  const pages = Math.ceil(FAR / PAGE);
  truncateSync(path, pages * PAGE);
  // The size that the header tells counts as long as it is of the last change (SQLite file format, 1.3).
  const file = openSync(path, 'r+'),
    head = Buffer.alloc(100);
  readSync(file, head, 0, head.length, 0);
  head.writeUInt32BE(pages, 28);
  head.copy(head, 92, 24, 28);
  writeSync(file, head, 0, head.length, 0);
  closeSync(file);
  const last = new Database(path);
  last.exec('CREATE TABLE far(id INTEGER PRIMARY KEY, text TEXT)');
  const insert = last.prepare('INSERT INTO far(text) VALUES (?)');
  last.transaction(() => {
    for (let row = 1; row <= 1000; row++) insert.run(`row ${row}`);
  })();
  last.close();
}
