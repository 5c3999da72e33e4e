import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openShell, type ShellDeps } from '../../src-main/app/desktop/shell.ts';
import { refuseBadCertificates } from '../../src-main/app/desktop/confine.ts';
import { createLog } from '../../src-main/platform/kernel/log.ts';
import { app, BrowserWindow, ipcMain, resetElectron, session, systemCalls } from '../fakes/electron.ts';

vi.mock('electron', () => import('../fakes/electron.ts'));

/**
 * Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security), in its order and with its
 * numbers. Each item names the line that satisfies it, and most are tried on the double as well.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const URL_OF_CORE = 'http://127.0.0.1:8070';
const DESKTOP = 'src-main/app/desktop';

/** `file:line` of the only line with this text; throws if it is not there. */
function lineOf(file: string, text: string): string {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const index = lines.findIndex((line) => line.includes(text));
  if (index === -1) throw new Error(`${file} has no line with “${text}”.`);
  return `${file}:${index + 1}`;
}
/** Sources of the shell, in which what the checklist forbids must not occur. */
const shellSources = globSync(`{${DESKTOP}/*.ts,src-main/app/electron-main.ts}`, { cwd: ROOT })
  .filter((file) => !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
const filesWith = (pattern: RegExp): string[] =>
  shellSources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

function openedWindow(): BrowserWindow {
  const deps: Partial<ShellDeps> = {
    ...{ url: URL_OF_CORE, folder: '/nonexistent', windowKey: 'key', isSafeMode: false },
    log: createLog('silent'),
    onActivity: () => undefined,
    shellApi: {
      activity: () => null,
      fileOf: () => null,
      isSignedIn: () => false,
      isAdministrator: () => false,
      hasLiveShares: () => false,
      shareAddress: () => 'https://shares.example.org',
      holdReading: () => undefined,
      releaseReading: () => undefined,
    },
    phones: {
      baseDirectory: () => '/backups',
      lockAll: async () => undefined,
      folders: async () => [],
      foldersIn: async () => [],
    },
  };
  openShell(deps as ShellDeps);
  return BrowserWindow.opened[0]!;
}
const preferences = () => openedWindow().options.webPreferences ?? {};
function isPrevented(emit: (event: { preventDefault(): void }) => void): boolean {
  let isStopped = false;
  emit({
    preventDefault: () => {
      isStopped = true;
    },
  });
  return isStopped;
}
const fuses = Object.fromEntries(
  [...readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8').matchAll(/^ {2}(\w+): (true|false)$/gm)].map(
    ([, name, value]) => [name, value === 'true'],
  ),
);

beforeEach(resetElectron);

interface Item {
  title: string;
  /** The lines that satisfy it. */
  lines: readonly [file: string, text: string][];
  /** Tries it. */
  check(): void | Promise<void>;
}

const CHECKLIST: readonly Item[] = [
  {
    title: '1. only load secure content',
    lines: [
      [`${DESKTOP}/shell.ts`, 'void window.loadURL(path === null ? url : `${url}${path}`);'],
      ['src-main/platform/http/app.ts', 'defaultSrc: ["\'self\'"]'],
    ],
    // Loopback is a secure context, and pages load nothing from elsewhere.
    check: () => expect(new URL(openedWindow().loaded ?? '').hostname).toBe('127.0.0.1'),
  },
  {
    title: '2. no Node.js integration for remote content',
    lines: [[`${DESKTOP}/shell.ts`, 'nodeIntegration: false,']],
    check: () => expect(preferences()).toMatchObject({ nodeIntegration: false, nodeIntegrationInWorker: false }),
  },
  {
    title: '3. context isolation',
    lines: [[`${DESKTOP}/shell.ts`, 'contextIsolation: true,']],
    check: () => expect(preferences().contextIsolation).toBe(true),
  },
  {
    title: '4. process sandboxing',
    lines: [
      ['src-main/app/electron-main.ts', 'app.enableSandbox();'],
      [`${DESKTOP}/shell.ts`, 'sandbox: true,'],
    ],
    check() {
      expect(preferences().sandbox).toBe(true);
      expect(filesWith(/no-sandbox|sandbox: false/)).toEqual([]);
    },
  },
  {
    title: '5. session permission requests from remote content',
    lines: [[`${DESKTOP}/permissions.ts`, 'session.setPermissionRequestHandler(']],
    check() {
      openedWindow();
      const answers: boolean[] = [];
      const ask = (permission: string, requestingUrl: string): void =>
        session.defaultSession.request?.({} as never, permission as never, (answer) => answers.push(answer), {
          ...{ requestingUrl, isMainFrame: true },
        } as never);
      for (const permission of ['media', 'geolocation', 'usb', 'hid', 'notifications', 'clipboard-read'])
        ask(permission, URL_OF_CORE);
      for (const permission of ['serial', 'fileSystem', 'clipboard-sanitized-write'])
        ask(permission, 'https://id.example.org/');
      expect(answers).toEqual(Array.from({ length: 9 }, () => false));
    },
  },
  {
    title: '6. do not disable webSecurity',
    lines: [[`${DESKTOP}/shell.ts`, 'webSecurity: true,']],
    check: () => expect(preferences().webSecurity).toBe(true),
  },
  {
    title: '7. a Content-Security-Policy',
    lines: [['src-main/platform/http/app.ts', 'scriptSrc: ["\'self\'"]']],
    // test/security/headers reads it from replies.
    check: () =>
      expect(readFileSync(join(ROOT, 'src-main/platform/http/app.ts'), 'utf8')).not.toMatch(
        /unsafe-eval'\]|script.*\*/,
      ),
  },
  {
    title: '8. no allowRunningInsecureContent',
    lines: [[`${DESKTOP}/shell.ts`, 'allowRunningInsecureContent: false,']],
    check: () => expect(preferences().allowRunningInsecureContent).toBe(false),
  },
  {
    title: '9. no experimental features',
    lines: [],
    check: () => expect(filesWith(/experimentalFeatures/)).toEqual([]),
  },
  {
    title: '10. no enableBlinkFeatures',
    lines: [],
    check: () => expect(filesWith(/enableBlinkFeatures|commandLine\.appendSwitch/)).toEqual([]),
  },
  {
    title: '11. no allowpopups for webviews',
    lines: [],
    check: () => expect(filesWith(/allowpopups/)).toEqual([]),
  },
  {
    title: '12. verify webviews before they are created: there is none',
    lines: [
      [`${DESKTOP}/shell.ts`, 'webviewTag: false,'],
      [`${DESKTOP}/confine.ts`, "webContents.on('will-attach-webview', (event) => event.preventDefault());"],
    ],
    check() {
      const { webContents } = openedWindow();
      expect(isPrevented((event) => webContents.emit('will-attach-webview', event))).toBe(true);
    },
  },
  {
    title: '13. limit navigation',
    lines: [[`${DESKTOP}/confine.ts`, "webContents.on('will-navigate', (event, url) => {"]],
    check() {
      const { webContents } = openedWindow();
      for (const url of ['https://example.org/', 'file:///etc/passwd', 'http://127.0.0.1:9/', 'data:text/html,x'])
        expect(isPrevented((event) => webContents.emit('will-navigate', event, url))).toBe(true);
      const inFrame = { isMainFrame: false, url: 'https://example.org/' };
      expect(isPrevented((event) => webContents.emit('will-frame-navigate', { ...event, ...inFrame }))).toBe(true);
    },
  },
  {
    title: '14. limit new windows',
    lines: [[`${DESKTOP}/confine.ts`, "return { action: 'deny' };"]],
    check() {
      const { webContents } = openedWindow();
      for (const url of [URL_OF_CORE, 'https://example.org/', 'about:blank', 'javascript:alert(1)'])
        expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    },
  },
  {
    title: '15. no shell.openExternal with untrusted content',
    lines: [[`${DESKTOP}/external-links.ts`, '!allowed().includes(url.origin)) return false;']],
    async check() {
      const { webContents } = openedWindow();
      for (const url of ['https://example.org/', 'file:///bin/sh', 'ms-settings:', 'https://shares.example.org:8443/'])
        webContents.openHandler?.({ url });
      await new Promise((resolve) => setImmediate(resolve));
      expect([systemCalls.external, systemCalls.questions]).toEqual([[], []]);
      // Nothing else opens addresses or programs.
      expect(filesWith(/openExternal\(/)).toEqual([`${DESKTOP}/external-links.ts`, `${DESKTOP}/shell.ts`]);
    },
  },
  {
    title: '16. a current version of Electron',
    lines: [['electron-builder.yml', 'electronVersion: ']],
    check() {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as {
        version: string;
      };
      const built = /^electronVersion: (.+)$/m.exec(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8'))?.[1];
      // The version of the lock is the one that is built and typed against.
      expect(built).toBe(version);
      expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(45);
    },
  },
  {
    title: '17. validate the sender of all messages',
    lines: [[`${DESKTOP}/bridge.ts`, 'sender.parent === null && sender.origin === origin']],
    async check() {
      openedWindow();
      const [handler] = [...ipcMain.handlers.values()];
      expect(ipcMain.handlers.size).toBe(1);
      for (const senderFrame of [
        null,
        { origin: 'https://id.example.org', parent: null },
        { origin: URL_OF_CORE, parent: {} },
      ])
        expect(await handler?.({ senderFrame } as never, 'setMenuLabels', {})).toEqual({ error: 'forbidden' });
      expect(filesWith(/ipc(?:Main)?\.(?:handle|on)\(/)).toEqual([`${DESKTOP}/bridge.ts`]);
    },
  },
  {
    title: '18. no file:// protocol',
    lines: [['electron-builder.yml', 'grantFileProtocolExtraPrivileges: false']],
    check() {
      expect(fuses['grantFileProtocolExtraPrivileges']).toBe(false);
      expect(filesWith(/loadFile\(|'file:|`file:/)).toEqual([]);
    },
  },
  {
    title: '19. fuses',
    lines: [
      ['electron-builder.yml', 'runAsNode: false'],
      ['electron-builder.yml', 'onlyLoadAppFromAsar: true'],
    ],
    check: () =>
      expect(fuses).toMatchObject({
        ...{ runAsNode: false, enableNodeOptionsEnvironmentVariable: false, enableNodeCliInspectArguments: false },
        ...{ enableCookieEncryption: true, enableEmbeddedAsarIntegrityValidation: true, onlyLoadAppFromAsar: true },
      }),
  },
  {
    title: '20. no Electron APIs for untrusted content',
    lines: [[`${DESKTOP}/preload.ts`, 'if (location.origin === origin) {']],
    check() {
      const preload = shellSources.find(({ file }) => file.endsWith('preload.ts'))?.text ?? '';
      expect(preload.match(/contextBridge\.exposeInMainWorld/g)).toHaveLength(1);
      expect(preload).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer/);
    },
  },
];

describe("Electron's security checklist", () => {
  it.each(CHECKLIST)('$title', async ({ lines, check }) => {
    for (const [file, text] of lines) expect(lineOf(file, text)).toMatch(/:\d+$/);
    await check();
  });

  it('has all of its twenty items', () => {
    expect(CHECKLIST.map(({ title }) => Number.parseInt(title, 10))).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });
});

describe('beyond the checklist', () => {
  it('certificates that the system does not trust are refused, and none of its own is sent', () => {
    refuseBadCertificates(app as never);
    const answers: unknown[] = [];
    const answer = (...given: unknown[]): void => void answers.push(given);
    const event = { preventDefault: () => undefined };
    app.emit('certificate-error', event, {}, 'https://id.example.org', 'ERR_CERT_AUTHORITY_INVALID', {}, answer);
    app.emit('select-client-certificate', event, {}, 'https://id.example.org', [], answer);
    expect(answers).toEqual([[false], []]);
    expect(lineOf('src-main/app/electron-main.ts', 'refuseBadCertificates(app);')).toMatch(/:\d+$/);
  });

  it('the spell checker is off, so that it fetches no dictionaries', () => {
    expect(preferences().spellcheck).toBe(false);
    expect(session.defaultSession.spellChecker).toBe(false);
  });

  it('there is no remote module', () => {
    const manifest = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(manifest).not.toContain('node_modules/@electron/remote"');
    expect(filesWith(/enableRemoteModule|\bremote\b/)).toEqual([]);
  });
});
