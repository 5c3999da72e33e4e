import type { z } from 'zod';
import type { Input } from '../../../src-shared/contract/endpoint.ts';
import type { shares as contract, Share } from '../../../src-shared/contract/shares.ts';
import { MAX_SHARED_DOCUMENTS } from '../../../src-shared/contract/share-limits.ts';
import type { ShareService } from '../../../src-shared/contract/shares.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { randomToken } from '../../platform/kernel/ids.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { createAttemptRepository } from './attempt-repository.ts';
import { createShareAuditRepository, type ShareAuditRepository, type ShareEventRecord } from './audit-repository.ts';
import { createCodeRepository, type CodeRepository } from './code-repository.ts';
import { contactKind, requireDelivery } from './contact.ts';
import type { HealthLinks } from './health-link/links.ts';
import { createShareKeys, type ShareKeys } from './keys.ts';
import { createShareLimits, type ShareLimits } from './limits.ts';
import { DAY_MS, IDLE_MS, MAX_ATTEMPTS } from './numbers.ts';
import { createPageCounts, type PageCounts } from './page-counts.ts';
import { createRecordRepository, type RecordRepository } from './record-repository.ts';
import { createShareRepository, type ListedShare, type ShareRepository } from './repository.ts';
import { createSeatRepository, type SeatRepository } from './seat-repository.ts';
import { shareStatus } from './share-status.ts';
import { findUnopenable, type UnopenableDeps } from './unopenable.ts';

export { createHealthLinks } from './health-link/links.ts';
export { createRecipients, type Recipients } from './recipients.ts';
export type { ShareModel, Translator } from './shared-translations.ts';
export { createTranslationOffers, type TranslationOffer } from './translation-offer-repository.ts';
export type { CodeMail, SendCode } from './codes.ts';

type NewShare = Input<typeof contract.create>['body'];
type ActiveCode = z.input<typeof contract.activeOtp.reply>['active_otp'];
type Sessions = z.input<typeof contract.sessions.reply>;
type Trail = z.input<typeof contract.audit.reply>;
type Delivery = z.input<typeof contract.delivery.reply>;
type Closed = z.input<typeof contract.closeService.reply>;

/** The service for recipients, as the household sees it. */
export interface ShareListener {
  /** Starts or ends it with its tunnel, as the shares and the settings demand. */
  refresh(): Promise<void>;
  /** Resolves when its public address is known, or is not to be known soon. */
  addressed(): Promise<void>;
  /** Where links lead now; null while the service does not run, and before its tunnel has an address. */
  knownAddress(): string | null;
  status(): ShareService;
  /** The same for somebody who must not learn whether any share is open. */
  statusAtRest(): ShareService;
  turnOn(): Promise<void>;
  /** Ends it with its tunnel and all connections, until it is turned on. */
  turnOff(): Promise<void>;
}

export interface ShareDeps {
  db: Database;
  access: AccessRules;
  clock: Clock;
  ids: () => string;
  vaultKey: Buffer;
  listener: ShareListener;
  healthLinks: Pick<HealthLinks, 'endOfShare'>;
  /** What recipients are shown. */
  files: Omit<UnopenableDeps, 'repository'>;
  /** Whether codes can be sent by e-mail. */
  canMail: () => boolean;
  /** Which models may translate for recipients. */
  translation: () => Delivery['translation'];
}
interface Deps extends ShareDeps {
  repository: ShareRepository;
  codes: CodeRepository;
  seats: SeatRepository;
  records: RecordRepository;
  pages: PageCounts;
  trail: ShareAuditRepository;
  limits: ShareLimits;
  keys: ShareKeys;
}

export type Shares = ReturnType<typeof createShares>;

/** Shares as the household manages them. */
export function createShares(dependencies: ShareDeps) {
  const { db, clock, vaultKey } = dependencies;
  const keys = createShareKeys(vaultKey);
  const records = createRecordRepository(db);
  const deps: Deps = {
    ...dependencies,
    repository: createShareRepository(db),
    codes: createCodeRepository(db),
    seats: createSeatRepository(db),
    records,
    pages: createPageCounts({ ...dependencies.files, records }),
    trail: createShareAuditRepository(db),
    limits: createShareLimits({ attempts: createAttemptRepository(db), clock, keys }),
    keys,
  };
  return bindFirst(deps, {
    create: createShare,
    list: listShares,
    unopenable,
    revoke: revokeShare,
    reopen: reopenShare,
    renewLink,
    purge: purgeShare,
    audit: readTrail,
    activeCode,
    cancelCode,
    documents: ({ records: read, pages }: Deps, shareId: string, signal: AbortSignal) =>
      pages.complete(shareId, read.documents(shareId), signal),
    addDocuments,
    removeDocument,
    sessions: listSessions,
    endSession,
    dropWaiter,
    service: describeService,
    openService,
    closeService,
    mayFollowService,
    countOpenings: ({ trail, access }: Deps, { userId }: UserCaller) =>
      trail.countOpenings(access.ownedPatients(userId)),
    delivery: ({ canMail, translation }: Deps) => ({ email: canMail(), translation: translation() }),
  });
}

const now = ({ clock }: Deps, offsetMs = 0): string => toTimestamp(clock.now() + offsetMs);
/** The link of an open share, or of one that has ended: its owner must not learn whether others are open. */
const linkTo = ({ listener }: Deps, token: string, isOpen = true): string =>
  `${(isOpen ? listener.status() : listener.statusAtRest()).public_url}/share/${token}`;
const isOpenStatus = (status: Share['status']): boolean => status === 'active' || status === 'locked';
const note = (deps: Deps, event: Omit<ShareEventRecord, 'visitor'>): void =>
  deps.trail.record({ ...event, visitor: null }, now(deps));

/** @throws `share.documents_not_shareable`, `share.name_not_printable`, and what `requireDelivery` throws */
async function createShare(deps: Deps, request: NewShare, user: UserCaller) {
  const { db, repository, keys, ids, listener } = deps;
  const shareId = ids();
  const token = randomToken();
  const documentIds = [...new Set(request.document_ids)];
  const contact = request.recipient_contact ?? null;
  requireDelivery(deps, request.otp_delivery, contact);
  if (!(await deps.files.watermark.canStamp(request.recipient_label))) throw fail('share.name_not_printable');
  const expiresAt = now(deps, request.expires_in_days * DAY_MS);
  db.transaction(() => {
    requireShareable(deps, request.patient_id, documentIds);
    repository.insert({
      share_id: shareId,
      token_hash: keys.hashSecret(token),
      token_encrypted: keys.sealLink(shareId, token),
      patient_id: request.patient_id,
      recipient_label: request.recipient_label,
      recipient_contact: contact,
      otp_delivery: request.otp_delivery,
      default_ocr_provider_id: request.default_ocr_provider_id ?? null,
      default_llm_provider_id: request.default_llm_provider_id ?? null,
      expires_at: expiresAt,
      created_by: user.userId,
      created_at: now(deps),
    });
    repository.addDocuments(shareId, documentIds);
    note(deps, { shareId, action: 'share.create', details: { documents: documentIds.length } });
  });
  await listener.refresh();
  await listener.addressed();
  repository.noteLink(shareId, listener.status().public_url);
  return { share_id: shareId, id: shareId, share_url: linkTo(deps, token), expires_at: expiresAt };
}

function requireShareable({ repository }: Deps, patientId: number, documentIds: readonly number[]): void {
  if (repository.countShareable(patientId, documentIds) < documentIds.length)
    throw fail('share.documents_not_shareable');
}

/** @throws `share.documents_not_shareable` */
function unopenable(deps: Deps, patientId: number, documentIds: readonly number[], signal: AbortSignal) {
  requireShareable(deps, patientId, [...new Set(documentIds)]);
  return findUnopenable({ ...deps.files, repository: deps.repository }, documentIds, signal);
}

function describe(deps: Deps, row: ListedShare): Share {
  const { token_encrypted, link_origin: given, document_ids, ...share } = row;
  const token = deps.keys.openLink(row.share_id, token_encrypted);
  const status = shareStatus(row, now(deps));
  const known = isOpenStatus(status) ? deps.listener.knownAddress() : null;
  return {
    ...share,
    id: row.share_id,
    share_url: token === null ? null : linkTo(deps, token, isOpenStatus(status)),
    link_moved: token !== null && given !== null && known !== null && known !== given,
    contact_kind: contactKind(row.recipient_contact),
    status,
    has_live_code: activeCode(deps, row.share_id) !== null,
    document_ids,
    document_count: document_ids.length,
  };
}

function listShares(deps: Deps, user: UserCaller, patientId: number | undefined): Share[] {
  const { access, repository } = deps;
  const owned = user.role === 'admin' ? null : access.ownedPatients(user.userId);
  const wanted = patientId === undefined ? owned : (owned ?? [patientId]).filter((id) => id === patientId);
  return repository.list(now(deps), wanted).map((row) => describe(deps, row));
}

const requireShare = (deps: Deps, shareId: string): ListedShare =>
  orNotFound(deps.repository.listed(shareId, now(deps)), 'share.not_found');

async function revokeShare(deps: Deps, shareId: string): Promise<{ ok: true }> {
  endShare(deps, shareId);
  await deps.healthLinks.endOfShare(shareId);
  await deps.listener.refresh();
  return { ok: true };
}

/** Ends a share with all sessions, once. */
function endShare(deps: Deps, shareId: string): void {
  const { db, repository, seats } = deps;
  db.transaction(() => {
    if (!repository.revoke(shareId, now(deps))) return;
    for (const { rowid } of seats.sessions(shareId, now(deps))) seats.endSession(shareId, rowid, now(deps));
    seats.removeQueue(shareId);
    note(deps, { shareId, action: 'share.revoke' });
  });
}

/** @throws `share.ended` */
async function reopenShare(deps: Deps, shareId: string): Promise<Share> {
  const { db, repository, limits } = deps;
  db.transaction(() => {
    const share = requireNotEnded(deps, shareId);
    repository.forgetWrongCodes(shareId);
    limits.forget(share.token_hash);
    note(deps, { shareId, action: 'share.reopen' });
  });
  await deps.listener.refresh();
  return describe(deps, requireShare(deps, shareId));
}

/** @throws `share.ended` */
function renewLink(deps: Deps, shareId: string): Share {
  const { db, repository, listener } = deps;
  db.transaction(() => {
    const { link_origin } = requireNotEnded(deps, shareId);
    const known = listener.knownAddress();
    if (known === null || known === link_origin) return;
    repository.noteLink(shareId, known);
    note(deps, { shareId, action: 'share.link.renew' });
  });
  return describe(deps, requireShare(deps, shareId));
}

function requireNotEnded(deps: Deps, shareId: string) {
  const share = orNotFound(deps.repository.get(shareId), 'share.not_found');
  if (!isOpenStatus(shareStatus(share, now(deps)))) throw fail('share.ended');
  return share;
}

async function purgeShare(deps: Deps, shareId: string): Promise<{ ok: true }> {
  deps.db.transaction(() => deps.repository.remove(shareId));
  await deps.healthLinks.endOfShare(shareId);
  await deps.listener.refresh();
  return { ok: true };
}

function readTrail(deps: Deps, shareId: string, withCode: boolean): Trail {
  const events = deps.trail.list(shareId) as Trail['events'];
  return {
    share: describe(deps, requireShare(deps, shareId)),
    audit: events,
    events,
    ...(withCode && { active_otp: activeCode(deps, shareId) }),
  };
}

/** The code that opens the share now; null for one that was sent by e-mail. */
function activeCode(deps: Deps, shareId: string): ActiveCode {
  const { codes, keys, repository } = deps;
  const share = repository.get(shareId);
  const code = share && shareStatus(share, now(deps)) === 'active' ? codes.newest(shareId) : undefined;
  if (!code || code.used_at !== null || code.expires_at <= now(deps) || code.attempts >= MAX_ATTEMPTS) return null;
  const text = code.code_encrypted === null ? null : keys.openCode(shareId, code.code_encrypted);
  return text === null ? null : { code: text, expires_at: code.expires_at, attempts: code.attempts };
}

function cancelCode(deps: Deps, shareId: string): { cancelled: boolean } {
  const cancelled = deps.db.transaction(() => {
    const wasLive = deps.codes.cancel(shareId, now(deps));
    if (wasLive) note(deps, { shareId, action: 'share.otp.cancel' });
    return wasLive;
  });
  return { cancelled };
}

/** @throws `share.ended`, `share.documents_not_shareable`, `share.too_many_documents` */
function addDocuments(deps: Deps, shareId: string, documentIds: readonly number[]): Share {
  const { db, repository } = deps;
  db.transaction(() => {
    const { patient_id } = requireNotEnded(deps, shareId);
    const wanted = [...new Set(documentIds)];
    requireShareable(deps, patient_id, wanted);
    const { document_ids: present } = requireShare(deps, shareId);
    const added = wanted.filter((id) => !present.includes(id));
    if (present.length + added.length > MAX_SHARED_DOCUMENTS)
      throw fail('share.too_many_documents', { limit: MAX_SHARED_DOCUMENTS });
    repository.addDocuments(shareId, added);
    note(deps, { shareId, action: 'share.documents.add', details: { document_ids: added } });
  });
  return describe(deps, requireShare(deps, shareId));
}

/** @throws `share.ended` */
function removeDocument(deps: Deps, shareId: string, documentId: number): Share {
  const { db, repository } = deps;
  db.transaction(() => {
    requireNotEnded(deps, shareId);
    if (repository.removeDocument(shareId, documentId))
      note(deps, { shareId, action: 'share.documents.remove', documentId });
  });
  return describe(deps, requireShare(deps, shareId));
}

function listSessions(deps: Deps, shareId: string): Sessions {
  const { seats } = deps;
  const share = orNotFound(deps.repository.get(shareId), 'share.not_found');
  if (!isOpenStatus(shareStatus(share, now(deps)))) return { active: [], queued: [] };
  const idleBefore = now(deps, -IDLE_MS);
  return {
    active: seats
      .sessions(shareId, now(deps))
      .map((session) => ({ ...session, is_idle: session.last_seen_at <= idleBefore })),
    queued: seats.waiters(shareId, now(deps)).map((waiter) => ({ ...waiter, expires_at: waiter.queue_expires_at })),
  };
}

function endSession(deps: Deps, shareId: string, rowid: number): { revoked: boolean } {
  const revoked = deps.db.transaction(() => {
    const hasEnded = deps.seats.endSession(shareId, rowid, now(deps));
    if (hasEnded) note(deps, { shareId, action: 'share.session.revoke', sessionId: rowid });
    return hasEnded;
  });
  return { revoked };
}

function dropWaiter(deps: Deps, shareId: string, rowid: number): { deleted: boolean } {
  const deleted = deps.db.transaction(() => {
    const hasLeft = deps.seats.removeWaiter(shareId, rowid);
    if (hasLeft) note(deps, { shareId, action: 'share.queue.drop' });
    return hasLeft;
  });
  return { deleted };
}

/** Whether somebody manages an open share, or all. Others must not learn that there is one. */
const mayFollowService = (deps: Deps, { role, userId }: UserCaller): boolean =>
  role === 'admin' || (role === 'editor' && deps.repository.hasOpen(now(deps), deps.access.ownedPatients(userId)));

/** The service for recipients, as far as the user may know it. */
function describeService(deps: Deps, user: UserCaller): ShareService {
  const { listener } = deps;
  const service = mayFollowService(deps, user) ? listener.status() : listener.statusAtRest();
  // The error names programs and servers of the settings.
  return user.role === 'admin' ? service : { ...service, tunnel: { ...service.tunnel, error: null } };
}

async function openService({ listener }: Deps): Promise<ShareService> {
  await listener.turnOn();
  return listener.status();
}

/** Ends all sessions and queues before the service and again after it, since codes are accepted meanwhile. */
async function closeService(deps: Deps): Promise<Closed> {
  const { address } = deps.listener.status().tunnel;
  const before = endAllSessions(deps);
  await deps.listener.turnOff();
  const meanwhile = endAllSessions(deps);
  return { sessions: before.sessions + meanwhile.sessions, waiting: before.waiting + meanwhile.waiting, address };
}

function endAllSessions(deps: Deps): Pick<Closed, 'sessions' | 'waiting'> {
  const { db, repository, seats } = deps;
  return db.transaction(() => {
    const used = repository
      .list(now(deps), null)
      .filter(({ active_session_count, queued_count }) => active_session_count + queued_count > 0);
    for (const { share_id: shareId } of used) {
      for (const { rowid } of seats.sessions(shareId, now(deps))) endSession(deps, shareId, rowid);
      for (const { rowid } of seats.waiters(shareId, now(deps))) dropWaiter(deps, shareId, rowid);
    }
    return {
      sessions: used.reduce((sum, { active_session_count }) => sum + active_session_count, 0),
      waiting: used.reduce((sum, { queued_count }) => sum + queued_count, 0),
    };
  });
}
