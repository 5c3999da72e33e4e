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

/** Files that are still being written, or belong to a program or the system: never a document. */
const UNFINISHED = new RegExp(
  [
    String.raw`(^[.~]|^~\$|\.(part|partial|crdownload|download|tmp|temp|swp|filepart|!ut|opdownload)$|^(Thumbs\.db|`,
    String.raw`desktop\.ini)$)`,
  ].join(''),
  'i',
);
/** A file counts as complete when its size has not changed for this long. */
const STABLE_MS = 2000;
/**
 * Change events get lost (a rename beside another, a network folder, an overflowing queue of the system): this often
 * the inbox is looked through for what nobody announced.
 */
const LOOK_EVERY_MS = 30_000;
/** Empty folders older than a look or two are swept; a person may still be about to fill a new one. */
const SWEEP_EVERY_MS = 10 * 60_000;

export interface WatchDeps {
  /** Absolute path of the vault. */
  root: string;
  store: Pick<DocumentStore, 'adopt' | 'knows'>;
  clock: Clock;
  log: Log;
  /** Seconds between two looks where the system has no change events. */
  pollSeconds: number;
  /** Shorter in tests. */
  stableMs?: number;
  /** Shorter in tests. */
  lookEveryMs?: number;
  onError?: (error: unknown) => void;
}

export interface InboxWatcher {
  /** Also imports files that were already in the folder. Resolves after the first scan. */
  start(): Promise<void>;
  stop(): Promise<void>;
  active(): boolean;
}

/** True for a name that a person put there on purpose. */
export const isFinishedName = (path: string): boolean => !path.split(/[/\\]/).some((part) => UNFINISHED.test(part));

/** Watches `inbox/` with its subfolders and hands over each file once it is complete. */
export function createInboxWatcher({
  root,
  store,
  clock,
  log,
  pollSeconds,
  stableMs = STABLE_MS,
  lookEveryMs = LOOK_EVERY_MS,
  onError,
}: WatchDeps): InboxWatcher {
  const inbox = join(root, FOLDERS.inbox);
  let watcher: FSWatcher | null = null;
  let routine: AbortController | null = null;
  /** Imports run one after the other: a hundred scans at once would not finish sooner. */
  let last: Promise<void> = Promise.resolve();
  /** Vault path and size of what could not be taken in: not tried with every look. */
  const failed = new Map<string, number>();

  const vaultPathOf = (absolute: string): string => relative(root, absolute).split(sep).join('/');

  function take(absolute: string, size: number): void {
    const noticed = vaultPathOf(absolute);
    last = last
      .then(async () => {
        // An upload may have been read and filed while it waited here. A pipe would keep its reader, and all files
        // behind it, waiting for ever.
        if (watcher === null || store.knows(noticed) || !lstatOrNull(absolute)?.isFile()) return;
        await store.adopt({ path: makePathPlain(root, noticed) ?? noticed, size });
      })
      .catch((error: unknown) => {
        failed.set(noticed, size);
        log.error({ err: error }, 'a file of the inbox could not be taken in; the next start tries again');
        onError?.(error);
      });
  }

  /** Imports unannounced files that have not changed since the last scan. */
  async function look(signal: AbortSignal): Promise<void> {
    let before = new Map<string, string>();
    while (await clock.sleep(lookEveryMs, signal)) {
      const now = new Map<string, string>();
      for (const { absolute, size, state } of await finishedFiles(inbox)) {
        const path = vaultPathOf(absolute);
        if (signal.aborted || store.knows(path) || failed.get(path) === size) continue;
        now.set(path, state);
        if (before.get(path) === state) take(absolute, size);
      }
      before = now;
    }
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    while (await clock.sleep(SWEEP_EVERY_MS, signal)) {
      try {
        sweepEmptyFolders(inbox);
      } catch (err) {
        // Somebody removed a folder meanwhile; the next look finds what is left.
        log.warn({ err }, 'the inbox could not be tidied');
      }
    }
  }

  return {
    async start() {
      if (watcher) return;
      const started = watch(inbox, {
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
      watcher = started;
      started.on('add', (path, stats) => take(path, stats?.size ?? 0));
      started.on('unlinkDir', (path) => {
        if (path !== inbox || watcher !== started) return;
        // Whoever empties the inbox with its folder means its content: what is dropped next is to be noticed.
        log.warn({}, 'the inbox was removed and is made anew');
        void this.stop()
          .then(() => {
            mkdirSync(inbox, { recursive: true, mode: 0o700 });
            return this.start();
          })
          .catch((err: unknown) => log.error({ err }, 'the inbox could not be made anew'));
      });
      started.on('error', (error) => log.warn({ err: error }, 'the inbox cannot be watched'));
      routine = new AbortController();
      void sweep(routine.signal);
      void look(routine.signal);
      await new Promise<void>((resolve) => void started.once('ready', () => resolve()));
    },
    async stop() {
      const ending = watcher;
      watcher = null;
      routine?.abort();
      await ending?.close();
      await last;
    },
    active: () => watcher !== null,
  };
}

/**
 * Every regular file below the folder that bears a finished name; links are not followed, a folder that cannot be
 * read hides no other. `state` changes with size and time of change.
 */
async function finishedFiles(folder: string): Promise<{ absolute: string; size: number; state: string }[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter(({ name }) =>
    isFinishedName(name),
  );
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => finishedFiles(join(folder, name))),
  );
  const here = entries
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => {
      const absolute = join(folder, name),
        stat = lstatOrNull(absolute);
      return stat?.isFile() ? [{ absolute, size: stat.size, state: `${stat.size} ${stat.mtimeMs}` }] : [];
    });
  return [...here, ...below.flat()];
}

/** Removes folders without entries below the inbox, never the inbox itself. */
export function sweepEmptyFolders(folder: string, isRoot: boolean = true): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) sweepEmptyFolders(join(folder, entry.name), false);
  }
  if (!isRoot && readdirSync(folder).length === 0) rmdirSync(folder);
}
