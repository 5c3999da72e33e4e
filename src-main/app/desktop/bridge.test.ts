import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messageChannel } from '../../../test/fakes/electron.ts';
import { fileIdOf, generateBackup } from '../../../test/fixtures/ios-backup/generate.ts';
import { itWith } from '../../../test/support/requirements.ts';
import {
  CLOSED_MESSAGE_ID,
  MAX_RANGE_BYTES,
  type BridgeAnswer,
  type PhoneFolder,
} from '../../../src-shared/contract/bridge.ts';
import { nodeBackupFiles } from '../../features/phone-backups/adapters/files.ts';
import { createBridge, type Bridge, type BridgeHandlers } from './bridge.ts';
import { createPhoneFolders } from './phone-folders.ts';

const ORIGIN = 'http://127.0.0.1:8070';
const OURS = { origin: ORIGIN, parent: null };
const BIG = Buffer.from(
  Array.from({ length: MAX_RANGE_BYTES + 70_001 }, (_, index) => (index * 31 + (index >> 12)) % 256),
);
const blobOf = (path: string): string => {
  const id = fileIdOf('HomeDomain', path);
  return `${id.slice(0, 2)}/${id}`;
};

/** Calls that other tests are about. */
const OTHERS: Omit<BridgeHandlers, 'phoneFolders' | 'choosePhoneFolder' | 'revealPhoneFolder' | 'setMenuLabels'> = {
  ...{ offeredFiles: () => ({ files: [] }), readOfferedFile: () => 'forbidden', dropOfferedFile: () => 'forbidden' },
  ...{ revealDocument: () => 'forbidden', choosePort: () => 'forbidden', desktopState: () => 'fault' },
  ...{ changeDesktop: () => 'fault', forgetDevices: () => 'fault' },
};

let root: string, folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'hearth-bridge-'));
  folder = join(root, 'Backup', 'phone');
  mkdirSync(join(root, 'Backup'));
  await generateBackup({
    folder,
    entries: [
      { domain: 'HomeDomain', path: 'big.bin', content: BIG },
      { domain: 'HomeDomain', path: 'empty', content: '' },
      { domain: 'HomeDomain', path: 'a/b', content: 'words' },
    ],
    keybag: { password: 'wort', firstRounds: 2 },
  });
  await generateBackup({
    folder: join(root, 'Elsewhere', 'deep', 'old'),
    entries: [{ domain: 'HomeDomain', path: 'x', content: 'x' }],
  });
  writeFileSync(join(root, 'secret'), 'not for you');
  writeFileSync(join(folder, 'notes.txt'), 'lies in the folder, belongs to no backup');
  mkdirSync(join(folder, 'Snapshot'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let mayUse: boolean, isSignedIn: boolean, chosen: string | null, shown: string[], warned: unknown[], bridge: Bridge;
beforeEach(() => {
  [mayUse, isSignedIn, chosen, shown, warned] = [true, true, null, [], []];
  let last = 0;
  const backupAt = (path: string, id: string) => ({ id, path, files: nodeBackupFiles(path) });
  const folders = createPhoneFolders({
    phones: {
      baseDirectory: () => join(root, 'Backup'),
      folders: async () => [backupAt(folder, 'phone')],
      async foldersIn(path) {
        readdirSync(path);
        return [backupAt(join(path, 'deep', 'old'), 'old')];
      },
    },
    chooseFolder: async () => chosen,
    reveal: (path) => shown.push(path),
    ids: () => `key ${++last}`,
  });
  bridge = createBridge({
    origin: ORIGIN,
    may: async (access) => (access === 'admin' ? mayUse : isSignedIn),
    filesOf: folders.filesOf,
    handlers: {
      ...folders.handlers,
      setMenuLabels: () => ({}),
      ...OTHERS,
    },
    log: {
      warn: (...line: unknown[]) => {
        warned.push(line);
      },
    },
  });
});

async function keyOfPhone(): Promise<string> {
  const { value } = (await bridge.answer(OURS, 'phoneFolders', {})) as { value: { folders: PhoneFolder[] } };
  return value.folders[0]?.key ?? '';
}

/** Resolves when main announces that the port is closed. */
const closedOf = (page: ReturnType<typeof messageChannel>['page']): Promise<'closed'> =>
  new Promise((resolve) => {
    page.on('message', ({ id }: { id: number }) => {
      if (id === CLOSED_MESSAGE_ID) resolve('closed');
    });
  });

/** Opens the page's end of a port for phone files. */
async function port(key?: unknown, sender: Parameters<Bridge['connect']>[0] = OURS) {
  const { page, main } = messageChannel();
  const closed = closedOf(page);
  await bridge.connect(sender, key ?? (await keyOfPhone()), main);
  const ask = (question: unknown): Promise<(BridgeAnswer & { id: number }) | 'closed'> => {
    const said = new Promise<BridgeAnswer & { id: number }>((resolve) => {
      page.once('message', (answer: BridgeAnswer & { id: number }) => {
        if (answer.id !== CLOSED_MESSAGE_ID) resolve(answer);
      });
    });
    page.postMessage(question);
    return Promise.race([said, closed]);
  };
  return {
    page,
    main,
    closed,
    ask,
    size: (path: unknown) => ask({ id: 1, call: 'size', args: [path] }),
    range: (path: unknown, start: unknown, end: unknown) => ask({ id: 2, call: 'readRange', args: [path, start, end] }),
    list: (path: unknown) => ask({ id: 3, call: 'list', args: [path] }),
  };
}

describe('calls of the page to the shell', () => {
  it('are answered by their handlers without revealing paths', async () => {
    const answer = await bridge.answer(OURS, 'phoneFolders', {});
    expect(answer).toEqual({ value: { folders: [{ key: 'key 1', id: 'phone' }] } });
    expect(JSON.stringify(answer)).not.toContain(root);
    // A folder has the same key in repeated calls.
    expect(await bridge.answer(OURS, 'phoneFolders', {})).toEqual(answer);
  });

  it.each([
    ['another page', { origin: 'https://example.org', parent: null }],
    ['another port of this computer', { origin: 'http://127.0.0.1:8071', parent: null }],
    ['a page without an origin', { origin: 'null', parent: null }],
    ['a frame within our page', { origin: ORIGIN, parent: {} as never }],
    ['a frame that is gone', null],
  ])('are refused from %s', async (_who, sender) => {
    const key = await keyOfPhone();
    expect(await bridge.answer(sender, 'phoneFolders', {})).toEqual({ error: 'forbidden' });
    expect(await bridge.answer(sender, 'revealPhoneFolder', { key })).toEqual({ error: 'forbidden' });
    expect(shown).toEqual([]);
    expect(await (await port(key, sender)).closed).toBe('closed');
  });

  it('are rejected for users who may not see backups', async () => {
    const key = await keyOfPhone();
    mayUse = false;
    expect(await bridge.answer(OURS, 'phoneFolders', {})).toEqual({ error: 'forbidden' });
    expect(await (await port(key)).closed).toBe('closed');
  });

  it('are open to signed-in users, or only to administrators', async () => {
    [mayUse, isSignedIn] = [false, false];
    const answers = () =>
      Promise.all((['offeredFiles', 'phoneFolders'] as const).map((name) => bridge.answer(OURS, name, {})));
    expect(await answers()).toEqual([{ error: 'forbidden' }, { error: 'forbidden' }]);
    isSignedIn = true;
    expect(await answers()).toEqual([{ value: { files: [] } }, { error: 'forbidden' }]);
    expect(await bridge.answer(OURS, 'changeDesktop', { updates: true })).toEqual({ error: 'forbidden' });
  });

  it.each([
    ['phoneFolders', { folder: '/etc' }],
    ['phoneFolders', null],
    ['phoneFolders', undefined],
    ['revealPhoneFolder', {}],
    ['revealPhoneFolder', { key: 5 }],
    ['revealPhoneFolder', { key: 'key 1', path: '/etc' }],
    ['revealPhoneFolder', { key: 'x'.repeat(1000) }],
    ['writeFile', {}],
    ['constructor', {}],
    ['__proto__', {}],
    ['toString', {}],
    [null, {}],
    [['phoneFolders'], {}],
  ])('%j with %j is malformed', async (name, args) => {
    expect(await bridge.answer(OURS, name, args)).toEqual({ error: 'malformed' });
    expect(shown).toEqual([]);
  });

  it('select a folder in the system dialog, which may be canceled or return a missing folder', async () => {
    expect(await bridge.answer(OURS, 'choosePhoneFolder', {})).toEqual({ value: { folders: null } });
    chosen = join(root, 'Elsewhere');
    expect(await bridge.answer(OURS, 'choosePhoneFolder', {})).toEqual({
      value: { folders: [{ key: 'key 1', id: 'old' }] },
    });
    chosen = join(root, 'was here');
    expect(await bridge.answer(OURS, 'choosePhoneFolder', {})).toEqual({ error: 'unreadable' });
    expect(JSON.stringify(warned)).not.toContain(root);
  });

  it('reveal only folders that the page knows', async () => {
    expect(await bridge.answer(OURS, 'revealPhoneFolder', { key: folder })).toEqual({ error: 'unknown_folder' });
    expect(await bridge.answer(OURS, 'revealPhoneFolder', { key: await keyOfPhone() })).toEqual({ value: {} });
    expect(shown).toEqual([folder]);
  });
});

describe('files of a folder', () => {
  it('are listed, measured and read', async () => {
    const phone = await port(),
      path = blobOf('a/b');
    const content = readFileSync(join(folder, path));
    expect(await phone.size(path)).toEqual({ id: 1, value: content.length });
    expect(await phone.range(path, 0, content.length)).toEqual({ id: 2, value: new Uint8Array(content) });
    expect(await phone.list(path.slice(0, 2))).toMatchObject({
      id: 3,
      value: expect.arrayContaining([{ name: path.slice(3), kind: 'file', size: content.length }]),
    });
    expect(await phone.size('Manifest.mbdb')).toEqual({ id: 1, value: null });
    expect(await phone.list('00')).toEqual({ id: 3, value: [] });
  });

  it('list only names that belong to a backup', async () => {
    const { value } = (await (await port()).list('')) as { value: { name: string }[] };
    expect(
      value
        .map(({ name }) => name)
        .filter((name) => !/^[0-9a-f]{2}$/.test(name))
        .sort(),
    ).toEqual(['Info.plist', 'Manifest.db', 'Manifest.plist', 'Status.plist']);
  });

  it.each([
    '../../secret',
    '..',
    '.',
    '',
    '/',
    '/etc/passwd',
    'notes.txt',
    'Snapshot/x',
    'Manifest.db/..',
    './Manifest.db',
    'Manifest.db\0',
    'manifest.db',
    'Info.plist ',
    'Manifest.db-shm',
    'ab',
    '%2e%2e/secret',
    'C:\\secret',
    '..\\..\\secret',
    `ab/${'a'.repeat(40)}`,
    `AB/AB${'0'.repeat(38)}`,
    `ab/ab${'0'.repeat(39)}`,
    `ab/../${'a'.repeat(40)}`,
    `ab//ab${'0'.repeat(38)}`,
    `${'a'.repeat(40)}\n`,
    7,
    null,
    ['Manifest.db'],
    { path: 'Manifest.db' },
  ])("can't be requested as %j", async (path) => {
    const phone = await port();
    expect(await phone.size(path)).toEqual({ id: 1, error: 'malformed' });
    expect(await phone.range(path, 0, 10)).toEqual({ id: 2, error: 'malformed' });
    if (path !== '' && path !== 'ab') expect(await phone.list(path)).toEqual({ id: 3, error: 'malformed' });
  });

  itWith({ symlinks: true }, 'are never read through symbolic links', async () => {
    const id = 'cd'.repeat(20),
      other = 'ce'.repeat(20);
    mkdirSync(join(folder, 'cd'));
    symlinkSync(join(root, 'secret'), join(folder, 'cd', id));
    renameSync(join(folder, 'Snapshot'), join(root, 'moved'));
    writeFileSync(join(root, 'moved', other), 'outside');
    symlinkSync(join(root, 'moved'), join(folder, 'ce'));
    symlinkSync(join(root, 'secret'), join(folder, 'Manifest.mbdb'));
    const phone = await port();
    for (const path of [`cd/${id}`, `ce/${other}`, 'Manifest.mbdb']) {
      expect(await phone.size(path)).toEqual({ id: 1, value: null });
      expect(await phone.range(path, 0, 10)).toEqual({ id: 2, error: 'unreadable' });
    }
    expect(await phone.list('ce')).toEqual({ id: 3, value: [] });
    expect(await phone.list('cd')).toEqual({ id: 3, value: [] });
    rmSync(join(folder, 'Manifest.mbdb'));
    linkSync(join(folder, 'Info.plist'), join(folder, 'Manifest.mbdb'));
    expect(await phone.size('Manifest.mbdb')).toMatchObject({ value: expect.any(Number) });
    rmSync(join(folder, 'Manifest.mbdb'));
  });

  it.each([
    [-1, 10],
    [10, 5],
    [0, MAX_RANGE_BYTES + 1],
    [0.5, 2],
    [0, Number.POSITIVE_INFINITY],
    [Number.NaN, 1],
    ['0', 10],
    [0, 2 ** 60],
    [undefined, undefined],
  ])('have no bytes from %j to %j', async (start, end) => {
    expect(await (await port()).range('Manifest.db', start, end)).toEqual({ id: 2, error: 'malformed' });
  });

  it('end at their size, and a range after it is empty', async () => {
    const phone = await port(),
      path = blobOf('a/b'),
      { length } = readFileSync(join(folder, path));
    expect(await phone.range(path, length - 3, length + 500)).toMatchObject({ value: { length: 3 } });
    expect(await phone.range(path, length, length + 1)).toMatchObject({ value: { length: 0 } });
    expect(await phone.range(path, length + 10 ** 12, length + 10 ** 12 + 5)).toMatchObject({ value: { length: 0 } });
  });

  it('are sent without neighboring memory', async () => {
    const phone = await port(),
      path = blobOf('big.bin');
    await phone.range(path, 0, MAX_RANGE_BYTES);
    for (const [start, end] of [
      [0, MAX_RANGE_BYTES],
      [5, 400_000],
      [MAX_RANGE_BYTES, MAX_RANGE_BYTES + 300_000],
      [MAX_RANGE_BYTES + 50_000, MAX_RANGE_BYTES * 2],
    ] as const) {
      const { value } = (await phone.range(path, start, end)) as { value: Uint8Array };
      expect(value.buffer.byteLength).toBe(value.length);
      expect(Buffer.compare(value, readFileSync(join(folder, path)).subarray(start, end))).toBe(0);
    }
  });

  it('answer each request by its id, and ignore invalid ones without an id', async () => {
    const phone = await port(),
      answers = new Map<number, unknown>();
    const all = new Promise<void>((resolve) => {
      phone.page.on('message', (answer: { id: number; value: unknown }) => {
        answers.set(answer.id, answer.value);
        if (answers.size === 50) resolve();
      });
    });
    for (const nonsense of [
      null,
      'size',
      7,
      [],
      {},
      { id: 'x' },
      { id: Number.NaN, call: 'size', args: ['Manifest.db'] },
    ])
      phone.page.postMessage(nonsense);
    for (let id = 100; id < 150; id++)
      phone.page.postMessage({ id, call: 'size', args: [id % 2 === 0 ? 'Manifest.db' : 'Manifest.mbdb'] });
    await all;
    expect([...answers.keys()].sort()).toEqual(Array.from({ length: 50 }, (_, index) => 100 + index));
    expect(answers.get(101)).toBeNull();
    expect(answers.get(100)).toBe(readFileSync(join(folder, 'Manifest.db')).length);
  });

  it('reject writes, which do not exist', async () => {
    const phone = await port();
    for (const call of ['write', 'writeRange', 'remove', 'release', 'constructor'])
      expect(await phone.ask({ id: 9, call, args: ['Manifest.db', 0, 1] })).toEqual({ id: 9, error: 'malformed' });
  });

  it('are closed for an unknown key, and all at once when the computer sleeps', async () => {
    for (const key of ['key 99', folder, 7, null, undefined, {}]) {
      const { page, main } = messageChannel();
      const closed = closedOf(page);
      await bridge.connect(OURS, key, main);
      expect(await closed).toBe('closed');
      expect(main.isClosed).toBe(true);
    }
    const one = await port(),
      two = await port();
    expect(await one.size('Manifest.db')).toMatchObject({ value: expect.any(Number) });
    bridge.forget();
    expect(await Promise.all([one.closed, two.closed])).toEqual(['closed', 'closed']);
    // A new request is served again; by then, the page has asked for the password.
    expect(await (await port()).size('Manifest.db')).toMatchObject({ value: expect.any(Number) });
  });

  it('are not opened for a request from before the computer slept', async () => {
    const { page, main } = messageChannel(),
      key = await keyOfPhone();
    const closed = closedOf(page);
    const connecting = bridge.connect(OURS, key, main);
    bridge.forget();
    await connecting;
    expect(await closed).toBe('closed');
  });
});
