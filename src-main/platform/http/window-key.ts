import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { fail } from '../kernel/errors.ts';

/** The header in which the desktop window proves who it is. */
export const WINDOW_KEY_HEADER = 'x-hearth-window';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Answers only requests with this key, so that other programs and users of the computer can't even reach the sign-in.
 * `exceptions` are paths whose callers have keys of their own.
 */
export function requireWindow(key: string, exceptions: readonly string[]): RequestHandler {
  const expected = digest(key);
  return (req, _res, next) => {
    const isException = exceptions.some((path) => req.path === path || req.path.startsWith(`${path}/`));
    const given = req.headers[WINDOW_KEY_HEADER];
    const isWindow = typeof given === 'string' && timingSafeEqual(digest(given), expected);
    next(isException || isWindow ? undefined : fail('request.wrong_window'));
  };
}
