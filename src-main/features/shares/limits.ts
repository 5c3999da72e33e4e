import { addressGroup } from '../../platform/http/client-address.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import type { AttemptRepository } from './attempt-repository.ts';
import type { ShareKeys } from './keys.ts';
import { DAY_MS, LIMITS, type Limit } from './numbers.ts';

interface LimitDeps {
  attempts: AttemptRepository;
  clock: Clock;
  keys: ShareKeys;
}
type Counted = readonly [limit: Limit, key: string];

export type ShareLimits = ReturnType<typeof createShareLimits>;

/**
 * Limits what strangers try. Links that do not exist are counted like those that do. Every action belongs into a
 * transaction, so that parallel attempts count as well.
 */
export function createShareLimits(deps: LimitDeps) {
  const { attempts, clock, keys } = deps;
  const linkKey = (tokenHash: string): string => keys.keyOf(`link ${tokenHash}`);
  const addressKey = (ip: string): string => keys.keyOf(`address ${addressGroup(ip)}`);
  const shareKey = (shareId: string): string => keys.keyOf(`share ${shareId}`);
  const sessionKey = (sessionId: number): string => keys.keyOf(`session ${sessionId}`);
  const add = (limits: readonly Counted[]): number[] =>
    limits.map(([limit, key]) => attempts.add(limit.kind, key, toTimestamp(clock.now())));
  /** Counts something, or throws `auth.rate_limited` if that would exceed a limit. */
  const count = (limits: readonly Counted[]): number[] => {
    const blockedMs = blockedFor(deps, limits);
    if (blockedMs > 0)
      throw new Failure('auth.rate_limited', {
        params: { minutes: Math.ceil(blockedMs / 60_000) },
        retryAfter: Math.ceil(blockedMs / 1000),
      });
    return add(limits);
  };
  const wrongCounts = (tokenHash: string, ip: string): Counted[] => [
    [LIMITS.wrongOfPair, `${linkKey(tokenHash)} ${addressKey(ip)}`],
    [LIMITS.wrongOfAddress, addressKey(ip)],
    [LIMITS.wrongOfLink, linkKey(tokenHash)],
  ];
  return {
    /** Whether an address has requested enough codes; asked before any work is done for another one. */
    isRequestBlocked: (ip: string): boolean => blockedFor(deps, [[LIMITS.requestsOfAddress, addressKey(ip)]]) > 0,
    /** Whether a code may be issued, and counts the request. A request beyond the limit of its address counts no more. */
    admitRequest(tokenHash: string, ip: string): boolean {
      const address: Counted = [LIMITS.requestsOfAddress, addressKey(ip)];
      const link: Counted = [LIMITS.requestsOfLink, linkKey(tokenHash)];
      if (blockedFor(deps, [address]) > 0) return false;
      const isFree = blockedFor(deps, [link]) === 0;
      add([address, link]);
      return isFree;
    },
    /** Counts a code as wrong before it is compared; returns the ids for `forgive`. Throws `auth.rate_limited`. */
    countCode: (tokenHash: string, ip: string): number[] => count(wrongCounts(tokenHash, ip)),
    /** Counts that a program asks for the manifest of a SMART Health Link. Throws `auth.rate_limited`. */
    countOpening: (tokenHash: string, ip: string): number[] =>
      count([
        [LIMITS.openingsOfAddress, addressKey(ip)],
        [LIMITS.openingsOfLink, linkKey(tokenHash)],
      ]),
    /** Counts a passcode as wrong before it is compared; returns the ids for `forgive`. Throws `auth.rate_limited`. */
    countPasscode: (tokenHash: string, ip: string): number[] =>
      count([[LIMITS.passcodesOfPair, `${linkKey(tokenHash)} ${addressKey(ip)}`]]),
    /** Counts a file of a SMART Health Link that is fetched. Throws `auth.rate_limited`. */
    countFile: (ip: string): number[] => count([[LIMITS.filesOfAddress, addressKey(ip)]]),
    /** Counts a translation for a session of a share. Throws `auth.rate_limited`. */
    countTranslation: (shareId: string, sessionId: number): number[] =>
      count([
        [LIMITS.translationPause, sessionKey(sessionId)],
        [LIMITS.translationsOfShare, shareKey(shareId)],
      ]),
    /** Translations for a share in the last hour, and milliseconds until a session may ask for another one. */
    translationsOf(shareId: string, sessionId: number): { used: number; pauseMs: number } {
      const { kind, windowMs } = LIMITS.translationsOfShare;
      return {
        used: attempts.count(kind, shareKey(shareId), toTimestamp(clock.now() - windowMs)),
        pauseMs: blockedFor(deps, [[LIMITS.translationPause, sessionKey(sessionId)]]),
      };
    },
    /** What was counted did not happen, or the code was right after all. */
    forgive: (ids: readonly number[]): void => attempts.remove(ids),
    /** Forgets wrong codes for a link, from all addresses. */
    forget(tokenHash: string): void {
      for (const { kind } of [LIMITS.wrongOfPair, LIMITS.wrongOfLink, LIMITS.requestsOfLink])
        attempts.forget(kind, linkKey(tokenHash));
    },
    /** Whether another e-mail may be sent for a link, and counts it. */
    admitMail(tokenHash: string): boolean {
      const key = linkKey(tokenHash);
      const isFree =
        blockedFor(deps, [
          [LIMITS.mailPause, key],
          [LIMITS.mailsOfDay, key],
        ]) === 0;
      if (isFree) add([[LIMITS.mailsOfDay, key]]);
      return isFree;
    },
    /** Writes as many rows as are written for a link that exists, so that the time of the work tells nothing. */
    balance: (rows: number): void => attempts.writeIdle(rows, toTimestamp(clock.now())),
    prune: (): void => attempts.prune(toTimestamp(clock.now() - DAY_MS)),
  };
}

/** Milliseconds until none of the limits applies; 0 if none does. */
function blockedFor({ attempts, clock }: LimitDeps, limits: readonly Counted[]): number {
  const now = clock.now();
  return Math.max(
    0,
    ...limits.map(([{ kind, max, windowMs }, key]) => {
      const decisive = attempts.decisive(kind, key, toTimestamp(now - windowMs), max);
      return decisive === undefined ? 0 : Math.max(1000, fromTimestamp(decisive) + windowMs - now);
    }),
  );
}
