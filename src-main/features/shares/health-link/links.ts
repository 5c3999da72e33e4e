import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCATION_SECONDS, HEALTH_LINK_PATH, MAX_LIVE_LINKS } from '../../../../src-shared/contract/share-limits.ts';
import type { healthLinks, HealthLinkRow } from '../../../../src-shared/contract/health-links.ts';
import { MAX_PASSCODE_TRIES } from '../../../../src-shared/contract/share-limits.ts';
import type { Input } from '../../../../src-shared/contract/endpoint.ts';
import { textOfError } from '../../../../src-shared/contract/errors.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { fromTimestamp, toTimestamp } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { randomToken } from '../../../platform/kernel/ids.ts';
import { orNotFound } from '../../../platform/kernel/or-not-found.ts';
import { FOLDERS } from '../../../platform/vault/layout.ts';
import { createShareAuditRepository, type ShareAuditRepository } from '../audit-repository.ts';
import { createShareKeys, type ShareKeys } from '../keys.ts';
import { createRecordRepository } from '../record-repository.ts';
import { createShareRepository, type ShareRecord, type ShareRepository } from '../repository.ts';
import { shareStatus } from '../share-status.ts';
import { createKey, writeLink } from './link.ts';
import { createHealthLinkMaker, type HealthLinkMaker, type Made, type MakerDeps } from './maker.ts';
import { normalPasscode, passcodeScope } from './passcode.ts';
import { createHealthLinkRepository, type HealthLinkRepository, type LinkOfShare } from './repository.ts';
import { healthLinkStatus } from './status.ts';

type NewLink = Input<typeof healthLinks.create>['body'];

export interface HealthLinkDeps extends Omit<MakerDeps, 'records'> {
  db: Database;
  ids: () => string;
  vaultKey: Buffer;
  /** The address under which recipients reach the service, without a path; waits until a tunnel has one. */
  publicUrl(): Promise<string>;
  /** The same at once; null while none is known. */
  currentOrigin(): string | null;
}
interface Deps extends HealthLinkDeps {
  shares: ShareRepository;
  records: MakerDeps['records'];
  links: HealthLinkRepository;
  trail: ShareAuditRepository;
  keys: ShareKeys;
  maker: HealthLinkMaker;
}

const HOUR_MS = 3_600_000;

export type HealthLinks = ReturnType<typeof createHealthLinks>;

/** SMART Health Links as the household manages them. */
export function createHealthLinks(dependencies: HealthLinkDeps) {
  const { db, vaultKey } = dependencies;
  const records = createRecordRepository(db);
  const maker = createHealthLinkMaker({ ...dependencies, records });
  const deps: Deps = {
    ...dependencies,
    records,
    maker,
    shares: createShareRepository(db),
    links: createHealthLinkRepository(db),
    trail: createShareAuditRepository(db),
    keys: createShareKeys(vaultKey),
  };
  return {
    ...bindFirst(deps, { create: createLink, list: listLinks, revoke: revokeLink, endOfShare, start, sweep }),
    close: maker.close,
  };
}

const now = ({ clock }: Deps, offsetMs = 0): string => toTimestamp(clock.now() + offsetMs);

/**
 * Begins to make a link. Its key is in the reply only.
 * @throws `share.ended`, `share.documents_not_shareable`, `health_link.not_found`, `health_link.too_many`,
 * `health_link.address_too_long`
 */
async function createLink(
  deps: Deps,
  shareId: string,
  request: NewLink,
  { userId, language }: { userId: number; language: CoreLanguage },
): Promise<HealthLinkRow & { link: string }> {
  const { db, ids, keys, maker } = deps;
  if (maker.isStopped()) throw fail('server.stopping');
  const [linkId, token, key] = [ids(), randomToken(), createKey()];
  const { passcode = null, replaces = null } = request;
  const passcode_hash = passcode === null ? null : await keys.hashCode(passcodeScope(linkId), normalPasscode(passcode));
  const origin = await deps.publicUrl();
  const { link, made, documentIds } = db.transaction(() => {
    const share = orNotFound(deps.shares.get(shareId), 'share.not_found');
    if (replaces !== null) endLink(deps, shareId, replaces);
    const documents = requireRoom(deps, share, request.document_ids);
    const expires_at = endOf(deps, share, request.expires_in_hours ?? null);
    const text = writeLink({
      url: `${origin}${HEALTH_LINK_PATH}/${token}`,
      key,
      expiresAt: fromTimestamp(expires_at),
      isLongTerm: !request.is_one_time,
      hasPasscode: passcode !== null,
      label: request.label,
    });
    const row = deps.links.insert({
      link_id: linkId,
      share_id: shareId,
      token_hash: keys.hashSecret(token),
      origin,
      label: request.label,
      document_ids: documents,
      passcode_hash,
      tries_left: passcode === null ? null : MAX_PASSCODE_TRIES,
      uses_left: request.is_one_time ? 1 : null,
      expires_at,
      created_by: userId,
      created_at: now(deps),
    });
    const details = { link_id: linkId, documents: documents.length };
    deps.trail.record({ shareId, action: 'share.health_link.create', visitor: null, details }, now(deps));
    return { link: text, made: { link: row, share }, documentIds: documents };
  });
  if (replaces !== null) await removeEnded(deps, replaces);
  maker.make(
    { linkId, shareId, documentIds, key, recipientLabel: made.share.recipient_label, language },
    (outcome: Made) => keepOutcome(deps, { linkId, shareId }, outcome),
  );
  return { ...describe(deps, made), link };
}

/** A link ends with its share at the latest. */
function endOf(deps: Deps, share: ShareRecord, hours: number | null): string {
  const end = hours === null ? share.expires_at : now(deps, hours * HOUR_MS);
  return end < share.expires_at ? end : share.expires_at;
}

/** The documents of a new link, in the order of the share. */
function requireRoom(deps: Deps, share: ShareRecord, wanted: readonly number[] | undefined): number[] {
  const { records, links } = deps;
  const status = shareStatus(share, now(deps));
  if (status === 'revoked' || status === 'expired') throw fail('share.ended');
  const present = records.documents(share.share_id).map(({ id }) => id);
  const documents = wanted === undefined ? present : present.filter((id) => wanted.includes(id));
  if (documents.length === 0 || documents.length < new Set(wanted).size) throw fail('share.documents_not_shareable');
  const isLive = (link: LinkOfShare): boolean =>
    ['making', 'active', 'paused'].includes(healthLinkStatus(deps, link, now(deps)));
  if (links.ofShare(share.share_id).filter(isLive).length >= MAX_LIVE_LINKS)
    throw fail('health_link.too_many', { limit: MAX_LIVE_LINKS });
  return documents;
}

/** Stores how making a link ended. One that was cancelled leaves nothing. */
async function keepOutcome(
  deps: Deps,
  { linkId, shareId }: { linkId: string; shareId: string },
  made: Made,
): Promise<void> {
  const { db, links, trail } = deps;
  const isReady = db.transaction(() => {
    if (made.outcome === 'made') return links.finish(linkId, made.sizes);
    if (made.outcome === 'cancelled') links.remove(linkId);
    if (made.outcome === 'cancelled' || !links.noteFailure(linkId, made.failure)) return false;
    const { code, document_id } = made.failure;
    const document = document_id === null ? {} : { documentId: document_id };
    const details = { link_id: linkId, code };
    trail.record({ shareId, action: 'share.health_link.failed', visitor: null, ...document, details }, now(deps));
    return false;
  });
  if (!isReady) await removeFolder(deps, linkId);
}

function describe(deps: Deps, { link, share }: LinkOfShare): HealthLinkRow {
  const { failure, file_sizes } = link;
  const status = shownStatus(deps, { link, share });
  return {
    link_id: link.link_id,
    label: link.label,
    status,
    has_passcode: link.passcode_hash !== null,
    tries_left: link.tries_left,
    is_one_time: link.uses_left !== null,
    document_count: link.document_ids.length,
    document_ids: link.document_ids,
    size: file_sizes?.reduce((sum, size) => sum + size, 0) ?? null,
    opened_count: link.opened_count,
    last_opened_at: link.last_opened_at,
    expires_at: link.expires_at,
    created_at: link.created_at,
    progress: status === 'making' ? deps.maker.progress(link.link_id) : null,
    failure: failure && { ...failure, detail: textOfError(failure) },
  };
}

/** What the household sees: the door does not know under which address it was reached. */
function shownStatus(deps: Deps, { link, share }: LinkOfShare): HealthLinkRow['status'] {
  const status = healthLinkStatus(deps, { link, share }, now(deps));
  const current = deps.currentOrigin();
  const hasMoved = link.origin !== null && current !== null && link.origin !== current;
  return hasMoved && (status === 'active' || status === 'paused') ? 'moved' : status;
}

const listLinks = (deps: Deps, shareId: string): HealthLinkRow[] =>
  deps.links.ofShare(shareId).map((one) => describe(deps, one));

/** Ends a link, or removes one that was not made. */
async function revokeLink(deps: Deps, shareId: string, linkId: string): Promise<{ ok: true }> {
  const hasEnded = deps.db.transaction(() => endLink(deps, shareId, linkId));
  if (hasEnded) await removeEnded(deps, linkId);
  else deps.maker.cancel(linkId);
  return { ok: true };
}

/**
 * Joins a running transaction; false if it had ended.
 * @throws `health_link.not_found`
 */
function endLink({ links, trail, ...deps }: Deps, shareId: string, linkId: string): boolean {
  const found = links.get(linkId);
  if (found?.link.share_id !== shareId) throw fail('health_link.not_found');
  const at = toTimestamp(deps.clock.now());
  if (found.link.file_sizes === null) links.remove(linkId);
  else if (!links.revoke(linkId, at)) return false;
  const details = { link_id: linkId };
  trail.record({ shareId, action: 'share.health_link.revoke', visitor: null, details }, at);
  return true;
}

async function removeEnded(deps: Deps, linkId: string): Promise<void> {
  deps.maker.cancel(linkId);
  await removeFolder(deps, linkId);
}

const removeFolder = (deps: Deps, linkId: string): Promise<void> =>
  rm(deps.resolve(`${FOLDERS.healthLinks}/${linkId}`), { recursive: true, force: true });

/** Stops making the links of a share that has ended or is gone, and removes the files of its links. */
async function endOfShare(deps: Deps, shareId: string): Promise<void> {
  deps.maker.cancelOfShare(shareId);
  await sweep(deps);
}

/** Removes what an earlier process did not finish. */
async function start(deps: Deps): Promise<void> {
  deps.links.removeUnfinished();
  await sweep(deps);
}

/** Removes the files of links that have ended or are gone. What can't be removed is tried again the next time. */
async function sweep(deps: Deps): Promise<void> {
  const folder = deps.resolve(FOLDERS.healthLinks);
  const present = await readdir(folder).catch(() => []);
  if (present.length === 0) return;
  const kept = new Set([
    ...deps.maker.making(),
    ...deps.links.listKept(now(deps), now(deps, -LOCATION_SECONDS * 1000)),
  ]);
  const gone = present.filter((name) => !kept.has(name));
  const removed = await Promise.allSettled(
    gone.map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
  for (const one of removed)
    if (one.status === 'rejected')
      deps.log.warn({ err: one.reason }, 'the files of an ended link could not be removed');
}
