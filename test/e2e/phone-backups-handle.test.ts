/** @module-tag long */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { openBrowser } from '../support/browser.ts';
import { describeWith } from '../support/requirements.ts';
import { ENCRYPTED, BACKUP_PASSWORD, phoneFolders } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

const ASSETS = fileURLToPath(new URL('../../dist/renderer/assets/', import.meta.url));
type Answer = { value?: unknown; error?: { code: string } };
type Ask = (place: 'handle' | 'files', call: string, ...args: unknown[]) => Promise<Answer>;
const LISTS = ['conversations', 'notes', 'photos', 'contacts', 'health'] as const;

let folders: Awaited<ReturnType<typeof phoneFolders>>, served: Served, browser: Browser, page: Page, ask: Ask;

/** A folder of the page's own file system is a real directory handle; the backup is copied into it. */
async function copyIntoPage(): Promise<void> {
  const files = readdirSync(folders.base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  await page.evaluate(
    async (all) => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('Backup', { create: true });
      for (const [path, content] of all) {
        const parts = path.split('/'),
          name = parts.pop() ?? '';
        let folder = root;
        for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
        const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
        await out.write(Uint8Array.from(atob(content), (char) => char.charCodeAt(0)));
        await out.close();
      }
    },
    files.map((file) => [file.slice(folders.base.length + 1), readFileSync(file).toString('base64')] as const),
  );
}

beforeAll(async () => {
  folders = await phoneFolders(26);
  served = await serve({ env: folders.env });
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
  await page.goto(`${served.url}/login`);
  await page.evaluate(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', id: 'probe', webkitdirectory: true, multiple: true });
    document.body.append(input);
  });
  await page.locator('#probe').setInputFiles(folders.base);
  await copyIntoPage();
  // One worker for each way to the folder, the one that was built.
  await page.evaluate(
    (path) => {
      const workers = new Map<string, Worker>();
      let last = 0;
      Object.assign(window, {
        ask: async (place: 'handle' | 'files', call: string, args: unknown[]) => {
          const worker = workers.get(place) ?? new Worker(path, { type: 'module' });
          workers.set(place, worker);
          const id = ++last;
          const discoverIn = async (): Promise<unknown[]> => {
            const probe = document.getElementById('probe') as HTMLInputElement;
            if (place === 'files') return [{ kind: 'files', files: [...(probe.files ?? [])] }];
            const directory = await navigator.storage.getDirectory();
            return [{ kind: 'handle', handle: await directory.getDirectoryHandle('Backup', { create: true }) }];
          };
          const given = call === 'discover' ? await discoverIn() : args;
          const answer = await new Promise<{ value?: unknown; error?: { code: string } }>((resolve) => {
            worker.addEventListener('message', function hear({ data }) {
              if (data.id === id) {
                worker.removeEventListener('message', hear);
                resolve(data);
              }
            });
            worker.postMessage({ id, call, args: given });
          });
          return answer.value instanceof Uint8Array
            ? {
                value: [
                  ...new Uint8Array(await crypto.subtle.digest('SHA-256', answer.value as Uint8Array<ArrayBuffer>)),
                ].join(),
              }
            : { value: answer.value, error: answer.error };
        },
      });
    },
    `/assets/${readdirSync(ASSETS).find((name) => /^worker-ios-backup-.*\.js$/.test(name))}`,
  );
  ask = (place, call, ...args) =>
    page.evaluate(
      ([from, name, values]) =>
        (window as unknown as { ask: (place: unknown, name: unknown, values: unknown) => Promise<Answer> }).ask(
          from,
          name,
          values,
        ),
      [place, call, args] as const,
    );
});
afterAll(async () => {
  await browser?.close();
  await served?.remove();
  folders?.remove();
});

describeWith({ browser: true }, 'a folder opened with a handle of the browser', () => {
  it('has the same backups, entries, bytes and rows as the list of its files', async () => {
    const seen = async (place: 'handle' | 'files'): Promise<unknown> => {
      const { value: found } = (await ask(place, 'discover')) as { value: { id: string }[] };
      expect(await ask(place, 'unlock', ENCRYPTED, 'falsch')).toMatchObject({ error: { code: 'wrong_password' } });
      expect((await ask(place, 'unlock', ENCRYPTED, BACKUP_PASSWORD)).error).toBeUndefined();
      const { value: listing } = (await ask(place, 'query', 'files', { query: { limit: '1000' } })) as {
        value: { items: { file_id: string }[] };
      };
      const bytes: unknown[] = [];
      for (const { file_id: id } of listing.items) bytes.push([id, await ask(place, 'bytes', id, 0, 1e9)]);
      const rows: unknown[] = [];
      for (const name of LISTS) rows.push([name, await ask(place, 'query', name, { query: { limit: '1000' } })]);
      return { found: found.toSorted((a, b) => (a.id < b.id ? -1 : 1)), listing, bytes, rows };
    };
    const byHandle = await seen('handle');
    expect(byHandle).toEqual(await seen('files'));
    expect(JSON.stringify(byHandle)).toContain('Befunde');
  });

  it('reports a folder that was removed while open, and keeps the rows already read', async () => {
    const notes = await ask('handle', 'query', 'notes', {});
    await page.evaluate(async () =>
      (await navigator.storage.getDirectory()).removeEntry('Backup', { recursive: true }),
    );
    const id = fileIdOf('MediaDomain', 'Library/SMS/Attachments/ab/11/Befund.pdf');
    expect(['gone', 'unreadable']).toContain((await ask('handle', 'bytes', id, 0, 100)).error?.code);
    expect(await ask('handle', 'query', 'notes', {})).toEqual(notes);
    expect((await ask('handle', 'lock')).error).toBeUndefined();
    expect((await ask('handle', 'bytes', id, 0, 100)).error?.code).toBe('locked');
    expect((await ask('handle', 'discover')).value).toEqual([]);
  });
});
