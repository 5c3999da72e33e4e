import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { Activity, ShellApi } from '../../src-main/app/shell-api.ts';
import { openShell } from '../../src-main/app/desktop/shell.ts';
import { createLog, type Log } from '../../src-main/platform/kernel/log.ts';
import { BrowserWindow, ipcMain, Menu, resetElectron, systemCalls } from '../fakes/electron.ts';

/** The desktop shell on the double of Electron, over a core of which only the answers to the shell are there. */
export const URL_OF_CORE = 'http://127.0.0.1:8070';

export const ADMIN = 'vault_session=signed; other=1';
const phones = {
  baseDirectory: () => '/home/ada/Backup',
  lockAll: async () => {
    world.locked.push('service');
  },
  folders: async () => [
    {
      id: 'phone',
      path: '/home/ada/Backup/phone',
      files: { list: async () => [], size: async () => 7, readRange: async () => new Uint8Array() },
    },
  ],
  foldersIn: async (folder: string) => [
    {
      id: 'old',
      path: `${folder}/old`,
      files: { list: async () => [], size: async () => 9, readRange: async () => new Uint8Array() },
    },
  ],
};

export const NOTHING: Activity = {
  ...{ waiting: 0, isReading: false, isStopped: false, ended: 0, toReview: 0, openings: 0 },
};

/** What the core tells, and what was asked of it; `folder` is that of the configuration. */
export const world = {
  activity: NOTHING,
  listeners: [] as (() => void)[],
  held: [] as string[],
  isShared: false,
  folder: '',
  restarts: [] as boolean[],
  locked: [] as string[],
  /** What the shell warned of. */
  warnings: [] as object[],
};
const silent = createLog('silent');
const log: Log = { ...silent, warn: (about: object) => void world.warnings.push(about) };
const shellApi: ShellApi = {
  activity: (cookie) => (cookie === ADMIN ? world.activity : null),
  fileOf: (cookie, id) => (cookie === ADMIN && id === 7 ? '/home/ada/vault/patients/ada/7.pdf' : null),
  isSignedIn: (cookie) => cookie !== '',
  isAdministrator: (cookie) => cookie === ADMIN,
  shareAddress: () => 'https://shares.example.org',
  hasLiveShares: () => world.isShared,
  holdReading: ({ code }) => void world.held.push(`hold ${code}`),
  releaseReading: (code) => void world.held.push(`release ${code}`),
};

/** Forgets everything before a test. */
export function resetShell(): void {
  resetElectron();
  const folder = mkdtempSync(join(tmpdir(), 'hearth-shell-'));
  Object.assign(world, {
    activity: NOTHING,
    listeners: [],
    held: [],
    isShared: false,
    folder,
    restarts: [],
    locked: [],
    warnings: [],
  });
}
export const removeShell = (): void => rmSync(world.folder, { recursive: true, force: true });

export function open(path: string | null = null, isSafeMode = false) {
  const restart = (isSafe: boolean): void => void world.restarts.push(isSafe);
  return openShell(
    {
      ...{ url: URL_OF_CORE, vaultFolder: () => '/home/ada/vault', phones, log, shellApi },
      ...{ folder: world.folder, windowKey: 'key of the window', isSafeMode, restart },
      onActivity: (listener) => void world.listeners.push(listener),
    },
    path,
  );
}

export function openWindow(): BrowserWindow {
  open();
  const window = BrowserWindow.opened[0];
  if (!window) throw new Error('No window was opened.');
  return window;
}

/** The user at the window signs in. */
export const signIn = (): void => {
  systemCalls.cookies.set(URL_OF_CORE, [
    { name: 'vault_session', value: 'signed' },
    { name: 'other', value: '1' },
  ]);
};
export const frame = { origin: URL_OF_CORE, parent: null };
export const ask = (name: string, args: unknown, senderFrame: unknown = frame): unknown =>
  ipcMain.handlers.get('hearth:call')?.({ senderFrame } as never, name, args);
export const items = () => Menu.template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
export const click = (item: MenuItemConstructorOptions | undefined): void =>
  item?.click?.({} as never, undefined, {} as never);
export const signals = (window: BrowserWindow) =>
  (window.webContents.sent as [string, unknown][])
    .filter(([channel]) => channel === 'hearth:signal')
    .map(([, said]) => said);
