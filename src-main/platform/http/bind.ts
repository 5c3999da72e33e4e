import { CORE_LANGUAGES, coreLanguage, type CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { ZodError, type z } from 'zod';
import { NO_QUERY, type Endpoint, type Input, type ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller, RecipientCaller, UserCaller } from '../kernel/caller.ts';
import { Failure, fail } from '../kernel/errors.ts';
import { toJson } from '../kernel/kept-json.ts';
import type { Log } from '../kernel/log.ts';
import { sendBytes, type BytesReply } from './bytes.ts';
import { isForwarded } from './client-address.ts';
import { invalid } from './errors.ts';
import { followsParts, sendEvent } from './event-stream.ts';
import { sendLive, type LiveReply } from './live.ts';
import { onlyUnder, rootsOf } from './roots.ts';
import { originOf, requireSameOrigin } from './origin.ts';
import { completeQuery, type FormFields } from './form-fields.ts';
import { declaredFieldsOf } from './reply-fields.ts';
import type { ExpectedForm, UploadedFile } from './uploads.ts';

export interface Cookie {
  set(value: string, maxAgeMs: number): void;
  clear(): void;
}

/** What a handler receives besides its input. */
export interface Call<C extends Caller = Caller> {
  caller: C;
  userAgent: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  cookies: Cookie;
  /** The state of a pending OIDC login; null when there is none or its signature is invalid. */
  signIn: Cookie & { read(): string | null };
  /** The id under which this browser signed in before; null for a new one. */
  device: { read(): string | null; remember(id: string): void };
  /** What a recipient of a share carries: the session, or the place in the queue. */
  recipient: Record<'session' | 'queue', Cookie & { read(): string | null }>;
  /** The language of the browser, of those in which Hearth speaks to people outside. */
  language: CoreLanguage;
  /** What the client accepts (RFC 9110, 12.5.1). */
  accept: string;
  /** The query as it was sent, for endpoints whose parameters are repeated. */
  search: URLSearchParams;
  /** Scheme and host as the browser addresses them: `http://127.0.0.1:8070`. */
  origin: string;
  /** Whether a proxy passed the request on. */
  isForwarded: boolean;
  /** Sends a part of the reply that is being made, if the endpoint has parts and the client follows them. */
  sendPart(part: unknown): void;
  /** Names the record that this call created or changed, for the audit log. */
  setRecordId(id: number | string): void;
  /** Adds details for the audit log; never a secret or personal data. */
  note(details: Record<string, unknown>): void;
  /** Takes a step that can't be undone once the audit log has the call, and not if that fails. */
  afterRecord(step: () => void): void;
  /** Sets another caller for the audit log: the user who just signed in. */
  setCaller(caller: UserCaller): void;
}

type Returned<E extends Endpoint> = E['reply'] extends z.ZodType
  ? ReplyInput<E>
  : E['reply'] extends 'bytes'
    ? BytesReply
    : E['reply'] extends 'live'
      ? LiveReply
      : E['reply'] extends 'redirect'
        ? { location: string }
        : void;
/**
 * Streams the single file of a multipart request to the vault's tmp folder; the handler calls it after its own checks.
 * `given` is the query, completed by the fields of the form.
 */
type WithFile<E extends Endpoint> = E extends { file: string }
  ? E extends { body: z.ZodType }
    ? { /** Null if the request is JSON. */ receive: Receive<E> | null }
    : { receive: Receive<E> }
  : unknown;
type Receive<E extends Endpoint> = () => Promise<UploadedFile & { given: Parsed<E['query']> }>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? Caller
  : E['access'] extends 'recipient'
    ? RecipientCaller
    : UserCaller;

export type Handler<E extends Endpoint> = (
  input: Input<E> & WithFile<E>,
  call: Call<CallerOf<E>>,
) => Returned<E> | Promise<Returned<E>>;
/** One handler for each endpoint of a feature; a missing one does not compile. */
export type Handlers<T extends Record<string, Endpoint>> = { [K in keyof T]: Handler<T[K]> };

export interface BindDeps {
  /** In share mode, only endpoints declared for it are mounted; every other address is not found. */
  mode: 'core' | 'share';
  access: Pick<AccessRules, 'require'>;
  audit: Audit;
  log: Log;
  resolveCaller(req: Request): Caller;
  cookies(res: Response): Cookie;
  signIn(req: Request, res: Response): Call['signIn'];
  device(req: Request, res: Response): Call['device'];
  recipient(req: Request, res: Response): Call['recipient'];
  /** Reads the JSON of endpoints with a body; null where the application does that for every address. */
  readBody: RequestHandler | null;
  receive<Given>(req: Request, form: ExpectedForm<Given>): Promise<UploadedFile & { given: Given }>;
}

type AnyHandler = (input: Record<string, unknown>, call: Call) => unknown;

/** Turns declarations and handlers into routes: authorize, parse, call, check the reply, send. */
export function bind<const T extends Record<string, Endpoint>>(
  table: T,
  handlers: Handlers<T>,
  deps: BindDeps,
): Router {
  if (deps.mode === 'share') return routesOf(table, handlers, deps);
  const roots = rootsOf(table);
  // To make the routes of all features is a tenth of a start. Each makes its own when it is first asked.
  let router: Router | undefined;
  return onlyUnder(roots, (...asked) => (router ??= routesOf(table, handlers, deps))(...asked));
}

/** The routes of a table, made at once. */
export function routesOf<const T extends Record<string, Endpoint>>(
  table: T,
  handlers: Handlers<T>,
  deps: BindDeps,
): Router {
  const isExact = deps.mode === 'share';
  const router = Router({ caseSensitive: isExact, strict: isExact });
  // Literal paths come first, so that /documents/failed is not parsed as an id.
  const entries = Object.entries(table)
    .filter(([, endpoint]) => deps.mode === 'core' || endpoint.inShareMode)
    .sort(([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  for (const [name, endpoint] of entries) {
    const handler = handlers[name as keyof T] as AnyHandler;
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const before = endpoint.body && deps.readBody ? [deps.readBody] : [];
    router[method](endpoint.path.replace(/\{(\w+)\}/g, ':$1'), ...before, (req: Request, res: Response) =>
      serve(endpoint, handler, deps, req, res).catch((error: unknown) => sendFailure(endpoint, error, req, res)),
    );
  }
  // To strangers, an address with another method is an address that does not exist.
  if (deps.mode === 'share') return router;
  for (const path of new Set(entries.map(([, endpoint]) => endpoint.path))) {
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), () => {
      throw fail('request.method_not_allowed');
    });
  }
  return router;
}

const ANY_ORIGIN = 'Access-Control-Allow-Origin';
/** Seconds for which browsers need not ask again. */
const PREFLIGHT_SECONDS = 600;

/**
 * Answers browsers that ask whether pages of other origins may call an endpoint (CORS preflight), for endpoints that
 * are declared so. Every other OPTIONS passes.
 */
export function bindPreflights(table: Readonly<Record<string, Endpoint>>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { method, path, anyOrigin } of Object.values(table)) {
    if (!anyOrigin) continue;
    router.options(path.replace(/\{(\w+)\}/g, ':$1'), (_req, res) => {
      res.setHeader(ANY_ORIGIN, '*');
      res.setHeader('Access-Control-Allow-Methods', method);
      res.setHeader('Access-Control-Allow-Headers', 'Content-Type');
      res.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
      res.status(204).end();
    });
  }
  return router;
}

/** Where every page may call, no cookie counts. */
function callerOf({ anyOrigin }: Endpoint, deps: BindDeps, req: Request): Caller {
  const caller = deps.resolveCaller(req);
  return anyOrigin ? { kind: 'nobody', ip: caller.ip } : caller;
}

async function serve(
  endpoint: Endpoint,
  handler: AnyHandler,
  deps: BindDeps,
  req: Request,
  res: Response,
): Promise<void> {
  if (endpoint.anyOrigin) res.setHeader(ANY_ORIGIN, '*');
  else requireSameOrigin(req, endpoint.csrfExempt ?? false);
  const caller = callerOf(endpoint, deps, req);
  if (endpoint.access === 'recipient') deps.access.require('recipient', caller, undefined);
  else if (endpoint.access !== 'public' && caller.kind !== 'user') throw fail('auth.required');
  const params = parse(endpoint.params, req.params, 'params') as { id?: number; share_id?: string } | undefined;
  const recordId = params?.id ?? params?.share_id;
  const from = fromOf(endpoint);
  if (!from) deps.access.require(endpoint.access, caller, recordId);
  const query = parseQuery(endpoint, req.query);
  const isForm = endpoint.file !== undefined && (!endpoint.body || Boolean(req.is('multipart/form-data')));
  if (endpoint.body && !isForm) requireJson(req);
  const body = isForm ? undefined : parse(endpoint.body, req.body, 'body');
  if (from) requireNamed(deps.access, endpoint.access, caller, fieldAt({ query, body }, from));

  let auditCaller = caller;
  let auditId = recordId;
  let details: Record<string, unknown> | undefined;
  let lastStep = (): void => undefined;
  // Most handlers use only the caller, so everything else is made when a handler asks for it.
  const call: Call = {
    caller,
    get userAgent() {
      return (req.headers['user-agent'] ?? '').slice(0, 500);
    },
    get signal() {
      return abortedWithClient(res);
    },
    get cookies() {
      return deps.cookies(res);
    },
    get signIn() {
      return deps.signIn(req, res);
    },
    get device() {
      return deps.device(req, res);
    },
    get recipient() {
      return deps.recipient(req, res);
    },
    get language() {
      return coreLanguage(req.acceptsLanguages(...CORE_LANGUAGES));
    },
    get accept() {
      return req.headers.accept?.trim() || '*/*'; // an empty field prefers nothing
    },
    get search() {
      return new URL(req.url, 'http://localhost').searchParams;
    },
    get origin() {
      return originOf(req);
    },
    get isForwarded() {
      return isForwarded(req);
    },
    sendPart(part) {
      if (followsParts(endpoint, req) && !res.closed) sendEvent(res, 'part', endpoint.parts?.parse(part));
    },
    setRecordId: (id) => void (auditId = id),
    note: (more) => {
      details = more;
    },
    afterRecord: (step) => {
      lastStep = step;
    },
    setCaller: (user) => {
      auditCaller = user;
    },
  };
  const field = endpoint.file;
  const complete = (fields: FormFields) => completeQuery(endpoint, query, req.query, fields);
  const form = field && { field, readFields: complete };
  const receive = form && { receive: isForm ? () => deps.receive(req, form) : null };
  const result = await handler({ params, query, body, ...receive }, call);
  if (endpoint.audit && !isContinuation(endpoint, req)) {
    deps.audit.record(
      {
        action: endpoint.audit,
        resourceType: endpoint.audit.split('.')[0] ?? endpoint.audit,
        ...(auditId !== undefined && { resourceId: auditId }),
        ...(details && { details }),
      },
      auditCaller,
    );
  }
  lastStep();
  await send(endpoint, result, deps, req, res);
}

/** A signal that is aborted when the client disconnects before the reply was sent. */
export function abortedWithClient(res: Response): AbortSignal {
  const clientAbort = new AbortController();
  const abort = (): void => {
    if (!res.writableFinished) clientAbort.abort();
  };
  if (res.closed || res.destroyed) abort();
  else res.once('close', abort);
  return clientAbort.signal;
}

const fromOf = ({ access }: Endpoint): string | undefined => (typeof access === 'object' ? access.from : undefined);

/** Returns the id at `body.patient_id`; undefined if an optional field is missing. */
function fieldAt(input: { query: unknown; body: unknown }, from: string): number | undefined {
  const [part, field] = from.split('.') as ['query' | 'body', string];
  return ((input[part] ?? {}) as Record<string, number | undefined>)[field];
}

function requireNamed(
  access: BindDeps['access'],
  declared: Endpoint['access'],
  caller: Caller,
  id: number | undefined,
): void {
  if (id !== undefined && id !== null) access.require(declared, caller, id);
}

/** A later range of the same file continues the same download. Nothing is sent to recipients in ranges. */
const isContinuation = ({ reply, access }: Endpoint, req: Request): boolean =>
  req.method === 'HEAD' ||
  (reply === 'bytes' &&
    access !== 'recipient' &&
    req.headers.range !== undefined &&
    !req.headers.range.startsWith('bytes=0-'));

/**
 * Refuses a body that is not declared as JSON, because other sites can send text and forms without a preflight.
 * `Content-Length: 0` means that there is no body.
 */
export function requireJson(req: Request): void {
  const isEmpty = req.headers['content-length'] === '0' && req.headers['transfer-encoding'] === undefined;
  if (!isEmpty && req.is('application/json') === false) throw fail('request.malformed');
}

export function parse(schema: z.ZodType | undefined, value: unknown, where: 'params' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(parsed.error, where, value);
  return parsed.data;
}

/**
 * `?a=1&a=2` uses the last value, and an empty value counts as missing; this API has no nested forms. An unknown
 * parameter is refused even if it is empty.
 */
export function parseQuery(
  { query: schema = NO_QUERY }: Endpoint,
  query: Record<string, unknown>,
): Record<string, unknown> {
  const values = Object.entries(query)
    .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? value.at(-1) : value])
    .filter(([name, value]) => value !== '' || !Object.hasOwn(schema.shape, name));
  return parse(schema, Object.fromEntries(values), 'query') as Record<string, unknown>;
}

/** People who followed a link get a page; other clients get the error as JSON. */
function sendFailure({ failTo }: Endpoint, error: unknown, req: Request, res: Response): void {
  if (
    failTo === undefined ||
    !(error instanceof Failure) ||
    res.headersSent ||
    !req.headers.accept?.includes('text/html')
  )
    throw error;
  const known = Object.entries(error.params).map(([name, value]): [string, string] => [name, String(value)]);
  res.redirect(302, `${failTo}?${new URLSearchParams([['failed', error.code], ...known])}`);
}

export async function send(
  endpoint: Endpoint,
  result: unknown,
  deps: Pick<BindDeps, 'log'>,
  req: Request,
  res: Response,
): Promise<void> {
  if (endpoint.reply === 'bytes') return sendBytes(req, res, result as BytesReply);
  if (endpoint.reply === 'live') return sendLive(req, res, result as LiveReply);
  if (endpoint.reply === 'empty') return void res.status(204).end();
  if (endpoint.reply === 'redirect') return void res.redirect(302, (result as { location: string }).location);
  const reply = declaredFields(endpoint.reply, result, endpoint.path, deps.log);
  if (followsParts(endpoint, req)) {
    sendEvent(res, 'reply', reply);
    return void res.end();
  }
  const status = typeof endpoint.status === 'function' ? endpoint.status(reply as never) : (endpoint.status ?? 200);
  // Express would also compute whether the client's copy is current; API replies have no validators.
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(toJson(reply));
}

const COPIES = new WeakMap<z.ZodType, (reply: unknown) => unknown>();

/** The reply with its declared fields only. */
function declaredFields(schema: z.ZodType, result: unknown, route: string, log: Log): unknown {
  const copy = COPIES.get(schema) ?? declaredFieldsOf(schema);
  COPIES.set(schema, copy);
  try {
    return copy(result);
  } catch (error) {
    const issues = error instanceof ZodError ? error.issues : [];
    log.error(
      { route, issues: issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`) },
      'reply does not fit its schema',
    );
    throw fail('server.internal_error', undefined, error);
  }
}
