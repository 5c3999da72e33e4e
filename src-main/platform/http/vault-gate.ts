import type { RequestHandler } from 'express';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import { fail } from '../kernel/errors.ts';

/** Answers no call while the vault is not there or belongs to another program; the page itself is shown. */
export function requireVault(trouble: () => PlainErrorCode | null): RequestHandler {
  return (req, _res, next) => {
    const code = req.path.startsWith('/api/') ? trouble() : null;
    next(code === null ? undefined : fail(code));
  };
}

/** Calls that change nothing that lasts: signing in, and opening another vault. */
const ALLOWED = ['/api/auth/', '/api/vaults/'];

/** Refuses whatever would change a vault that is only shown. */
export const refuseChanges: RequestHandler = (req, _res, next) => {
  const isChange = req.path.startsWith('/api/') && req.method !== 'GET' && req.method !== 'HEAD';
  next(isChange && !ALLOWED.some((path) => req.path.startsWith(path)) ? fail('vault.read_only') : undefined);
};

/** Answers no call while the vault is locked, except those of the lock; the page itself is shown. */
export const requireUnlocked =
  (lockPaths: readonly string[]): RequestHandler =>
  (req, _res, next) =>
    next(req.path.startsWith('/api/') && !lockPaths.includes(req.path) ? fail('vault.locked') : undefined);
