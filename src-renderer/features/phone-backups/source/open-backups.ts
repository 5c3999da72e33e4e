import { useSyncExternalStore } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import { now } from '../../../app/clock.ts';
import type { Found, Place } from '../../../workers/ios-backup/protocol.ts';
import { DirectSource } from './direct-source.ts';
import { askService, ServiceSource } from './service-source.ts';
import { DirectError, type BackupSource, type Device } from './source.ts';
import { WorkerClient } from './worker-client.ts';

/** Unused for so long, a backup is locked. */
const IDLE_MS = 15 * 60_000;
const TICK_MS = 15_000;
/** A tick this late means that the computer slept. */
const SLEPT_MS = 60_000;
const USES = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export type Progress = { step: 'keys' | 'manifest'; rows: number };
/** Why the page locked a backup by itself. */
export type LockReason = 'idle' | 'slept' | 'suspended';
interface State { found: readonly Found[]; open: BackupSource | null; lockedBy: LockReason | null }

/** The backup that is open, and those of the folder that was chosen; one for the page. Keys live in the worker, or in the service. */
export class OpenBackups {
  #state: State = { found: [], open: null, lockedBy: null };
  #worker: WorkerClient | null = null;
  #usedAt = 0;
  #tickedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #listeners = new Set<() => void>();
  #forget: () => void = () => {};

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): State => this.#state;

  /** Looks for backups in a folder; what was known of another one is forgotten. */
  async choose(place: Place): Promise<readonly Found[]> {
    await this.lock();
    this.#worker?.end();
    this.#worker = new WorkerClient();
    const found = await this.#worker.call('discover', [place], { transfer: place.kind === 'shell' ? [place.port] : [] });
    this.#set({ found });
    return found;
  }

  async unlockDirect(device: Device, passphrase: string, client: QueryClient, onProgress: (progress: Progress) => void): Promise<void> {
    const worker = this.#worker;
    if (!worker) throw new DirectError('locked');
    await this.lock();
    worker.onProgress = onProgress;
    await worker.call('unlock', [device.id, passphrase]);
    this.#opened(new DirectSource(device, worker), client);
  }

  async unlockService(device: Device, passphrase: string, client: QueryClient): Promise<void> {
    await this.lock();
    const response = await askService('unlock', { params: { backup_id: device.id }, body: { password: passphrase } });
    const { session_token: session } = await response.json() as { session_token: string };
    this.#opened(new ServiceSource(device, session, () => (this.#worker ??= new WorkerClient())), client);
  }

  /** Drops keys, rows and pictures. */
  async lock(reason: LockReason | null = null): Promise<void> {
    const { open } = this.#state;
    clearInterval(this.#timer);
    for (const use of USES) window.removeEventListener(use, this.#used, true);
    this.#set({ open: null, lockedBy: open ? reason : this.#state.lockedBy });
    this.#forget();
    this.#forget = () => {};
    await open?.lock();
  }

  #opened(open: BackupSource, client: QueryClient): void {
    this.#forget = () => client.removeQueries({ queryKey: [PHONE_KEY] });
    this.#usedAt = this.#tickedAt = now();
    for (const use of USES) window.addEventListener(use, this.#used, { capture: true, passive: true });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#set({ open, lockedBy: null });
  }

  readonly #used = (): void => { this.#usedAt = now(); };

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
