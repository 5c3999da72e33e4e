import type { ErrorReference } from '../../../../src-shared/contract/errors.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/errors.ts';
import { findProgram } from '../../../platform/kernel/find-program.ts';
import { startProgram } from '../../../platform/kernel/running-program.ts';
import { tunnelFor } from './settings.ts';
import type { TunnelProgram, TunnelSettings } from './tunnel-program.ts';

export type { TunnelSettings } from './tunnel-program.ts';

export type TunnelState =
  | { status: 'off' }
  | { status: 'starting' }
  | {
      status: 'open';
      /** Without a trailing slash. */
      address: string;
      /** Milliseconds since the epoch. */
      since: number;
    }
  | {
      status: 'failed';
      error: ErrorReference;
      /** When it is tried again; null if that would not help. */
      retryAt: number | null;
    };

/** A public address for a port of this computer, as long as it is wanted. */
export interface Tunnel {
  state(): TunnelState;
  /** Opens the tunnel, and keeps it open until `stop`; an open one is closed first. Errors are in the state. */
  start(settings: TunnelSettings, port: number): Promise<void>;
  /** Closes the tunnel; resolves when its program and all that it started have ended. */
  stop(): Promise<void>;
}

export interface TunnelDeps {
  clock: Clock;
  /** Called after each change. */
  onChange?: (state: TunnelState) => void;
}

/** Time until a tunnel must have reported its address. */
const OPENING_MS = 45_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A tunnel that was open for so long works, and its next failure is the first one. */
const STEADY_MS = 60_000;

/** How long to wait after so many failures in a row. */
export const retryDelay = (failures: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1));

/** Creates a tunnel that is off. */
export function createTunnel({ clock, onChange }: TunnelDeps): Tunnel {
  let state: TunnelState = { status: 'off' };
  let current: { stop: AbortController; ended: Promise<void> } | null = null;
  const change = (next: TunnelState): void => {
    state = next;
    onChange?.(next);
  };
  const stop = async (): Promise<void> => {
    const ending = current;
    if (!ending) return;
    ending.stop.abort();
    await ending.ended;
    if (current !== ending) return;
    current = null;
    change({ status: 'off' });
  };
  return {
    state: () => state,
    stop,
    async start(settings, port) {
      while (current) await stop();
      const controller = new AbortController();
      const report = (next: TunnelState): void => {
        if (!controller.signal.aborted) change(next);
      };
      current = { stop: controller, ended: keepOpen(settings, port, { clock, report, signal: controller.signal }) };
    },
  };
}

interface Run {
  clock: Clock;
  report: (state: TunnelState) => void;
  signal: AbortSignal;
}

async function keepOpen(settings: TunnelSettings, port: number, run: Run): Promise<void> {
  const { clock, report, signal } = run;
  for (let failures = 1; !signal.aborted; failures += 1) {
    report({ status: 'starting' });
    let end: TunnelEnd;
    try {
      // A program is read from its first line on.
      const tunnel = tunnelFor(settings, port);
      if ('publicUrl' in tunnel) return report({ status: 'open', address: tunnel.publicUrl, since: clock.now() });
      end = await runProgram(tunnel, run);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return report({ status: 'failed', error: { code: error.code, params: { ...error.params } }, retryAt: null });
    }
    if (signal.aborted) return;
    if (end.openMs >= STEADY_MS) failures = 1;
    const delay = retryDelay(failures);
    report({ status: 'failed', error: end.error, retryAt: end.isFinal ? null : clock.now() + delay });
    if (end.isFinal || !(await clock.sleep(delay, signal))) return;
  }
}

interface TunnelEnd {
  error: ErrorReference;
  isFinal: boolean;
  /** How long it was open. */
  openMs: number;
}

/** Runs the program of a tunnel until it ends, or `signal` ends it. */
async function runProgram(tunnel: TunnelProgram, { clock, report, signal }: Run): Promise<TunnelEnd> {
  const { command, args, read } = tunnel;
  const name = { program: command.replace(/^.*[\\/]/, '') };
  const missing = { error: { code: 'tunnel.program_missing', params: name }, isFinal: true, openMs: 0 } as const;
  const path = findProgram(command);
  if (path === null) return missing;
  let openSince: number | null = null;
  let address: string | null = null;
  let cause: Pick<TunnelEnd, 'error' | 'isFinal'> | null = null;
  const opening = new AbortController();
  const program = startProgram(path, args, (line) => {
    const news = read(line);
    if (news?.error) cause ??= { error: news.error, isFinal: news.isFinal ?? false };
    if (news?.isFinal) return stop();
    if (news?.address === undefined || news.address === address) return;
    address = news.address;
    opening.abort();
    openSince ??= clock.now();
    report(address === null ? { status: 'starting' } : { status: 'open', address, since: clock.now() });
  });
  const stop = (): void => void program.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void clock.sleep(OPENING_MS, AbortSignal.any([opening.signal, signal])).then((passed) => {
    if (!passed) return;
    cause ??= { error: { code: 'tunnel.no_address', params: name }, isFinal: false };
    stop();
  });
  const end = await program.ended;
  signal.removeEventListener('abort', stop);
  opening.abort();
  if (end.kind === 'missing') return missing;
  const ended = { error: { code: 'tunnel.program_ended', params: name } as const, isFinal: false };
  return { ...(cause ?? ended), openMs: openSince === null ? 0 : clock.now() - openSince };
}
