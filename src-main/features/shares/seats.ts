import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fromTimestamp, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { Visitor } from './audit-repository.ts';
import type { ShareKeys } from './keys.ts';
import { ABSENT_MS, IDLE_MS, MIN_TOUCH_MS, PLACE_MS, SESSION_MS } from './numbers.ts';
import type { ShareAudit } from './share-audit.ts';
import type { OpenSession, SeatRepository, SessionRecord, WaiterRecord } from './seat-repository.ts';

/**
 * The seat of a share, or a place in its queue; `share` is the name of the share, and `secret` what the cookie contains.
 */
export type Place = { share: string; recipientLabel: string; secret: string | null; lastsMs: number } & (
  | { status: 'active'; expiresAt: string }
  | { status: 'queued'; expiresAt: string; position: number }
);

/** The share that a place belongs to. */
interface PlaceOf {
  share_id: string;
  recipient_label: string;
  expires_at: string;
}

/**
 * What somebody gives up who leaves: all that the browser carries, with null a place, or the session of this name. With
 * the name of a share, a place of another one stays.
 */
export type Leaving = { session?: string | null | undefined; share?: string | undefined };

/** What the browser of a visitor carries. */
export interface Carried {
  session: string | null;
  place: string | null;
}

export interface SeatDeps {
  writer: Database;
  seats: SeatRepository;
  /** Finds the session of an open share by the hash of its secret. */
  findSession: (sessionHash: string, now: string) => OpenSession | undefined;
  /** Whether a session still has its share open. */
  isSessionOpen: (rowid: number, now: string) => boolean;
  keys: ShareKeys;
  audit: ShareAudit;
  clock: Clock;
  newSecret: () => string;
}

export type Seats = ReturnType<typeof createSeats>;

/** One recipient at a time has a share open; others wait in a queue. */
export const createSeats = (deps: SeatDeps) =>
  bindFirst(deps, {
    ...{ admit, claim, leaveQueue, resolve, isOpen, touch, logout, endOverdue },
    ...{ isIdle: isIdleSession, nameOf: nameOfSession, nameOfShare },
  });

const now = ({ clock }: SeatDeps, offsetMs = 0): string => toTimestamp(clock.now() + offsetMs);

/** A session that was not used for a while; others may take its seat. */
const isIdleSession = ({ clock }: SeatDeps, { last_seen_at }: Pick<SessionRecord, 'last_seen_at'>): boolean =>
  fromTimestamp(last_seen_at) <= clock.now() - IDLE_MS;

/** Waiters who still ask for the seat. */
const presentWaiters = (deps: SeatDeps, shareId: string): WaiterRecord[] =>
  deps.seats
    .waiters(shareId, now(deps))
    .filter(({ queue_expires_at }) => fromTimestamp(queue_expires_at) - PLACE_MS >= deps.clock.now() - ABSENT_MS);

const isSeatTaken = (deps: SeatDeps, shareId: string): boolean =>
  deps.seats.sessions(shareId, now(deps)).some((session) => !isIdleSession(deps, session));

/**
 * Gives the seat, or the last place in the queue, to a visitor with a right code. Joins the transaction of the caller.
 * What the same browser had before ends, also in another share: the new cookie replaces the one that opened it, so
 * nobody could give that seat up any more, and those who wait for it would wait until it is idle.
 */
function admit(deps: SeatDeps, share: PlaceOf, visitor: Visitor, carried: Carried): Place {
  const { seats, keys, audit } = deps;
  const shareId = share.share_id;
  giveUp(deps, shareId, visitor, carried);
  const ahead = presentWaiters(deps, shareId).length;
  if (ahead === 0 && !isSeatTaken(deps, shareId)) {
    const place = giveSeat(deps, share, visitor);
    audit.record({ shareId, action: 'otp_verify_ok', visitor, sessionId: place.sessionId });
    return place;
  }
  const secret = deps.newSecret();
  const expiresAt = earlier(now(deps, PLACE_MS), share.expires_at);
  seats.insertWaiter({
    token_hash: keys.hashSecret(secret),
    share_id: shareId,
    client_ip: visitor.ip,
    user_agent: visitor.userAgent,
    created_at: now(deps),
    queue_expires_at: expiresAt,
  });
  audit.record({ shareId, action: 'otp_verify_queued', visitor });
  return queued(deps, share, secret, expiresAt, ahead + 1);
}

/** Ends what a browser has, since it gets the seat or a place of a share; another one is not told which share that is. */
function giveUp(deps: SeatDeps, newShareId: string, visitor: Visitor, carried: Carried): void {
  const { seats, keys, audit } = deps;
  const own = carried.session === null ? undefined : deps.findSession(keys.hashSecret(carried.session), now(deps));
  if (own && seats.endSession(own.share_id, own.rowid, now(deps)))
    audit.record({
      ...{ shareId: own.share_id, action: 'logout', visitor, sessionId: own.rowid },
      ...(own.share_id === newShareId && { details: { reason: 'new_code' } }),
    });
  const waiting = carried.place === null ? undefined : seats.waiter(keys.hashSecret(carried.place), now(deps));
  if (waiting && seats.removeWaiter(waiting.share_id, waiting.rowid) && waiting.share_id !== newShareId)
    audit.record({ shareId: waiting.share_id, action: 'queue_cancel', visitor });
}

/** Makes a session. Sessions that have become idle end, since their seat is taken. */
function giveSeat(deps: SeatDeps, share: PlaceOf, visitor: Visitor): Place & { status: 'active'; sessionId: number } {
  const { seats, keys, audit, clock } = deps;
  for (const { rowid } of seats.sessions(share.share_id, now(deps)))
    if (seats.endSession(share.share_id, rowid, now(deps)))
      audit.record({
        shareId: share.share_id,
        action: 'session_expired',
        visitor: null,
        sessionId: rowid,
        details: { reason: 'idle' },
      });
  const secret = deps.newSecret();
  const expiresAt = earlier(now(deps, SESSION_MS), share.expires_at);
  const { rowid } = seats.insertSession({
    session_hash: keys.hashSecret(secret),
    share_id: share.share_id,
    client_ip: visitor.ip,
    user_agent: visitor.userAgent,
    created_at: now(deps),
    last_seen_at: now(deps),
    expires_at: expiresAt,
  });
  const lastsMs = fromTimestamp(expiresAt) - clock.now();
  return { status: 'active', ...namesOf(deps, share), secret, lastsMs, expiresAt, sessionId: rowid };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

const namesOf = (deps: SeatDeps, { share_id, recipient_label }: Omit<PlaceOf, 'expires_at'>) => ({
  share: nameOfShare(deps, share_id),
  recipientLabel: recipient_label,
});

const queued = (
  deps: SeatDeps,
  share: Omit<PlaceOf, 'expires_at'>,
  secret: string | null,
  expiresAt: string,
  position: number,
): Place => ({
  status: 'queued',
  ...namesOf(deps, share),
  secret,
  lastsMs: fromTimestamp(expiresAt) - deps.clock.now(),
  expiresAt,
  position,
});

/** Takes the seat for a waiter whose turn it is, or keeps the place; null if the place has expired. */
function claim(deps: SeatDeps, carried: Carried, visitor: Visitor): Place | null {
  const { writer, seats, keys, audit } = deps;
  return writer.transaction(() => {
    const waiter = carried.place === null ? undefined : seats.waiter(keys.hashSecret(carried.place), now(deps));
    if (!waiter) return placeOfSession(deps, carried.session);
    const { share_id: shareId, recipient_label } = waiter;
    const share = { share_id: shareId, recipient_label, expires_at: waiter.share_expires_at };
    const ahead = presentWaiters(deps, shareId).filter(({ rowid }) => rowid < waiter.rowid).length;
    if (ahead > 0 || isSeatTaken(deps, shareId)) {
      const expiresAt = earlier(now(deps, PLACE_MS), share.expires_at);
      seats.keepWaiter(waiter.rowid, expiresAt);
      return queued(deps, share, carried.place, expiresAt, ahead + 1);
    }
    seats.removeWaiter(shareId, waiter.rowid);
    const place = giveSeat(deps, share, visitor);
    audit.record({ shareId, action: 'queue_claim_ok', visitor, sessionId: place.sessionId });
    return place;
  });
}

/** A visitor who has the seat already. */
function placeOfSession(deps: SeatDeps, secret: string | null): Place | null {
  const session = secret === null ? undefined : deps.findSession(deps.keys.hashSecret(secret), now(deps));
  if (!session) return null;
  const { expires_at: expiresAt } = session;
  return {
    status: 'active',
    ...namesOf(deps, session),
    secret: null,
    lastsMs: fromTimestamp(expiresAt) - deps.clock.now(),
    expiresAt,
  };
}

function leaveQueue({ writer, seats, keys, audit, clock }: SeatDeps, place: string | null, visitor: Visitor): void {
  if (place === null) return;
  writer.transaction(() => {
    const waiter = seats.waiter(keys.hashSecret(place), toTimestamp(clock.now()));
    if (waiter && seats.removeWaiter(waiter.share_id, waiter.rowid))
      audit.record({ shareId: waiter.share_id, action: 'queue_cancel', visitor });
  });
}

/** The session of a cookie, which this use keeps from becoming idle; null if it has ended. */
function resolve(deps: SeatDeps, secret: string): OpenSession | null {
  const session = deps.findSession(deps.keys.hashSecret(secret), now(deps));
  if (!session) return null;
  touch(deps, session);
  return session;
}

/** Whether a session still has its share open; asked again while something long is sent. */
const isOpen = (deps: SeatDeps, rowid: number): boolean => deps.isSessionOpen(rowid, now(deps));

function touch(deps: SeatDeps, session: SessionRecord): void {
  if (fromTimestamp(session.last_seen_at) <= deps.clock.now() - MIN_TOUCH_MS)
    deps.seats.touch(session.rowid, now(deps));
}

/** A name for a share that opens nothing, by which the tabs of a browser tell theirs from another. */
const nameOfShare = ({ keys }: Pick<SeatDeps, 'keys'>, shareId: string): string =>
  keys.keyOf(`name of share ${shareId}`);

/** A name for a session that opens nothing, under which its own tab gives it up. */
const nameOfSession = ({ keys }: SeatDeps, rowid: number): string => keys.keyOf(`name of session ${rowid}`);

/** Whether a place is one of the share of this name. */
function isPlaceOf(deps: SeatDeps, place: string | null, share: string): boolean {
  const waiter = place === null ? undefined : deps.seats.waiter(deps.keys.hashSecret(place), now(deps));
  return waiter !== undefined && nameOfShare(deps, waiter.share_id) === share;
}

/**
 * Ends what a visitor gives up, and returns whether that was the session and the place: a tab that is closed must not
 * end what another tab of the same browser, which has the same cookies, has opened meanwhile.
 */
function logout(
  deps: SeatDeps,
  carried: Carried,
  visitor: Visitor,
  { session: name, share }: Leaving = {},
): { session: boolean; place: boolean } {
  const { writer, seats, keys, audit } = deps;
  const found = carried.session === null ? undefined : deps.findSession(keys.hashSecret(carried.session), now(deps));
  const isMeant = name === undefined || (found !== undefined && nameOfSession(deps, found.rowid) === name);
  if (found && isMeant)
    writer.transaction(() => {
      if (seats.endSession(found.share_id, found.rowid, now(deps)))
        audit.record({ shareId: found.share_id, action: 'logout', visitor, sessionId: found.rowid });
    });
  const isPlaceMeant = (name ?? null) === null && (share === undefined || isPlaceOf(deps, carried.place, share));
  if (isPlaceMeant) leaveQueue(deps, carried.place, visitor);
  return { session: isMeant, place: isPlaceMeant };
}

/** Ends sessions whose time is over, so that the trail says when, and forgets places that have expired. */
function endOverdue(deps: SeatDeps): void {
  const { writer, seats, audit } = deps;
  writer.transaction(() => {
    for (const { share_id: shareId, rowid } of seats.overdue(now(deps)))
      if (seats.endSession(shareId, rowid, now(deps)))
        audit.record({
          shareId,
          action: 'session_expired',
          visitor: null,
          sessionId: rowid,
          details: { reason: 'time' },
        });
    seats.removeExpiredWaiters(now(deps));
  });
}
