import PQueue from 'p-queue';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { FailedOutcome, Outcome } from './provider.ts';

/** Limits of a service, from its credential or the settings. */
export interface GateRules {
  maxConcurrent: number;
  /** Retries after the first attempt. */
  maxRetries: number;
  /** Before each retry; the last value applies to all further ones. */
  backoffSeconds: readonly number[];
  /** Time for one attempt. */
  timeoutSeconds: number;
}

/** The outcome of one request. */
export type Attempt<T> = Outcome<T> & {
  /** Whether the same request may succeed later. */
  canRetry?: boolean;
  /** What the service asks for (RFC 9110, 10.2.3), in milliseconds. */
  retryAfterMs?: number | undefined;
};

export interface GateCounts {
  running: number;
  waiting: number;
}

export interface GateRequest<T> {
  signal: AbortSignal;
  attempt: (signal: AbortSignal) => Promise<Attempt<T>>;
  /** The failure of an attempt that took too long. */
  tooSlow: () => FailedOutcome;
}

/** The one way to a service: all requests with the same credential share its limits. */
export interface Gate {
  /**
   * Runs a request when a slot is free, and again after a failure that may pass. The slot is free again as soon as the
   * attempt ends, takes too long or is cancelled, even if the request itself never settles.
   */
  run<T>(rules: GateRules, request: GateRequest<T>): Promise<Outcome<T>>;
  counts(): GateCounts;
}

/** A service that asks for a longer pause is passed over instead. */
const MAX_PAUSE_MS = 10 * 60_000;
const CANCELLED: FailedOutcome = { ok: false, reason: 'cancelled', code: 'reading.cancelled' };

interface State {
  clock: Clock;
  queue: PQueue;
  /** No request begins before this moment, because the service asked for a pause. */
  pausedUntil: number;
  /** Until then, a service that could not be reached is tried only once. */
  downUntil: number;
}

export function createGate(clock: Clock): Gate {
  const state: State = { clock, queue: new PQueue({ concurrency: 1 }), pausedUntil: 0, downUntil: 0 };
  return {
    run: (rules, request) => runWithRetries(state, rules, request),
    counts: () => ({ running: state.queue.pending, waiting: state.queue.size }),
  };
}

async function runWithRetries<T>(state: State, rules: GateRules, request: GateRequest<T>): Promise<Outcome<T>> {
  const { clock } = state;
  const { maxRetries, backoffSeconds } = rules;
  const { signal } = request;
  for (let retry = 0; ; retry += 1) {
    const outcome = await runAfterPause(state, rules, request);
    if (signal.aborted) return CANCELLED;
    if (outcome.ok) {
      state.downUntil = 0;
      return withoutHints(outcome);
    }
    const backoffMs = (backoffSeconds[Math.min(retry, backoffSeconds.length - 1)] ?? 0) * 1000;
    const pauseMs = outcome.retryAfterMs ?? backoffMs;
    const isKnownDown = clock.now() < state.downUntil;
    if (!outcome.canRetry || retry >= maxRetries || pauseMs > MAX_PAUSE_MS || isKnownDown) {
      if (outcome.reason === 'unreachable') state.downUntil = clock.now() + backoffMs;
      return withoutHints(outcome);
    }
    if (!(await waitUntil(clock, clock.now() + pauseMs, signal))) return CANCELLED;
  }
}

/** A pause that the service asked for may begin while a request waits for its slot. */
async function runAfterPause<T>(state: State, rules: GateRules, request: GateRequest<T>): Promise<Attempt<T>> {
  for (;;) {
    if (!(await waitUntil(state.clock, state.pausedUntil, request.signal))) return CANCELLED;
    const outcome = await runOnce(state, rules, request);
    if (outcome !== 'paused') return outcome;
  }
}

/** False when cancelled. */
async function waitUntil(clock: Clock, moment: number, signal: AbortSignal): Promise<boolean> {
  for (let left = moment - clock.now(); left > 0; left = moment - clock.now())
    if (!(await clock.sleep(left, signal))) return false;
  return !signal.aborted;
}

async function runOnce<T>(
  state: State,
  { maxConcurrent, timeoutSeconds }: GateRules,
  { signal, attempt, tooSlow }: GateRequest<T>,
): Promise<Attempt<T> | 'paused'> {
  const { clock, queue } = state;
  queue.concurrency = maxConcurrent;
  const limit = new AbortController();
  const end = new AbortController();
  const lease = async (): Promise<Attempt<T> | 'paused'> => {
    if (clock.now() < state.pausedUntil) return 'paused';
    void clock.sleep(timeoutSeconds * 1000, end.signal).then((passed) => passed && limit.abort());
    const inner = AbortSignal.any([signal, limit.signal]);
    const expired = new Promise<Attempt<T>>((resolve) =>
      inner.addEventListener('abort', () => resolve(signal.aborted ? CANCELLED : tooSlow()), { once: true }),
    );
    const outcome = await Promise.race([attempt(inner), expired]);
    // Before the slot is free, so that the next request finds the pause.
    if (!outcome.ok && outcome.retryAfterMs !== undefined)
      state.pausedUntil = Math.max(state.pausedUntil, clock.now() + Math.min(outcome.retryAfterMs, MAX_PAUSE_MS));
    return outcome;
  };
  try {
    return await queue.add(lease, { signal });
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    throw error;
  } finally {
    end.abort();
  }
}

function withoutHints<T>(outcome: Attempt<T>): Outcome<T> {
  const { canRetry: _canRetry, retryAfterMs: _retryAfterMs, ...rest } = outcome;
  return rest as Outcome<T>;
}
