/** @module-tag long */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startThread } from '../../src-main/features/phone-backups/open-thread.ts';
import { generateBackup, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { endlessTable, sharedOverflow } from '../support/hostile-databases.ts';
import { watchMemory } from '../support/memory.ts';
import { phoneClient, TOKEN, type PhoneClient } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

/** What Hearth may hold in memory, all of its processes together. */
const MAX_MEMORY = 2 ** 30;
const MIB = 2 ** 20;

const FILES = 'CREATE TABLE Files (fileID TEXT, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);';
const CALLS =
  'CREATE TABLE call (ROWID INTEGER PRIMARY KEY, address TEXT, date INTEGER, duration INTEGER, flags INTEGER);';
const callHistory = (content: Buffer): EntrySpec => ({
  domain: 'WirelessDomain',
  path: 'Library/CallHistory/call_history.db',
  content,
});
const endlessCalls = (): Buffer => endlessTable('call', `${CALLS} INSERT INTO call VALUES (1, '+41', 1, 1, 0);`);

/** A binary property list of one array, all of whose elements are the same object. */
function wideArray(elements: number): Buffer {
  const head = Buffer.from('bplist00\xaf\x12\0\0\0\0', 'latin1');
  head.writeUInt32BE(elements, 10);
  const body = Buffer.concat([head, Buffer.alloc(elements, 1), Buffer.from([0x09])]);
  const trailer = Buffer.alloc(32);
  trailer.set([4, 1], 6);
  trailer.writeUInt32BE(2, 12);
  trailer.writeUInt32BE(body.length, 28);
  const offsets = Buffer.alloc(8);
  offsets.writeUInt32BE(8, 0);
  offsets.writeUInt32BE(body.length - 1, 4);
  return Buffer.concat([body, offsets, trailer]);
}
const xml = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from('<plist><dict><key>a</key>'), content, Buffer.from('</dict></plist>')]);
const repeated = (text: string, bytes: number): Buffer => Buffer.alloc(bytes - (bytes % text.length), text);
const ENTITIES = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');

const PLISTS: Record<string, () => Buffer> = {
  'many-values': () =>
    xml(Buffer.concat([Buffer.from('<array>'), repeated('<true/>', 100 * MIB), Buffer.from('</array>')])),
  'wide-array': () => wideArray(100 * MIB),
  'wide-characters': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('<plist><dict><key>Device Name</key><string>', 'utf16le'),
      Buffer.alloc(120 * MIB, 'ä', 'utf16le'),
    ]),
  entities: () => Buffer.from(`<!DOCTYPE plist [<!ENTITY e0 "ha">${ENTITIES}]><plist><string>&e12;</string></plist>`),
  deep: () => xml(repeated('<array>', 4 * MIB)),
};
const MANIFESTS: Record<string, () => Buffer> = {
  'endless-manifest': () =>
    endlessTable('Files', `${FILES} INSERT INTO Files VALUES ('a', 'HomeDomain', 'p', 1, NULL);`),
  'shared-pages': () => sharedOverflow('Files', FILES, "INSERT INTO Files VALUES ('a', ?, 'p', 1, NULL)", 500),
};

let base: string, served: Served, phones: PhoneClient, largest: () => number | null;

const add = (name: string, entries: EntrySpec[] = []): Promise<void> =>
  generateBackup({ folder: join(base, name), entries });

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'hearth-bombs-'));
  await add('honest', [callHistory(Buffer.alloc(0)), { domain: 'HomeDomain', path: 'note.txt', content: 'a note' }]);
  for (const [name, make] of Object.entries(PLISTS)) {
    await add(name);
    writeFileSync(join(base, name, 'Info.plist'), make());
  }
  for (const [name, make] of Object.entries(MANIFESTS)) {
    await add(name);
    writeFileSync(join(base, name, 'Manifest.db'), make());
  }
  await add('shared-rows', [
    callHistory(sharedOverflow('call', CALLS, 'INSERT INTO call VALUES (1, ?, 1, 1, 0)', 500)),
  ]);
  await add('endless-rows', [callHistory(endlessCalls())]);
  served = await serve({ env: { BACKUP_PATHS__BASE_PATH: base, SECURITY__API_TOKEN: TOKEN } });
  phones = phoneClient(served.backupsUrl);
  largest = watchMemory(served.process.pid);
});
afterAll(async () => {
  await served.remove();
  rmSync(base, { recursive: true, force: true });
});

const problemsOf = async (): Promise<Record<string, string[]>> => {
  const { status, body } = await phones.post('/backups/refresh');
  expect(status).toBe(200);
  return Object.fromEntries(
    (body.backups as { id: string; problems: string[] }[]).map(({ id, problems }) => [id, problems]),
  );
};

/** Unlocks a backup and reads its only file. */
async function expectHonestBackupToOpen(): Promise<void> {
  const session = await phones.unlock('honest');
  const { body } = await phones.get('/backups/honest/files?limit=10', session);
  expect(body.total).toBe(2);
  await phones.post('/backups/honest/lock', {}, session);
}

describe('a hostile phone backup', () => {
  it('with huge property lists is listed without them, and so are the others', async () => {
    const problems = await problemsOf();
    expect(problems.honest).toEqual([]);
    for (const name of Object.keys(PLISTS))
      expect([name, problems[name]]).toEqual([name, [expect.stringMatching(/^(damaged_info_plist|too_demanding)$/)]]);
    await expectHonestBackupToOpen();
    expect(largest() ?? 0).toBeLessThan(MAX_MEMORY);
  });

  it.each(Object.keys(MANIFESTS))('whose manifest never ends (%s) is not opened', async (name) => {
    largest = watchMemory(served.process.pid);
    const { status, body } = await phones.call('POST', `/backups/${name}/unlock`, { body: { password: '' } });
    expect([status, body.code]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^phone\.(backup_unreadable|too_demanding)$/),
    ]);
    await expectHonestBackupToOpen();
    expect(largest() ?? 0).toBeLessThan(MAX_MEMORY);
  });

  it('whose rows share gigabytes fails for these rows only', async () => {
    largest = watchMemory(served.process.pid);
    const session = await phones.unlock('shared-rows', '');
    const job = await phones.index('shared-rows', session, { artifacts: ['calls', 'notes'] });
    const statuses = Object.fromEntries(
      (job.artifacts as { artifact: string; status: string }[]).map(({ artifact, status }) => [artifact, status]),
    );
    expect(statuses.calls).toBe('failed');
    expect(statuses.notes).toMatch(/^(absent|cancelled)$/);
    await expectHonestBackupToOpen();
    expect(largest() ?? 0).toBeLessThan(MAX_MEMORY);
  });
});

describe('the process of a phone backup', () => {
  it('ends when a database keeps it busy, and the call fails as too demanding', LONG, async () => {
    const thread = startThread({ maxSilenceMs: 8000 });
    const sandbox = mkdtempSync(join(base, 'sandbox-'));
    await thread.call('open', { folder: join(base, 'endless-rows'), sandbox, password: '' });
    await expect(
      thread.call('index', { file: join(sandbox, 'index.sqlite'), artifacts: ['calls'] }),
    ).rejects.toMatchObject({ code: 'phone.too_demanding' });
    expect(thread.hasEnded).toBe(true);
  });

  it('ends when it holds too much, and another one opens the next backup', async () => {
    const sandbox = mkdtempSync(join(base, 'sandbox-'));
    const request = { folder: join(base, 'honest'), sandbox, password: '' };
    await expect(startThread({ maxBytes: 20 * MIB }).call('open', request)).rejects.toMatchObject({
      code: 'phone.too_demanding',
    });
    const thread = startThread();
    expect(await thread.call('open', request)).toEqual({ entries: 2 });
    await thread.end();
  });
});
