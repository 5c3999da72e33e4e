import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { PhoneFolder } from '../../../../src-shared/contract/bridge.ts';
import { now } from '../../../client/clock.ts';
import { onShellSignal } from '../../../client/shell-bridge.ts';
import type { DiscoveredBackup, UnlockProgress } from '../worker/ios-backup/protocol.ts';
import { DirectSource } from './direct-source.ts';
import { discoverIn, type BackupLocation, type ShellLocation } from './backup-locations.ts';
import { callService, ServiceSource } from './service-source.ts';
import { DirectError, type BackupSource, type Device } from './source.ts';
import { watchLeaving } from './watch-leaving.ts';
import { WorkerClient } from './worker-client.ts';

/** A backup is locked after this time without input. */
const IDLE_MS = 15 * 60_000;
/** How often the service learns that the user still works in the backup: it waits for the same time. */
const KEEP_ALIVE_MS = 5 * 60_000;
const TICK_MS = 15_000;
/** A later tick means that the computer slept. */
const MAX_TICK_DELAY_MS = 60_000;
const INPUT_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Why the page locked a backup by itself. */
export type LockReason = 'idle' | 'slept' | 'suspended' | 'left' | 'expired';
interface State {
  /** Backups in the folder that the user selected. */
  selected: readonly DiscoveredBackup[];
  /** Backups that the desktop shell found. */
  inShell: readonly DiscoveredBackup[];
  open: BackupSource | null;
  lockedBy: LockReason | null;
}

/** The page's open backup, and the backups that the page can open. Keys exist only in the worker or in the service. */
export class OpenBackups {
  #state: State = { selected: [], inShell: [], open: null, lockedBy: null };
  #worker: WorkerClient | null = null;
  /** The worker that has searched all locations. */
  #readyWorker: WorkerClient | null = null;
  #locations: { selected: BackupLocation | null; shell: ShellLocation | null } = { selected: null, shell: null };
  /** Number of times that everything was locked, so that an unlock that began earlier is discarded. */
  #lockCount = 0;
  #lastInputAt = 0;
  #lastTickAt = 0;
  #keptAliveAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Scroll positions of lists, by what they show. */
  readonly scrollPositions = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #clearCache: () => void = () => {};
  #unwatch: () => void = () => {};

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): State => this.#state;

  constructor() {
    onShellSignal(({ kind }) => {
      if (kind !== 'forget-keys') return;
      void this.lock('suspended');
    });
  }

  /** Searches a folder for backups and forgets those of the previous one. */
  async select(location: BackupLocation): Promise<readonly DiscoveredBackup[]> {
    await this.lock();
    this.#endWorker();
    this.#locations = { ...this.#locations, selected: null };
    this.#set({ selected: [] });
    const selected = await discoverIn(await this.#ready(), location);
    this.#locations = { ...this.#locations, selected: location };
    this.#set({ selected });
    return selected;
  }

  /** Adds the folders that the desktop shell found. */
  async addShell(folders: readonly PhoneFolder[]): Promise<void> {
    const knownKeys = this.#locations.shell?.folders.map(({ key }) => key).join();
    if (knownKeys === folders.map(({ key }) => key).join()) return;
    this.#locations = { ...this.#locations, shell: { kind: 'shell', folders } };
    this.#readyWorker = null;
    await this.#ready();
  }

  /** Unlocks a backup in the worker of this page. */
  async unlockDirect(
    device: Device,
    password: string,
    client: QueryClient,
    onProgress: (progress: UnlockProgress) => void,
  ): Promise<void> {
    await this.lock();
    const lockCount = this.#lockCount;
    const worker = await this.#ready();
    worker.onProgress = onProgress;
    await worker.call('unlock', [device.id, password]);
    if (lockCount !== this.#lockCount) throw new DirectError('locked');
    this.#setOpen(new DirectSource(device, worker), client);
  }

  /** A worker that has searched all locations; a new one searches them again. */
  async #ready(): Promise<WorkerClient> {
    const worker = this.#runningWorker();
    if (worker === this.#readyWorker) return worker;
    const { shell, selected } = this.#locations;
    if (shell) this.#set({ inShell: await discoverIn(worker, shell) });
    // The selected folder comes last: if two backups have the same name, the later one is opened.
    if (selected) this.#set({ selected: await discoverIn(worker, selected) });
    this.#readyWorker = worker;
    return worker;
  }

  #runningWorker(): WorkerClient {
    if (this.#worker && !this.#worker.hasEnded) return this.#worker;
    const worker = new WorkerClient();
    worker.onBroken = () => {
      if (this.#worker === worker) void this.lock('expired');
    };
    this.#worker = worker;
    return worker;
  }

  #endWorker(): void {
    this.#worker?.end();
    this.#worker = null;
  }

  /** Unlocks a backup in the service. */
  async unlockService(device: Device, password: string, client: QueryClient): Promise<void> {
    await this.lock();
    const lockCount = this.#lockCount;
    const response = await callService('unlock', { params: { backup_id: device.id }, body: { password: password } });
    const { session_token: session } = (await response.json()) as { session_token: string };
    const source = new ServiceSource(
      device,
      session,
      () => this.#runningWorker(),
      () => {
        void this.lock('expired');
      },
    );
    if (lockCount === this.#lockCount) return this.#setOpen(source, client);
    await source.lock();
    throw new DirectError('locked');
  }

  /**
   * Erases keys, rows and images. Terminates the worker, because a request might not finish before the computer sleeps.
   */
  async lock(reason: LockReason | null = null): Promise<void> {
    const { open } = this.#state;
    if (reason !== null) this.#lockCount += 1;
    if (reason !== null && reason !== 'idle') this.#endWorker();
    clearInterval(this.#timer);
    this.#unwatch();
    for (const event of INPUT_EVENTS) window.removeEventListener(event, this.#noteInput, true);
    this.#set({ open: null, lockedBy: open ? reason : this.#state.lockedBy });
    this.#clearCache();
    this.#clearCache = () => {};
    // After an expired session the user continues where they were.
    if (reason !== 'expired') this.scrollPositions.clear();
    await open?.lock();
  }

  #setOpen(open: BackupSource, client: QueryClient): void {
    this.#clearCache = () => client.removeQueries({ queryKey: [PHONE_KEY] });
    this.#lastInputAt = this.#lastTickAt = this.#keptAliveAt = now();
    for (const event of INPUT_EVENTS) window.addEventListener(event, this.#noteInput, { capture: true, passive: true });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#unwatch = watchLeaving({
      onLeave: () => {
        void this.lock('left');
      },
      onReturn: () => this.#tick(),
    });
    this.#set({ open, lockedBy: null });
  }

  readonly #noteInput = (): void => {
    this.#lastInputAt = now();
  };

  #tick(): void {
    const hasSlept = now() - this.#lastTickAt > TICK_MS + MAX_TICK_DELAY_MS;
    this.#lastTickAt = now();
    if (hasSlept) void this.lock('slept');
    else if (now() - this.#lastInputAt > IDLE_MS) void this.lock('idle');
    else if (this.#lastInputAt > this.#keptAliveAt && now() - this.#keptAliveAt > KEEP_ALIVE_MS) {
      this.#keptAliveAt = now();
      void this.#state.open?.keepAlive();
    }
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** First part of every query key with data of an open backup; these queries are removed when it is locked. */
export const PHONE_KEY = 'phone-open';
const backups = new OpenBackups();

/** The state of the page's backups. */
export function useOpenBackups(): State & { backups: OpenBackups } {
  return { backups, ...useSyncExternalStore(backups.subscribe, backups.state) };
}
