/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALL_NAMES } from '../../src-shared/contract/bridge-names.ts';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';
import { Client } from '../support/client.ts';
import { labReport } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Within the project, so that the packages are found as they are found from dist.
const out = mkdtempSync(join(ROOT, 'node_modules', '.desktop-'));
let served: Served;

beforeAll(async () => {
  execFileSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'scripts', 'build-desktop.ts'),
    '--out',
    out,
  ]);
  served = await serve({ program: ['--no-strip-types', join(out, 'dist', 'core', 'serve.js')] });
});

afterAll(async () => {
  await served.remove();
  rmSync(out, { recursive: true, force: true });
});

it('the desktop build holds no TypeScript and names its main program', () => {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.ts'))).toEqual([]);
  const { main } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as { main: string };
  expect(files).toContain(join(...main.split('/')));
});

it('the desktop build bundles every worker thread', () => {
  const threads = ['backup', 'file', 'hang', 'index-writer', 'page', 'rules'];
  expect(readdirSync(join(out, 'dist', 'core'))).toEqual(
    expect.arrayContaining(threads.map((name) => `${name}-thread.js`)),
  );
});

it('the desktop build reads a document in a Node without type stripping', async () => {
  const person = new Client(served.url);
  await person.setup();
  const { body } = await person.upload(await labReport({ seed: 1 }), 'report.pdf', 1);
  await person.idle();
  expect((await person.get(`/api/documents/${body.document_id}`)).body).toMatchObject({ doc_type: 'lab_test' });
});

/** Drives the main process as Electron would: a call of its page, sleep and quitting. */
const DRIVER = `
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: pathToFileURL(process.env.FAKE).href, shortCircuit: true } : next(name, context),
});
const { app, BrowserWindow, headersFor, ipcMain, powerMonitor, session, systemCalls } = await import('electron');
const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
app.quit = () => { say('quit'); process.exit(0); };
await import(pathToFileURL(process.env.MAIN).href);
while (!BrowserWindow.opened[0]?.loaded) await new Promise((resolve) => setTimeout(resolve, 20));
const [window] = BrowserWindow.opened, url = new URL(window.loaded).origin;
say(window.loaded.slice(url.length));
const statusOf = async (headers) => (await fetch(url + '/health', { headers })).status;
say({ bare: await statusOf({}), status: await statusOf(headersFor(url + '/health')), preload: window.options.webPreferences.preload });
const owner = {
  username: 'ann',
  password: 'correct horse battery',
  patient_name: 'Ada',
  patient_date_of_birth: null,
};
const setup = await fetch(url + '/api/setup/complete', {
  method: 'POST',
  headers: { ...headersFor(url + '/'), 'content-type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
  body: JSON.stringify(owner),
});
const event = { senderFrame: { origin: new URL(url).origin, parent: null } };
const call = () => ipcMain.handlers.get('hearth:call')(event, 'phoneFolders', {});
say(await call());
const [name, value] = setup.headers.get('set-cookie').split(';')[0].split(/=(.*)/s);
systemCalls.cookies.set(url, [{ name, value }]);
say(await call());
// Reading runs in utility processes, since a fuse keeps the program from running as Node.
const form = new FormData();
form.append('file', new Blob([readFileSync(process.env.PAPER)]), 'report.pdf');
const headers = { ...headersFor(url + '/'), cookie: name + '=' + value, 'X-Requested-With': 'XMLHttpRequest' };
const sent = await fetch(url + '/api/documents/upload?patient_id=1', { method: 'POST', headers, body: form });
const { document_id: id } = await sent.json();
for (let document = null; document?.doc_type !== 'lab_test'; await new Promise((resolve) => setTimeout(resolve, 100))) {
  document = await (await fetch(url + '/api/documents/' + id, { headers })).json();
  if (document.status === 'failed') throw new Error(JSON.stringify(document));
}
say('read');
// As the system opens a link and a file with Hearth, and a second start passes on what it was given.
window.webContents.sent = [];
let prevented = 0;
const system = { preventDefault: () => void (prevented += 1) };
const happens = async (...[event, ...details]) => {
  const before = window.webContents.sent.length;
  app.emit(event, ...details);
  while (window.webContents.sent.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
};
await happens('open-url', system, 'hearth://labs');
await happens('open-file', system, process.env.PAPER);
window.minimized = true;
const words = ['electron', 'folder', '--allow-file-access-from-files', '--safe-mode', 'report.pdf', 'hearth://review'];
await happens('second-instance', {}, words, dirname(process.env.PAPER));
while (window.webContents.sent.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
const { value: offered } = await ipcMain.handlers.get('hearth:call')(event, 'offeredFiles', {});
say({ prevented, minimized: window.minimized, files: offered.files.map(({ name }) => name) });
say(window.webContents.sent.splice(0).map(([, signal]) => signal));
powerMonitor.emit('suspend');
say(window.webContents.sent);
app.emit('before-quit', { preventDefault() {} });
`;

it('opens a window on its core, takes files and links of the system, and forgets keys in sleep', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hearth-main-')),
    base = join(home, 'Backup');
  await generateBackup({ folder: join(base, 'phone'), entries: [{ domain: 'HomeDomain', path: 'a', content: 'a' }] });
  writeFileSync(join(home, 'driver.mjs'), DRIVER);
  writeFileSync(join(home, 'report.pdf'), await labReport({ seed: 2 }));
  const text = execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(home, 'driver.mjs'),
      'hearth://documents',
      '--vault',
      join(home, 'vault'),
      '--phone-backups',
      base,
      '--phone-backups-port',
      '0',
    ],
    {
      encoding: 'utf8',
      timeout: 110_000,
      env: {
        ...process.env,
        XDG_CONFIG_HOME: join(home, 'config'),
        APPDATA: join(home, 'config'),
        PAPER: join(home, 'report.pdf'),
        FAKE: join(ROOT, 'test', 'fakes', 'electron.ts'),
        MAIN: join(out, 'dist', 'core', 'electron-main.js'),
      },
    },
  );
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    '/documents',
    { bare: 403, status: 200, preload: join(realpathSync(out), 'dist', 'core', 'preload.cjs') },
    { error: 'forbidden' },
    { value: { folders: [{ key: expect.any(String), id: 'phone' }] } },
    'read',
    { prevented: 2, minimized: false, files: ['report.pdf'] },
    [{ kind: 'go', path: '/labs' }, { kind: 'files' }, { kind: 'go', path: '/review' }, { kind: 'files' }],
    [['hearth:signal', { kind: 'forget-keys', reason: 'suspend' }]],
    'quit',
  ]);
  rmSync(home, { recursive: true, force: true });
});

/**
 * Runs the preload that was built as the window's sandbox does: no module but Electron's, no global of Node but a
 * little of `process`.
 */
function preloadAt(address: string, ours = 'http://127.0.0.1:8070') {
  const required: string[] = [],
    exposed = new Map<string, Record<string, (...args: unknown[]) => unknown>>(),
    sent: unknown[][] = [],
    heard = new Map<string, (...args: unknown[]) => void>();
  let onMessage: (message: object) => void = () => undefined;
  const window = {
    addEventListener: (_event: string, listener: (message: object) => void) => {
      onMessage = listener;
    },
  };
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, api: never) => exposed.set(name, api) },
    ipcRenderer: {
      invoke: (...args: unknown[]) => sent.push(['invoke', ...args]),
      postMessage: (...args: unknown[]) => sent.push(['postMessage', ...args]),
      on: (channel: string, listener: () => void) => heard.set(channel, listener),
    },
  };
  const require = (name: string): unknown => {
    required.push(name);
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return electron;
  };
  runInNewContext(readFileSync(join(out, 'dist', 'core', 'preload.cjs'), 'utf8'), {
    require,
    exports: {},
    module: { exports: {} },
    window,
    location: new URL(address),
    process: { argv: ['electron', '--type=renderer', `--hearth-origin=${ours}`] },
  });
  return { required, exposed, sent, heard, window, say: (message: object) => onMessage(message) };
}

describe('the built preload script', () => {
  it('is one CommonJS file beside the shell and requires only Electron', () => {
    const files = readdirSync(join(out, 'dist', 'core'));
    expect(files.filter((name) => name.startsWith('preload'))).toEqual(['preload.cjs']);
    const text = readFileSync(join(out, 'dist', 'core', 'preload.cjs'), 'utf8');
    expect(text).not.toMatch(/^\s*(import|export)\b|\bimport\(|node:|\beval\b/m);
    expect(text.length).toBeLessThan(10_000);
    expect(preloadAt('http://127.0.0.1:8070/phones').required).toEqual(['electron']);
    expect(readFileSync(join(out, 'dist', 'core', 'electron-main.js'), 'utf8')).toMatch(
      /new URL\(([`"'])\.\/preload\.cjs\1, ?import\.meta\.url\)/,
    );
  });

  it('exposes one function for each call to the page, and nothing by which it could name another channel', () => {
    const { exposed, sent, heard } = preloadAt('http://127.0.0.1:8070/phones');
    const bridge = exposed.get('hearth') ?? {};
    expect([[...exposed.keys()], Object.keys(bridge).sort()]).toEqual([['hearth'], [...CALL_NAMES, 'onSignal'].sort()]);
    bridge['phoneFolders']?.({}, 'and more');
    for (const malformed of [undefined, null, 'text', 7, [], () => 0]) bridge['phoneFolders']?.(malformed);
    expect(sent).toEqual([['invoke', 'hearth:call', 'phoneFolders', {}]]);
    const signals: unknown[] = [];
    bridge.onSignal?.((...all: unknown[]) => signals.push(all));
    heard.get('hearth:signal')?.({ sender: 'an object of Electron' }, { kind: 'forget-keys', reason: 'suspend' });
    expect(signals).toEqual([[{ kind: 'forget-keys', reason: 'suspend' }]]);
  });

  it('accepts a port only from the page itself', () => {
    const { sent, window, say } = preloadAt('http://127.0.0.1:8070/phones');
    const message = {
      source: window,
      origin: 'http://127.0.0.1:8070',
      data: { kind: 'hearth:files', key: 'k' },
      ports: ['port'],
    };
    for (const other of [
      { source: {} },
      { source: null },
      { origin: 'https://example.org' },
      { data: { kind: 'else' } },
      { data: null },
      { data: 'hearth:files' },
    ])
      say({ ...message, ...other });
    expect(sent).toEqual([]);
    say(message);
    expect(sent).toEqual([['postMessage', 'hearth:files', 'k', ['port']]]);
  });

  it.each(['https://id.example.org/login', 'http://127.0.0.1:8071/', 'about:blank', 'file:///home/ada/page.html'])(
    'exposes nothing to %s',
    (address) => {
      const { exposed, heard } = preloadAt(address);
      expect([exposed.size, heard.size]).toEqual([0, 0]);
    },
  );
});
