import { Router, type RequestHandler } from 'express';
import type { Endpoint } from '../../../src-shared/contract/endpoint.ts';

/** The fixed start of a path, of two parts at most: `/api/documents` of `/api/documents/{id}`. */
const rootOf = (path: string): string => (/^(?:\/[^/{}]+){1,2}/.exec(path)?.[0] ?? '/').toLowerCase();

/** The fixed starts of all addresses of a table. */
export const rootsOf = (table: Readonly<Record<string, Endpoint>>): ReadonlySet<string> =>
  new Set(Object.values(table).map(({ path }) => rootOf(path)));

/**
 * Passes on what another router answers without trying each path of this one, or making it. Express ignores case, so
 * this does too.
 */
export function onlyUnder(roots: ReadonlySet<string>, routes: RequestHandler): Router {
  const rootOfAnyRequest = /^\/[^/]*(?:\/[^/]*)?/;
  return Router().use((req, res, next) => {
    const root = (rootOfAnyRequest.exec(req.path)?.[0] ?? '').toLowerCase();
    return roots.has(root) ? routes(req, res, next) : next();
  });
}
