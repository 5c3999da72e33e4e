import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import PQueue from 'p-queue';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { randomDigits } from '../../platform/kernel/ids.ts';
import type { Log } from '../../platform/kernel/log.ts';
import { createFairQueue, type FairQueue } from '../../platform/kernel/fair-queue.ts';
import type { Visitor } from './audit-repository.ts';
import type { CodeRecord, CodeRepository } from './code-repository.ts';
import type { ShareKeys } from './keys.ts';
import type { ShareLimits } from './limits.ts';
import { CODE_DIGITS, CODE_MS, MAX_ATTEMPTS } from './numbers.ts';
import type { ShareRecord } from './repository.ts';
import type { Carried, Place, Seats } from './seats.ts';
import type { ShareAudit } from './share-audit.ts';
import { shareStatus } from './share-status.ts';

/** An e-mail with a code. */
export interface CodeMail {
  to: string;
  code: string;
  recipientLabel: string;
  language: CoreLanguage;
  minutes: number;
}
/** Sends an e-mail, until it is aborted; null while no server is set up. */
export type SendCode = ((mail: CodeMail, signal: AbortSignal) => Promise<void>) | null;

export interface CodeDeps {
  writer: Database;
  codes: CodeRepository;
  keys: ShareKeys;
  limits: ShareLimits;
  seats: Seats;
  audit: ShareAudit;
  clock: Clock;
  log: Log;
  sendCode: () => SendCode;
}
interface Deps extends CodeDeps {
  /** Comparisons are slow on purpose; many at once must not keep the household from its files. */
  comparing: PQueue;
  /** Work that is done after the reply, so that the time of a reply tells nothing. */
  afterwards: PQueue;
  /** E-mails are sent in turns by share, so that a slow one holds up no code of another share. */
  mailing: FairQueue;
  /** Aborted when e-mails are to be given up. */
  stopped: AbortController;
}

/** Codes that are compared at the same time, and that wait for it; more are refused, whatever their link. */
const MAX_COMPARING = 2;
const MAX_WAITING = 100;
/** Requests that wait for a code; more are dropped, whatever their link. */
const MAX_PENDING = 500;
/** E-mails that are sent at the same time, and how long one may take, with its waiting, in ms. */
const MAX_MAILING = 8;
const MAIL_MS = 60_000;
/** How long e-mails may go on when the program stops. */
const LAST_MAILS_MS = 3000;
/** Rows that are written for a link that exists: with a new code, with an attempt, and with a wrong one. */
const ROWS = { issued: 4, attempt: 2, recorded: 2 } as const;

export type Codes = ReturnType<typeof createCodes>;

/** One-time codes: issued for a link, used for a seat. */
export function createCodes(dependencies: CodeDeps) {
  const deps: Deps = {
    ...dependencies,
    afterwards: new PQueue({ concurrency: 1 }),
    comparing: new PQueue({ concurrency: MAX_COMPARING }),
    mailing: createFairQueue(MAX_MAILING),
    stopped: new AbortController(),
  };
  const settled = async (): Promise<void> => {
    await deps.afterwards.onIdle();
    await deps.mailing.settled();
  };
  return {
    ...bindFirst(deps, { delivery, request, verify }),
    /** Resolves when what replies left to be done is done. */
    settled,
    /** The same, but gives up e-mails that take long. */
    async close(): Promise<void> {
      const done = new AbortController();
      await Promise.race([settled(), deps.clock.sleep(LAST_MAILS_MS, done.signal)]);
      done.abort();
      deps.stopped.abort();
      await settled();
    },
  };
}

/** How the code of a link arrives. One that ended or never existed is answered like most of those that are open. */
function delivery(deps: Deps, token: string): 'manual' | 'email' {
  const share = deps.codes.shareOfToken(deps.keys.hashSecret(token));
  return isOpen(deps, share) ? share.otp_delivery : 'manual';
}

/** Issues a code after the reply. Work and reply are the same for a link that does not exist. */
function request(deps: Deps, token: string, visitor: Visitor, language: CodeMail['language']): void {
  if (deps.afterwards.size < MAX_PENDING && !deps.limits.isRequestBlocked(visitor.ip))
    later(deps, () => issue(deps, token, visitor, language));
}

function later({ afterwards, clock, log }: Deps, work: () => void | Promise<void>): void {
  void afterwards
    .add(async () => {
      await clock.sleep(0);
      await work();
    })
    .catch((err: unknown) => log.error({ err }, 'a code could not be issued or recorded'));
}

const isOpen = ({ clock }: Deps, share: ShareRecord | undefined): share is ShareRecord =>
  share !== undefined && shareStatus(share, toTimestamp(clock.now())) === 'active';

async function issue(deps: Deps, token: string, visitor: Visitor, language: CodeMail['language']): Promise<void> {
  const { writer, codes, keys, limits, audit, clock } = deps;
  const tokenHash = keys.hashSecret(token);
  const code = randomDigits(CODE_DIGITS);
  const id = codes.shareOfToken(tokenHash)?.share_id ?? '';
  const codeHash = await keys.hashCode(id, code);
  const share = writer.transaction(() => {
    const isAdmitted = limits.admitRequest(tokenHash, visitor.ip);
    const found = codes.shareOfToken(tokenHash);
    if (!isAdmitted || !isOpen(deps, found)) {
      limits.balance(ROWS.issued);
      return undefined;
    }
    const isMail = found.otp_delivery === 'email';
    if (isMail && !limits.admitMail(tokenHash)) {
      audit.record({ shareId: id, action: 'otp_email_rate_limited', visitor });
      return undefined;
    }
    codes.insert({
      share_id: id,
      code_hash: codeHash,
      code_encrypted: isMail ? null : keys.sealCode(id, code),
      expires_at: toTimestamp(clock.now() + CODE_MS),
      created_at: toTimestamp(clock.now()),
    });
    audit.record({ shareId: id, action: 'otp_request', visitor });
    return found;
  });
  if (share?.otp_delivery === 'email') mailLater(deps, share, { code, language }, visitor);
}

/** Sends an e-mail when it is its turn; nobody waits for it. */
function mailLater(deps: Deps, share: ShareRecord, sent: Pick<CodeMail, 'code' | 'language'>, visitor: Visitor): void {
  const { mailing, clock, log, stopped } = deps;
  const [late, done] = [new AbortController(), new AbortController()];
  void clock.sleep(MAIL_MS, done.signal).then((isLate) => isLate && late.abort());
  const signal = AbortSignal.any([late.signal, stopped.signal]);
  void mailing
    .run(share.share_id, () => mailCode(deps, share, sent, { visitor, signal }))
    .catch((err: unknown) => log.error({ err }, 'a code that was sent by e-mail could not be recorded'))
    .finally(() => done.abort());
}

async function mailCode(
  deps: Deps,
  share: ShareRecord,
  sent: Pick<CodeMail, 'code' | 'language'>,
  { visitor, signal }: { visitor: Visitor; signal: AbortSignal },
): Promise<void> {
  const { audit, log } = deps;
  const { share_id: shareId, recipient_contact: to, recipient_label: recipientLabel } = share;
  const send = deps.sendCode();
  try {
    if (send === null || to === null) throw fail('share.email_not_set_up');
    if (signal.aborted) throw fail('mail.server_unreachable');
    await send({ ...sent, to, recipientLabel, minutes: CODE_MS / 60_000 }, signal);
    audit.record({ shareId, action: 'otp_email_sent', visitor });
  } catch (error) {
    // A mail server quotes addresses in its replies, so only the kind of the error is kept.
    const { code: cause = 'unknown' } = error as { code?: unknown };
    log.warn({ err: error }, 'a code could not be sent by e-mail');
    audit.record({ shareId, action: 'otp_email_failed', visitor, details: { cause: String(cause).slice(0, 60) } });
  }
}

/**
 * Opens a share with a code. Every attempt counts as wrong before it is compared, so that parallel ones count as well;
 * for a link that does not exist, the same is done.
 * @throws `auth.rate_limited`, `share.too_many_requests`, `share.code_wrong`
 */
async function verify(deps: Deps, token: string, code: string, visitor: Visitor, carried: Carried): Promise<Place> {
  const { writer, codes, keys, limits, seats, clock } = deps;
  if (deps.comparing.size >= MAX_WAITING) throw fail('share.too_many_requests');
  const tokenHash = keys.hashSecret(token);
  const { share, live, counted } = writer.transaction(() => {
    const ids = limits.countCode(tokenHash, visitor.ip);
    const found = codes.shareOfToken(tokenHash);
    // Looked for without a share as well, so that the time is the same.
    const newest = codes.newest(found?.share_id ?? '');
    const usable = isOpen(deps, found) ? usableCode(deps, newest) : null;
    if (usable) codes.countAttempt(usable);
    else limits.balance(ROWS.attempt);
    return { share: found, live: usable, counted: ids };
  });
  const digits = code.replace(/[\s-]/g, '');
  const isRight = await deps.comparing.add(() =>
    keys.codeMatches(share?.share_id ?? '', digits, live?.code_hash ?? null),
  );
  const place =
    isRight && share && live
      ? writer.transaction(() => {
          // The share may have been revoked while the code was compared.
          const current = codes.shareOfToken(tokenHash);
          if (current?.revoked_at !== null || !codes.use(live, toTimestamp(clock.now()))) return null;
          limits.forgive(counted);
          return seats.admit(share, visitor, carried);
        })
      : null;
  if (place) return place;
  later(deps, () => recordWrong(deps, tokenHash, visitor, live !== null));
  throw fail('share.code_wrong');
}

function usableCode({ clock }: Deps, code: CodeRecord | undefined): CodeRecord | null {
  const isUsable = code?.used_at === null && code.expires_at > toTimestamp(clock.now()) && code.attempts < MAX_ATTEMPTS;
  return isUsable ? code : null;
}

/** What follows a reply is the same for a link that does not exist: it holds up the next request as long. */
function recordWrong(deps: Deps, tokenHash: string, visitor: Visitor, wasOpen: boolean): void {
  const { writer, codes, audit, limits, clock } = deps;
  writer.transaction(() => {
    const current = codes.shareOfToken(tokenHash);
    if (!current) return limits.balance(ROWS.recorded);
    const { share_id: shareId, failed_codes: failures } = current;
    audit.record({ shareId, action: 'otp_verify_fail', visitor });
    if (wasOpen && shareStatus(current, toTimestamp(clock.now())) === 'locked')
      audit.record({ shareId, action: 'share.locked', visitor, details: { failures } });
  });
}
