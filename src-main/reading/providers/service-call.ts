import { isServiceAddress, reachOf } from '../../../src-shared/contract/service-address.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import type { Attempt } from './gate.ts';
import { BadAnswer, type ServiceCall } from './models/model.ts';
import type { FailedOutcome, ProviderFailure } from './provider.ts';

/** What Hearth may call. */
export interface NetRules {
  /** Nothing leaves this computer. */
  staysHere(): boolean;
  /** Ports of Hearth itself on this computer, which no provider may be. */
  ownPorts(): readonly number[];
}

/** An answer is text; more fills the memory only. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;

/** A problem of a call; nothing of a foreign answer is in it. */
class CallProblem extends Error {
  readonly code: ProviderErrorCode;
  readonly retryAfterMs: number | undefined;
  constructor(code: ProviderErrorCode, retryAfterMs?: number) {
    super(code);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export type ProviderErrorCode = Extract<ErrorCode, `provider.${string}`>;

const REASONS: Partial<Record<ProviderErrorCode, ProviderFailure>> = {
  'provider.unreachable': 'unreachable',
  'provider.busy': 'unreachable',
  'provider.failed': 'unreachable',
  'provider.too_slow': 'too_slow',
  'provider.too_large': 'too_large',
  'provider.bad_answer': 'bad_answer',
  'provider.stays_here': 'unconfigured',
  'provider.own_address': 'unconfigured',
  'provider.key_refused': 'unconfigured',
  'provider.model_missing': 'unconfigured',
  'provider.local_missing': 'unconfigured',
  'provider.file_missing': 'unconfigured',
  'provider.file_unreadable': 'unconfigured',
  'provider.too_little_memory': 'unconfigured',
};
const CAN_RETRY: ReadonlySet<ProviderErrorCode> = new Set(['provider.unreachable', 'provider.busy', 'provider.failed']);

/** The failure with a code, in the words of Hearth; `provider` is the name that users gave it. */
export const failedAs = (code: ProviderErrorCode, provider: string, params: FailureParams = {}): FailedOutcome => ({
  ok: false,
  reason: REASONS[code] ?? 'bad_answer',
  code,
  params: { ...params, provider },
});

type FailureParams = Record<string, string | number>;
const isProviderCode = (code: string): code is ProviderErrorCode => code.startsWith('provider.');

/** Calls a service once. Its own messages are neither returned nor logged. */
export async function callService<T>(
  { clock, net }: { clock: Clock; net: NetRules },
  provider: string,
  signal: AbortSignal,
  work: (call: ServiceCall) => Promise<T>,
): Promise<Attempt<T>> {
  let problem: CallProblem | null = null;
  const note = (found: CallProblem): CallProblem => (problem ??= found);
  const guarded: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const refused = refusalOf(url, net);
    if (refused) throw note(refused);
    const signals = [signal, ...(init?.signal ? [init.signal] : [])];
    let reply: Response;
    try {
      reply = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) });
    } catch {
      throw note(new CallProblem('provider.unreachable'));
    }
    if (reply.ok) return limitSize(reply);
    await reply.body?.cancel().catch(() => undefined);
    throw note(problemOf(reply, clock));
  };
  try {
    return { ok: true, value: await work({ fetch: guarded, signal }) };
  } catch (error) {
    if (signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
    if (error instanceof Failure && isProviderCode(error.code))
      return failedAs(error.code, provider, error.params as FailureParams);
    // Without a noted problem the request was accepted, and its answer broke off or is not what the interface says.
    const { code, retryAfterMs } = (problem as CallProblem | null) ?? new CallProblem(codeOfBody(error));
    return { ...failedAs(code, provider), canRetry: CAN_RETRY.has(code), retryAfterMs };
  }
}

function refusalOf(url: URL, net: NetRules): CallProblem | null {
  const reach = reachOf(url);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const isOwn = reach === 'this-computer' && net.ownPorts().includes(port);
  if (!isServiceAddress(url) || isOwn) return new CallProblem('provider.own_address');
  return net.staysHere() && reach !== 'this-computer' ? new CallProblem('provider.stays_here') : null;
}

/** Statuses of RFC 9110, 15.5 and 15.6, and of RFC 6585, 4. */
function problemOf({ status, headers }: Response, clock: Clock): CallProblem {
  if (status === 401 || status === 403) return new CallProblem('provider.key_refused');
  if (status === 404) return new CallProblem('provider.model_missing');
  if (status === 413) return new CallProblem('provider.too_large');
  // 529 is Anthropic's "overloaded".
  if (status === 429 || status === 503 || status === 529)
    return new CallProblem('provider.busy', retryAfterOf(headers, clock));
  if (status === 408 || status === 409 || status >= 500)
    return new CallProblem('provider.failed', retryAfterOf(headers, clock));
  return new CallProblem('provider.refused');
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers, clock: Clock): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const moment = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - clock.now());
}

const codeOfBody = (error: unknown): ProviderErrorCode =>
  error instanceof BadAnswer || error instanceof SyntaxError ? 'provider.bad_answer' : 'provider.unreachable';

function limitSize(reply: Response): Response {
  if (reply.body === null) return reply;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_REPLY_BYTES) controller.error(new BadAnswer());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = reply;
  return new Response(reply.body.pipeThrough(limit), { status, statusText, headers });
}
