/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython, hasRequirements } from '../support/requirements.ts';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { openBackup, webCrypto, type BackupError, type Entry } from '../../src-shared/ios-backup/index.ts';
import { phoneClient, TOKEN, type PhoneClient } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

interface ExpectedEntry {
  file_id: string;
  domain: string;
  relative_path: string;
  flags: number;
  size: number;
  mtime: number | null;
  protection_class: number | null;
  sha1: string | null;
  error: number | null;
}
interface Expected {
  name: string;
  password: string;
  encrypted: boolean;
  problems?: string[];
  summary?: Record<string, unknown>;
  entries: ExpectedEntry[];
}

/**
 * Backups that were made by a Python program of its own (`test/fixtures/foreign-backups`), which shares no line with
 * our generator.
 */
const CASES = fileURLToPath(new URL('../fixtures/foreign-backups/cases.py', import.meta.url));
const NEEDS = { pythonModules: ['cryptography'] };
const python = hasRequirements('backups of an independent generator', NEEDS)
  ? findPython(NEEDS.pythonModules)
  : undefined;

const root = mkdtempSync(join(tmpdir(), 'hearth-another-hand-'));
const base = join(root, 'backups'),
  temp = join(root, 'temp'),
  sandbox = mkdtempSync(join(root, 'sandbox-'));
const made: Expected[] = [];
if (python !== undefined) {
  const run = spawnSync(python, ['-B', CASES, root], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  made.push(...(JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Expected[]));
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
/** As UTF-8 sorts, which is how SQLite does. */
const inOrder = (entries: ExpectedEntry[]): ExpectedEntry[] =>
  entries.toSorted(
    (a, b) =>
      Buffer.compare(Buffer.from(a.domain), Buffer.from(b.domain)) ||
      Buffer.compare(Buffer.from(a.relative_path), Buffer.from(b.relative_path)),
  );
const moment = (seconds: number | null): string | null =>
  seconds ? new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19) : null;

describe.skipIf(python === undefined).each(made)(
  'the engine and an independently generated backup: $name',
  ({ name, password, encrypted, entries }) => {
    it.each([
      ['node', nodeCrypto],
      ['web', webCrypto],
    ] as const)('opens, lists and decrypts with the cryptography of %s', async (_, crypto) => {
      const backup = await openBackup({
        files: nodeBackupFiles(join(base, name)),
        sqlite: nodeSqlite(sandbox),
        crypto,
      });
      expect(backup.info.encrypted).toBe(encrypted);
      // What another program decrypted opens with any password.
      if (encrypted && !name.startsWith('decrypted'))
        await expect(backup.unlock(`${password}.`)).rejects.toMatchObject({ code: 'wrong_password' });
      const open = await backup.unlock(encrypted ? password : 'any');
      const { items, total } = await open.entries({ limit: 1000 });
      expect(total).toBe(entries.length);
      const shown = ({ fileId, domain, relativePath, flags, size, modifiedAt, protectionClass }: Entry): unknown => ({
        file_id: fileId,
        domain,
        relative_path: relativePath,
        flags,
        size: size ?? 0,
        mtime: modifiedAt ? Math.floor(modifiedAt) : null,
        protection_class: protectionClass,
      });
      expect(items.map(shown)).toEqual(
        inOrder(entries).map(({ sha1: _content, error: _error, ...entry }) => ({
          ...entry,
          mtime: entry.mtime ? Math.floor(entry.mtime) : null,
        })),
      );
      for (const entry of entries) {
        const content = open.content(entry.file_id);
        if (entry.sha1 === null)
          await expect(content, entry.relative_path).rejects.toMatchObject({
            name: 'BackupError',
          } satisfies Partial<BackupError>);
        else {
          const source = await content;
          expect([entry.relative_path, sha1(await source.read(0, source.size))]).toEqual([
            entry.relative_path,
            entry.sha1,
          ]);
          const middle = Math.floor(source.size / 2);
          expect(
            Buffer.concat([await source.read(0, middle), await source.read(middle, source.size)]).equals(
              await source.read(0, source.size),
            ),
          ).toBe(true);
        }
      }
      const { findings } = await open.integrity();
      const odd = entries
        .filter(({ error, flags }) => flags === 1 && error !== null)
        .map(({ relative_path }) => relative_path);
      expect(
        findings
          .filter(({ fault }) => fault !== 'wrong_size')
          .map(({ relativePath }) => relativePath)
          .sort(),
      ).toEqual(odd.sort());
      await open.lock();
    });
  },
);

describe.skipIf(python === undefined)('the service and independently generated backups', () => {
  let served: Served, phone: PhoneClient;
  beforeAll(async () => {
    served = await serve({
      env: { BACKUP_PATHS__BASE_PATH: base, BACKUP_PATHS__TEMP_PATH: temp, SECURITY__API_TOKEN: TOKEN },
    });
    phone = phoneClient(served.backupsUrl);
  });
  afterAll(() => served.remove());

  it('lists and describes all of them', async () => {
    const { body } = await phone.get('/backups');
    expect(body.backups.map(({ id }: { id: string }) => id).sort()).toEqual(made.map(({ name }) => name).sort());
    for (const { name, encrypted, problems = [], summary = {} } of made) {
      const found = body.backups.find(({ id }: { id: string }) => id === name);
      expect(found, name).toMatchObject({
        ios_identifier: name,
        is_encrypted: encrypted,
        problems,
        status: encrypted ? 'LOCKED' : 'DISCOVERED',
        ...summary,
      });
    }
  });

  /** Opening one takes a thread of its own; the engine above read all of them. */
  const OPENED = /^(ios|decrypted|lie|keybag-device|manifest-odd|without-Manifest|empty|00008110)/;
  it.each(made.filter(({ name }) => OPENED.test(name)))(
    'unlocks, lists, streams and locks $name',
    async ({ name, password, encrypted, entries }) => {
      const at = `/backups/${encodeURIComponent(name)}`;
      if (encrypted && !name.startsWith('decrypted'))
        expect(await phone.post(`${at}/unlock`, { password: `${password}.` })).toMatchObject({
          status: 400,
          body: { code: 'phone.incorrect_password' },
        });
      const session = await phone.unlock(encodeURIComponent(name), password);
      const { body } = await phone.get(`${at}/files?limit=1000`, session);
      expect(body.items.map(({ kind: _kind, ...item }: Record<string, unknown>) => item)).toEqual(
        inOrder(entries).map(({ sha1: _content, error: _error, ...entry }) => ({
          ...entry,
          mtime: moment(entry.mtime),
        })),
      );
      expect((await phone.get(`${at}/domains`, session)).body.domains).toEqual([
        ...new Set(inOrder(entries).map(({ domain }) => domain)),
      ]);
      for (const entry of entries) {
        const { status, bytes } = await phone.get(`${at}/file/${entry.file_id}`, session);
        expect([entry.relative_path, status, entry.sha1 && sha1(bytes)]).toEqual([
          entry.relative_path,
          entry.error ?? (entry.flags === 1 ? 200 : 404),
          entry.sha1,
        ]);
      }
      expect((await phone.post(`${at}/lock`, undefined, session)).status).toBe(200);
      expect((await phone.get(`${at}/files`, session)).status).toBe(401);
    },
  );
});
