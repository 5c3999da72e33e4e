import { useSyncExternalStore } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import type { PhoneFolder } from '../../../../src-shared/contract/bridge.ts';
import { now } from '../../../client/clock.ts';
import { onShellSignal } from '../../../client/shell-bridge.ts';
import type { Found } from '../worker/ios-backup/protocol.ts';
import { DirectSource } from './direct-source.ts';
import { lookIn, type LookedIn, type ShellPlace } from './places.ts';
import { askService, ServiceSource } from './service-source.ts';
import { DirectError, type BackupSource, type Device } from './source.ts';
import { watchLeaving } from './watch-leaving.ts';
import { WorkerClient } from './worker-client.ts';

/** Unused for so long, a backup is locked. */
const IDLE_MS = 15 * 60_000;
const TICK_MS = 15_000;
/** A tick this late means that the computer slept. */
const SLEPT_MS = 60_000;
const USES = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export type Progress = { step: 'keys' | 'manifest'; rows: number };
/** Why the page locked a backup by itself. */
export type LockReason = 'idle' | 'slept' | 'suspended' | 'left' | 'expired';
interface State {
  /** In the folder that was chosen. */
  found: readonly Found[];
  /** Those that the desktop shell found. */
  inShell: readonly Found[];
  open: BackupSource | null;
  lockedBy: LockReason | null;
}

/** The backup that is open, and those of the folder that was chosen; one for the page. Keys live in the worker, or in the service. */
export class OpenBackups {
  #state: State = { found: [], inShell: [], open: null, lockedBy: null };
  #worker: WorkerClient | null = null;
  /** The one that has looked in all places. */
  #knowing: WorkerClient | null = null;
  #places: { chosen: LookedIn | null; shell: ShellPlace | null } = { chosen: null, shell: null };
  /** How often everything was locked: what was asked for before is not opened after. */
  #lockings = 0;
  #usedAt = 0;
  #tickedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Where lists were scrolled to, by what they show. */
  readonly places = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #forget: () => void = () => {};
  #unwatch: () => void = () => {};

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): State => this.#state;

  constructor() {
    onShellSignal(() => {
      void this.lock('suspended');
    });
  }

  /** Looks for backups in a folder; what was known of another one is forgotten. */
  async choose(place: LookedIn): Promise<readonly Found[]> {
    await this.lock();
    this.#end();
    this.#places = { ...this.#places, chosen: null };
    this.#set({ found: [] });
    const found = await lookIn(await this.#ready(), place);
    this.#places = { ...this.#places, chosen: place };
    this.#set({ found });
    return found;
  }

  /** Looks at what the desktop shell found, beside what was chosen. */
  async addShell(folders: readonly PhoneFolder[]): Promise<void> {
    const known = this.#places.shell?.folders.map(({ key }) => key).join();
    if (known === folders.map(({ key }) => key).join()) return;
    this.#places = { ...this.#places, shell: { kind: 'shell', folders } };
    this.#knowing = null;
    await this.#ready();
  }

  async unlockDirect(
    device: Device,
    passphrase: string,
    client: QueryClient,
    onProgress: (progress: Progress) => void,
  ): Promise<void> {
    await this.lock();
    const asked = this.#lockings,
      worker = await this.#ready();
    worker.onProgress = onProgress;
    await worker.call('unlock', [device.id, passphrase]);
    if (asked !== this.#lockings) throw new DirectError('locked');
    this.#opened(new DirectSource(device, worker), client);
  }

  /** A worker that has looked in all places: one that ended, as in sleep, took what it knew with it. */
  async #ready(): Promise<WorkerClient> {
    const worker = this.#running();
    if (worker === this.#knowing) return worker;
    const { shell, chosen } = this.#places;
    if (shell) this.#set({ inShell: await lookIn(worker, shell) });
    // Who chose a folder means the backup there, also where the shell has one of the same name: the later one is opened.
    if (chosen) this.#set({ found: await lookIn(worker, chosen) });
    this.#knowing = worker;
    return worker;
  }

  #running(): WorkerClient {
    if (this.#worker && !this.#worker.hasEnded) return this.#worker;
    const worker = new WorkerClient();
    worker.onBroken = () => {
      if (this.#worker === worker) void this.lock('expired');
    };
    this.#worker = worker;
    return worker;
  }

  #end(): void {
    this.#worker?.end();
    this.#worker = null;
  }

  async unlockService(device: Device, passphrase: string, client: QueryClient): Promise<void> {
    await this.lock();
    const asked = this.#lockings;
    const response = await askService('unlock', { params: { backup_id: device.id }, body: { password: passphrase } });
    const { session_token: session } = (await response.json()) as { session_token: string };
    const source = new ServiceSource(
      device,
      session,
      () => this.#running(),
      () => {
        void this.lock('expired');
      },
    );
    if (asked === this.#lockings) return this.#opened(source, client);
    await source.lock();
    throw new DirectError('locked');
  }

  /** Drops keys, rows and pictures. Where the page or the computer sleeps there is no time to ask: the worker ends with all that it holds. */
  async lock(reason: LockReason | null = null): Promise<void> {
    const { open } = this.#state;
    if (reason !== null) this.#lockings += 1;
    if (reason !== null && reason !== 'idle') this.#end();
    clearInterval(this.#timer);
    this.#unwatch();
    for (const use of USES) window.removeEventListener(use, this.#used, true);
    this.#set({ open: null, lockedBy: open ? reason : this.#state.lockedBy });
    this.#forget();
    this.#forget = () => {};
    // Who has to unlock again for no doing of theirs finds their place.
    if (reason !== 'expired') this.places.clear();
    await open?.lock();
  }

  #opened(open: BackupSource, client: QueryClient): void {
    this.#forget = () => client.removeQueries({ queryKey: [PHONE_KEY] });
    this.#usedAt = this.#tickedAt = now();
    for (const use of USES) window.addEventListener(use, this.#used, { capture: true, passive: true });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#unwatch = watchLeaving({
      left: () => {
        void this.lock('left');
      },
      seen: () => this.#tick(),
    });
    this.#set({ open, lockedBy: null });
  }

  readonly #used = (): void => {
    this.#usedAt = now();
  };

  #tick(): void {
    const slept = now() - this.#tickedAt > TICK_MS + SLEPT_MS;
    this.#tickedAt = now();
    if (slept) void this.lock('slept');
    else if (now() - this.#usedAt > IDLE_MS) void this.lock('idle');
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** First part of every cache key that holds something out of a backup: emptied when it is locked. */
export const PHONE_KEY = 'phone-open';
const backups = new OpenBackups();

export function useOpenBackups(): State & { backups: OpenBackups } {
  return { backups, ...useSyncExternalStore(backups.subscribe, backups.state) };
}
