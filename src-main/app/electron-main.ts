import { createReadStream } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { app, dialog } from 'electron';
import type { Config } from '../platform/config/config.ts';
import { configFolder, loadConfig } from '../platform/config/load.ts';
import { isLoopback } from '../platform/http/client-address.ts';
import { replaceHosts } from '../platform/kernel/child-host.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { parseOpened, LINK_SCHEME } from './desktop/arguments.ts';
import { refuseBadCertificates } from './desktop/confine.ts';
import { guardCore } from './desktop/core-guard.ts';
import { fillText } from './desktop/fill-text.ts';
import { watchForHangs } from './desktop/hang-watch.ts';
import { systemKeychain } from './desktop/keychain.ts';
import { openShell, type OpenedShell } from './desktop/shell.ts';
import { followUpdates } from './desktop/updates.ts';
import { startUtilityHost } from './desktop/utility-hosts.ts';
import { describeError } from './describe-error.ts';
import { isCommand, ownWords, parseFlags, type CommandWord, type Flags } from './flags.ts';
import { runFlags } from './run-flags.ts';
import type { RunningCore } from './running-core.ts';

/** The core does its heavy work in threads, so its own one is never busy for this long. */
const HANG_MS = 60_000;
/** How long the program that hung may take to end. */
const END_MS = 10_000;

/** What the system asked to open before the window was there, and what opens it later. */
interface Opened {
  files: string[];
  path: string | null;
  shell: OpenedShell | null;
}

/** The words of the command line that are meant for Hearth; a clone names its folder first. */
const wordsOf = (argv: readonly string[]): string[] => ownWords(argv.slice(app.isPackaged ? 1 : 2));

/** Entry for Electron: one instance, the same core as `serve.ts`, and a window that shows it. */
async function startApp(flags: Flags): Promise<void> {
  app.enableSandbox();
  if (flags.safeMode) app.disableHardwareAcceleration();
  refuseBadCertificates(app);
  const opened = followOpening(parseOpened(flags.words));
  await app.whenReady();
  // A free port, so that two users of one computer can both run Hearth.
  const config = loadConfig({ 'http.port': 0, ...flags.config });
  const windowKey = isForWindowOnly(config) ? randomBytes(32).toString('base64url') : null;
  // A program without a terminal writes its log into a file.
  const own = { ...flags, logToFile: flags.logToFile || app.isPackaged };
  const core = await runFlags(own, config, { keychain: systemKeychain(), windowKey, onError: exitWithError });
  guardCore(process, {
    ...{ now: systemClock.now, sleep: systemClock.sleep, restart: core.restart, log: core.log.child('shell') },
    relaunch() {
      relaunch([]);
      // What hangs can't be stopped; the next start finds the queue as it was.
      app.exit(1);
    },
    giveUp: exitWithError,
  });
  if (app.isPackaged) {
    app.setAsDefaultProtocolClient(LINK_SCHEME);
    const words = process.argv.slice(1).filter((word) => word !== '--after-hang');
    watchForHangs({ limitMs: HANG_MS, program: [process.execPath, ...words, '--after-hang'] });
  }
  const deps = { ...core, windowKey, folder: configFolder(), isSafeMode: flags.safeMode };
  const restart = (isSafeMode: boolean): void => {
    relaunch(isSafeMode ? ['--safe-mode'] : []);
    app.quit();
  };
  const shell = openShell({ ...deps, restart }, opened.path);
  opened.shell = shell;
  if (opened.files.length > 0) void shell.show({ files: opened.files, path: null });
  const ending = stopBeforeQuit(core);
  if (app.isPackaged && !flags.safeMode) void lookForUpdates(shell, core, ending);
}

/** Whether nobody asked for a port or an address that others can reach: then only the window is answered. */
const isForWindowOnly = (config: Config): boolean =>
  config['http.port'] === 0 && isLoopback(config['http.host']) && config['http.public_host'] === '';

/** Collects what the system opens with Hearth: files, `hearth://` links, and a second start. */
function followOpening(first: { files: string[]; path: string | null }): Opened {
  const opened: Opened = { ...first, shell: null };
  const open = (more: { files: string[]; path: string | null }, folder?: string): void => {
    if (opened.shell) return void opened.shell.show(more, folder);
    opened.files.push(...more.files);
    opened.path = more.path ?? opened.path;
  };
  app.on('second-instance', (_event, argv, folder) => open(parseOpened(wordsOf(argv).filter(isOpenable)), folder));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open({ files: [path], path: null });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(parseOpened([url]));
  });
  return opened;
}

const isOpenable = (word: string): boolean => !word.startsWith('-');

/** Stops the core before the program ends. */
function stopBeforeQuit(core: Pick<RunningCore, 'stop'>): AbortSignal {
  const ending = new AbortController();
  let isStopped = false;
  app.on('before-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    ending.abort();
    void core.stop().finally(() => {
      isStopped = true;
      app.quit();
    });
  });
  return ending.signal;
}

function lookForUpdates(shell: OpenedShell, { log }: RunningCore, ending: AbortSignal): Promise<void> {
  return followUpdates({
    load: async () => (await import('electron-updater')).default.autoUpdater,
    isWished: () => shell.preferences.get().updates,
    isSigned: process.platform !== 'linux',
    sleep: (ms) => systemClock.sleep(ms, ending),
    onAvailable: (version) => shell.tell(fillText(shell.labels().update_available, { version })),
    onReady: () => shell.tell(shell.labels().update_ready),
    log: log.child('updates'),
  });
}

/** Starts the program again with these flags instead of the present ones for its state. */
function relaunch(flags: string[]): void {
  const kept = process.argv.slice(1).filter((word) => word !== '--safe-mode' && word !== '--after-hang');
  app.relaunch({ args: [...kept, ...flags] });
}

/** `Hearth mcp`, `Hearth verify` and the other commands: the packaged program is also its command line. */
async function runCommand(name: CommandWord, flags: Flags): Promise<void> {
  app.dock?.hide();
  await app.whenReady();
  const { COMMANDS } = await import('./commands.ts');
  const code = await COMMANDS[name]({
    config: loadConfig({ ...flags.config, 'log.level': 'error' }),
    flags,
    words: flags.words.slice(1),
    print: (line) => void process.stdout.write(`${line}\n`),
    // Electron on Windows replaces standard input by an empty one.
    ...(process.platform === 'win32' && { input: createReadStream('', { fd: 0 }) }),
  });
  app.exit(code);
}

/** Waits for the program that hung to end. */
async function lockInstance(isAfterHang: boolean): Promise<boolean> {
  const end = systemClock.now() + (isAfterHang ? END_MS : 0);
  while (!app.requestSingleInstanceLock()) {
    if (systemClock.now() >= end) return false;
    await systemClock.sleep(500);
  }
  return true;
}

function exitWithError(error: unknown): void {
  dialog.showErrorBox('Hearth', describeError(error));
  app.exit(1);
}

async function main(): Promise<void> {
  replaceHosts(startUtilityHost);
  const flags = parseFlags(wordsOf(process.argv));
  const [name] = flags.words;
  if (isCommand(name)) return runCommand(name, flags);
  if (await lockInstance(flags.afterHang)) await startApp(flags);
  else app.quit();
}

main().catch(exitWithError);
