import type { ErrorRequestHandler } from 'express';
import { ZodError } from 'zod';
import { fieldErrorOf } from '../../../src-shared/contract/field-errors.ts';
import { Failure, fail, translateFsError } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { lingerAfterReply } from './server.ts';

const MEBIBYTE = 2 ** 20;
const sizeText = (bytes: number): string =>
  bytes < MEBIBYTE ? `${Math.round(bytes / 1024)} kB` : `${Math.round(bytes / MEBIBYTE)} MB`;

/** Maps errors of Express (body parser, path decoding) to Hearth's codes. */
function fromHttpError(error: { status?: number; type?: string; limit?: number }): Failure | null {
  if (error.type === 'entity.too.large') return fail('request.too_large', { limit: sizeText(error.limit ?? MEBIBYTE) });
  if (error.status === 405) return fail('request.method_not_allowed');
  if (typeof error.status === 'number' && error.status >= 400 && error.status < 500) return fail('request.malformed');
  return null;
}

/** The failures of a schema, one line per field. */
export function invalid(error: ZodError, where: 'params' | 'query' | 'body', input: unknown): Failure {
  return new Failure('request.invalid', { issues: error.issues.map((issue) => fieldErrorOf(issue, where, input)) });
}

/** Status codes of the phone-backup service, which has no more specific ones. */
export const PLAIN_STATUSES: Readonly<Record<number, number>> = {
  413: 400,
  415: 400,
  422: 400,
  409: 400,
  503: 500,
  507: 500,
};

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Turns every error into `{detail, code}`, without a stack, path or SQL. `statuses` overrides some statuses. */
export function answerErrors(log: Log, statuses: Readonly<Record<number, number>> = {}): ErrorRequestHandler {
  return (raw, req, res, _next) => {
    // Whoever asked has left, which ended the work; nobody reads a reply, and nothing went wrong.
    if (isAbort(raw) && res.closed) return;
    const error: unknown = translateFsError(raw);
    const failure = error instanceof Failure ? error : fromHttpError(error as { status?: number });
    const answer = failure ?? fail('server.internal_error');
    if (answer.status >= 500)
      log.error(
        { err: error, method: req.method, route: (req.route as { path?: string } | undefined)?.path },
        answer.code,
      );
    if (res.headersSent) return void res.destroy();
    // A page that is missing now may exist tomorrow, so the reply must not be cached.
    res.setHeader('Cache-Control', 'no-store');
    if (answer.retryAfter !== undefined) res.setHeader('Retry-After', String(answer.retryAfter));
    if (!req.complete && !lingerAfterReply(req)) res.setHeader('Connection', 'close');
    res.status(statuses[answer.status] ?? answer.status).json(answer.body);
  };
}
