import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { FOLDERS } from '../../platform/vault/layout.ts';
import { lstatOrNull } from '../../platform/vault/paths.ts';
import { makePathPlain } from '../../platform/vault/plain-name.ts';
import type { DocumentStore } from './ports.ts';
import { discRootOf } from './watch-discs.ts';

/** Names of unfinished downloads and of files that belong to a program or the system. */
const UNFINISHED = new RegExp(
  [
    String.raw`(^[.~]|^~\$|\.(part|partial|crdownload|download|tmp|temp|swp|filepart|!ut|opdownload)$|^(Thumbs\.db|`,
    String.raw`desktop\.ini)$)`,
  ].join(''),
  'i',
);
/** Names of files that are still being copied. */
const PARTIAL = /\.(part|partial|crdownload|filepart|download)$/i;
/** A file counts as complete when its size has not changed for this long. */
const STABLE_MS = 2000;
/**
 * How often the inbox is scanned for files without a change event. Events are lost for concurrent renames, on network
 * folders, and when the event queue of the system overflows.
 */
const SCAN_INTERVAL_MS = 30_000;
/** How often empty folders are removed. A new folder is kept for a while, because a user may be about to fill it. */
const TIDY_INTERVAL_MS = 10 * 60_000;

export interface WatchDeps {
  /** Absolute path of the vault. */
  root: string;
  store: Pick<DocumentStore, 'adopt' | 'adoptDisc' | 'knows'>;
  clock: Clock;
  log: Log;
  /** Seconds between two polls on systems without change events. */
  pollSeconds: number;
  /** Shorter in tests. */
  stableMs?: number;
  /** Shorter in tests. */
  scanIntervalMs?: number;
  onError?: (error: unknown) => void;
}

export interface InboxWatcher {
  /** Also imports files that were already in the folder. Resolves after the first scan. */
  start(): Promise<void>;
  stop(): Promise<void>;
  isActive(): boolean;
}

/** Whether a file is not an unfinished download or a file of a program or the system. */
export const isFinishedName = (path: string): boolean => !path.split(/[/\\]/).some((part) => UNFINISHED.test(part));

interface State extends WatchDeps {
  inbox: string;
  stableMs: number;
  watcher: FSWatcher | null;
  /** Ends the repeated scans. */
  stopping: AbortController | null;
  /** Imports run one after the other, because concurrent imports would not finish sooner. */
  lastImport: Promise<void>;
  /** Vault path and size of files that could not be imported; scans skip them. */
  failed: Map<string, number>;
  /** Absolute paths of folders with discs that wait until they are complete. */
  discs: Set<string>;
}

/** Watches `inbox/` with its subfolders and imports each file once it is complete. */
export function createInboxWatcher(deps: WatchDeps): InboxWatcher {
  const state: State = {
    ...deps,
    inbox: join(deps.root, FOLDERS.inbox),
    stableMs: deps.stableMs ?? STABLE_MS,
    watcher: null,
    stopping: null,
    lastImport: Promise.resolve(),
    failed: new Map(),
    discs: new Set(),
  };
  return {
    start: () => startWatching(state),
    stop: () => stopWatching(state),
    isActive: () => state.watcher !== null,
  };
}

const vaultPathOf = ({ root }: State, absolute: string): string => relative(root, absolute).split(sep).join('/');

/** Imports a file after those before it, or the disc that it belongs to. */
function importFile(state: State, absolute: string, size: number): void {
  const { root, store, log, inbox } = state;
  const disc = discRootOf(inbox, absolute);
  if (disc !== null) return void importDisc(state, disc);
  const path = vaultPathOf(state, absolute);
  state.lastImport = state.lastImport
    .then(async () => {
      // The file may have been imported by an upload meanwhile. A pipe would block its reader and all later files.
      if (state.watcher === null || store.knows(path) || !lstatOrNull(absolute)?.isFile()) return;
      await store.adopt({ path: makePathPlain(root, path) ?? path, size });
    })
    .catch((error: unknown) => {
      state.failed.set(path, size);
      log.error({ err: error }, 'a file of the inbox could not be imported; the next start tries again');
      state.onError?.(error);
    });
}

/** Imports a disc once, when none of its files has changed for a while. */
async function importDisc(state: State, folder: string): Promise<void> {
  const { discs, clock, stopping, store, log } = state;
  if (discs.has(folder)) return;
  discs.add(folder);
  let files = await completeFiles(folder);
  for (let before = ''; files === null || versionOf(files) !== before; files = await completeFiles(folder)) {
    before = files === null ? '' : versionOf(files);
    // Drives pause between files.
    if (stopping === null || !(await clock.sleep(2 * state.stableMs, stopping.signal)))
      return void discs.delete(folder);
  }
  const found = files.map(({ absolute, size }) => {
    const path = vaultPathOf(state, absolute);
    return { path: makePathPlain(state.root, path) ?? path, size };
  });
  state.lastImport = state.lastImport
    .then(async () => {
      if (state.watcher !== null && found.length > 0)
        await store.adoptDisc({ path: vaultPathOf(state, folder), files: found });
    })
    .catch((error: unknown) => {
      for (const { path, size } of found) state.failed.set(path, size);
      log.error({ err: error }, 'a disc of the inbox could not be imported; the next start tries again');
      state.onError?.(error);
    })
    .finally(() => discs.delete(folder));
}

/** The files of a folder; null while one of them is still being written under another name. */
async function completeFiles(folder: string): Promise<Awaited<ReturnType<typeof finishedFiles>> | null> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.some((name) => PARTIAL.test(name)) ? null : finishedFiles(folder);
}

const versionOf = (files: Awaited<ReturnType<typeof finishedFiles>>): string =>
  files.map(({ absolute, version }) => `${absolute} ${version}`).join('\n');

/**
 * Imports files without a change event that have not changed since the last scan. The first two scans follow each other
 * soon: a folder that is created while the watcher reads the inbox for the first time has no events.
 */
async function scanRepeatedly(state: State, signal: AbortSignal): Promise<void> {
  let before = new Map<string, string>();
  let interval = state.stableMs;
  do {
    const now = new Map<string, string>();
    for (const { absolute, size, version } of await finishedFiles(state.inbox)) {
      const path = vaultPathOf(state, absolute);
      if (signal.aborted || state.store.knows(path) || state.failed.get(path) === size) continue;
      now.set(path, version);
      if (before.get(path) === version) importFile(state, absolute, size);
    }
    before = now;
    if (!(await state.clock.sleep(interval, signal))) return;
    interval = state.scanIntervalMs ?? SCAN_INTERVAL_MS;
  } while (!signal.aborted);
}

async function tidyRepeatedly({ clock, log, inbox }: State, signal: AbortSignal): Promise<void> {
  while (await clock.sleep(TIDY_INTERVAL_MS, signal)) {
    try {
      removeEmptyFolders(inbox);
    } catch (err) {
      // A folder was removed meanwhile; the next run continues.
      log.warn({ err }, 'empty folders of the inbox could not be removed');
    }
  }
}

async function startWatching(state: State): Promise<void> {
  const { log, inbox } = state;
  if (state.watcher) return;
  const watcher = watchFolder(state);
  state.watcher = watcher;
  watcher.on('add', (path, stats) => importFile(state, path, stats?.size ?? 0));
  watcher.on('unlinkDir', (path) => {
    if (path === inbox && state.watcher === watcher) recreateInbox(state);
  });
  watcher.on('error', (error) => log.warn({ err: error }, 'the inbox cannot be watched'));
  const { signal } = (state.stopping = new AbortController());
  void tidyRepeatedly(state, signal);
  await new Promise<void>((resolve) => void watcher.once('ready', () => resolve()));
  void scanRepeatedly(state, signal);
}

const watchFolder = ({ inbox, stableMs, pollSeconds }: State): FSWatcher =>
  watch(inbox, {
    ignored: (path, stats) =>
      (stats?.isSymbolicLink() ?? false) || (path !== inbox && !isFinishedName(relative(inbox, path))),
    followSymlinks: false,
    ignoreInitial: false,
    alwaysStat: true,
    awaitWriteFinish: { stabilityThreshold: stableMs, pollInterval: Math.min(200, stableMs / 4) },
    interval: pollSeconds * 1000,
    binaryInterval: pollSeconds * 1000,
    atomic: true,
  });

/** Creates and watches the inbox again: a user who deletes the folder means to delete its content. */
function recreateInbox(state: State): void {
  const { log, inbox } = state;
  log.warn({}, 'the inbox was removed and is created again');
  void stopWatching(state)
    .then(() => {
      mkdirSync(inbox, { recursive: true, mode: 0o700 });
      return startWatching(state);
    })
    .catch((err: unknown) => log.error({ err }, 'the inbox could not be created again'));
}

async function stopWatching(state: State): Promise<void> {
  const { watcher } = state;
  state.watcher = null;
  state.stopping?.abort();
  await watcher?.close();
  await state.lastImport;
}

/**
 * Lists finished regular files in all subfolders; skips links and unreadable folders. `version` is size and
 * modification time.
 */
async function finishedFiles(folder: string): Promise<{ absolute: string; size: number; version: string }[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter(({ name }) =>
    isFinishedName(name),
  );
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => finishedFiles(join(folder, name))),
  );
  const here = entries
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => {
      const absolute = join(folder, name);
      const stat = lstatOrNull(absolute);
      return stat?.isFile() ? [{ absolute, size: stat.size, version: `${stat.size} ${stat.mtimeMs}` }] : [];
    });
  return [...here, ...below.flat()];
}

/** Removes folders without entries below the inbox, never the inbox itself. */
export function removeEmptyFolders(folder: string, isRoot: boolean = true): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name), false);
  }
  if (!isRoot && readdirSync(folder).length === 0) rmdirSync(folder);
}
