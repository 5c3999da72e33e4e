import type { z } from 'zod';
import { ERROR_STATUSES } from '../../src-shared/contract/generated/error-statuses.ts';
import { ADDRESSES } from '../../src-shared/contract/generated/addresses.ts';
import type { Contract } from '../../src-shared/contract/index.ts';
import type { CallArguments, Endpoint, Reply } from '../../src-shared/contract/endpoint.ts';
import type { AnyErrorParams } from '../../src-shared/contract/error-text.ts';
import type { ErrorCode } from '../../src-shared/contract/errors.ts';
import type { FieldError } from '../../src-shared/contract/field-errors.ts';

/**
 * The endpoints with their types. In the page they have only method, path and the form field of a file: their schemas
 * would be a third of the first script.
 */
export const contract = ADDRESSES as unknown as Contract;

/** An error code of the API, or `network` if the core cannot be reached. */
export type FailureCode = ErrorCode | 'network';

/** A failed call; `status` is 0 without a reply. The catalogues word it by `code` and `params`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly params: AnyErrorParams;
  readonly issues: readonly FieldError[];
  constructor(status: number, code: FailureCode, params: AnyErrorParams = {}, issues: readonly FieldError[] = []) {
    super(code);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.params = params;
    this.issues = issues;
  }
}

export const unreachable = (): ApiError => new ApiError(0, 'network');

function codeOf(status: number, code: unknown): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(ERROR_STATUSES, code)) return code as ErrorCode;
  return status === 401 ? 'auth.required' : 'server.internal_error';
}

/** Turns the body of a failed reply into an ApiError, whatever it contains. */
export function failureOf(status: number, text: string): ApiError {
  const body = parse(text) as { code?: unknown; params?: unknown; issues?: unknown } | null;
  const code = codeOf(status, body?.code);
  return new ApiError(
    status,
    code,
    typeof body?.params === 'object' && body.params !== null ? (body.params as AnyErrorParams) : {},
    Array.isArray(body?.issues) ? (body.issues as FieldError[]) : [],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Values = Record<string, unknown>;
/** Values for the parameters that an endpoint declares; the core refuses any other. */
type ValuesFor<Schema> = Schema extends { shape: infer Shape } ? { [Name in keyof Shape]?: unknown } : undefined;

/** Builds the URL of a call from path parameters and query; undefined, null and empty values are omitted. */
export function addressOf<E extends Pick<Endpoint, 'path' | 'query'>>(
  endpoint: E,
  { params, query }: { params?: Values | undefined; query?: ValuesFor<E['query']> | undefined } = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const search = new URLSearchParams(
    Object.entries(query ?? {})
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Headers of every request; the server's same-origin check requires them, and other sites cannot send them. */
export const OWN_HEADERS = { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' };

/**
 * Calls an endpoint of the contract: `call(contract.documents.get, { params: { id: '7' } })`.
 * @throws ApiError for every failure; an AbortError if `signal` aborted it
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const response = await request(endpoint, args, OWN_HEADERS, signal);
  return (response.status === 204 ? undefined : await response.json()) as Reply<E>;
}

/**
 * Calls an endpoint that has parts; `onPart` gets each of them before the reply.
 * @throws as `call` does, and `network` if the reply ends before it is complete
 */
export async function callInParts<E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  onPart: (part: z.output<NonNullable<E['parts']>>) => void,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const response = await request(endpoint, args, { ...OWN_HEADERS, Accept: 'text/event-stream' }, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = () =>
    reader.read().catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw unreachable();
    });
  let rest = '';
  for (let piece = await read(); !piece.done; piece = await read()) {
    const events = (rest + piece.value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/u.exec(event) ?? [];
      if (name === 'reply') return JSON.parse(data) as Reply<E>;
      if (name === 'part') onPart(JSON.parse(data) as z.output<NonNullable<E['parts']>>);
    }
  }
  throw unreachable();
}

/** @throws ApiError for every failure; an AbortError if `signal` aborted it */
async function request(
  endpoint: Endpoint,
  args: object,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { params, query, body } = args as { params?: Values; query?: Values; body?: unknown };
  const response = await fetch(addressOf<Endpoint>(endpoint, { params, query }), {
    method: endpoint.method,
    credentials: 'same-origin',
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw unreachable();
  });
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

/** Waits for good where the vault is locked, because the page is on its way to the lock; throws any other error. */
export function waitForLock(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.code === 'vault.locked') return new Promise(() => undefined);
  throw error;
}
