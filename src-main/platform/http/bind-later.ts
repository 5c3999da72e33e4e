import type { Request, Response, NextFunction, Router } from 'express';
import type { Endpoint } from '../../../src-shared/contract/endpoint.ts';
import { routesOf, type BindDeps, type Handlers } from './bind.ts';
import { onlyUnder } from './roots.ts';

/** A table of endpoints that is loaded when it is first needed. */
export interface TableLater<T> {
  /** The fixed starts of all its addresses, as `rootsOf` finds them. */
  roots: readonly string[];
  load(): Promise<T>;
}

/** Binds handlers to a table that is loaded when an address under its roots is first asked for. */
export function bindLater<const T extends Record<string, Endpoint>>(
  { roots, load }: TableLater<T>,
  handlers: Handlers<T>,
  deps: BindDeps,
): Router {
  return onlyUnder(
    new Set(roots),
    makeLater(async () => routesOf(await load(), handlers, deps)),
  );
}

/** A handler that is made when it is first needed, and again if that failed. */
export function makeLater(make: () => Promise<Router>): (req: Request, res: Response, next: NextFunction) => unknown {
  let made: Router | undefined;
  let making: Promise<Router> | undefined;
  return async (req, res, next) => {
    if (!made) {
      making ??= make().finally(() => (making = undefined));
      made = await making;
    }
    return made(req, res, next);
  };
}
