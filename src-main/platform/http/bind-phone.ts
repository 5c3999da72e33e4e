import { createHash, timingSafeEqual } from 'node:crypto';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Endpoint } from '../../../src-shared/contract/endpoint.ts';
import { API_TOKEN_HEADER, BACKUP_SESSION_HEADER } from '../../../src-shared/contract/phone-backups/addresses.ts';
import { fail } from '../kernel/errors.ts';
import { abortedWithClient, parse, parseQuery, requireJson, send, type BindDeps, type Handlers } from './bind.ts';
import { makeLater } from './bind-later.ts';
import { answerErrors, PLAIN_STATUSES } from './errors.ts';
import { requireSameOrigin } from './origin.ts';
import { onlyUnder } from './roots.ts';

/** What a handler of the phone-backup service receives besides its input. */
export interface PhoneCall {
  /** The value of `X-Backup-Session`. */
  session: string | null;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

type HandlersOf<T extends Record<string, Endpoint>> = {
  [K in keyof T]: (input: Parameters<Handlers<T>[K]>[0], call: PhoneCall) => ReturnType<Handlers<T>[K]>;
};
export type PhoneHandlers<T extends Record<string, Endpoint>> = HandlersOf<T>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Accepts requests with the token, compared in constant time. Paths in `open` need none. */
export function requireToken(token: string, open: readonly string[]): RequestHandler {
  const expected = digest(token);
  return (req, _res, next) => {
    if (open.includes(req.path) || timingSafeEqual(digest(req.get(API_TOKEN_HEADER) ?? ''), expected)) return next();
    next(fail('token.invalid'));
  };
}

interface PhoneDeps extends Pick<BindDeps, 'log'> {
  prefix?: string;
  mayUse?: (req: Request) => void;
}

/** Routes of the phone-backup service, whose contract is loaded when it is first asked for. */
export function bindPhoneLater<const T extends Record<string, Endpoint>>(
  load: () => Promise<T>,
  handlers: HandlersOf<T>,
  deps: PhoneDeps,
): Router {
  const routes = makeLater(async () => bindPhone(await load(), handlers, deps));
  return deps.prefix === undefined ? Router().use(routes) : onlyUnder(new Set([deps.prefix]), routes);
}

/**
 * Routes of the phone-backup service. On its own listener the token was checked already; in the core, under `prefix`,
 * `mayUse` requires a signed-in administrator.
 */
function bindPhone<const T extends Record<string, Endpoint>>(
  table: T,
  handlers: HandlersOf<T>,
  { log, prefix = '/', mayUse }: PhoneDeps,
): Router {
  const inner = Router();
  const entries = Object.entries(table).sort(
    ([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')),
  );
  const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
  for (const [name, endpoint] of entries) {
    const handler = handlers[name as keyof T] as (input: unknown, call: PhoneCall) => unknown;
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'delete';
    inner[method](expressPath(endpoint.path), async (req: Request, res: Response) => {
      if (endpoint.access !== 'public') mayUse?.(req);
      if (mayUse) requireSameOrigin(req, false);
      if (endpoint.body) requireJson(req);
      const params = parse(endpoint.params, req.params, 'params');
      const query = parseQuery(endpoint, req.query);
      const body = parse(endpoint.body, req.body, 'body');
      await send(
        endpoint,
        await handler(
          { params, query, body },
          { session: req.get(BACKUP_SESSION_HEADER) || null, signal: abortedWithClient(res) },
        ),
        { log },
        req,
        res,
      );
    });
  }
  for (const path of new Set(entries.map(([, endpoint]) => endpoint.path)))
    inner.all(expressPath(path), () => {
      throw fail('request.method_not_allowed');
    });
  const router = Router();
  router.use(prefix, inner);
  // The service replies in the same way in the core and on its own port.
  if (prefix !== '/') router.use(prefix, answerErrors(log, PLAIN_STATUSES) as ErrorRequestHandler);
  return router;
}
