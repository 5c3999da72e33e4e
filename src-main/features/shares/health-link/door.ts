import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import PQueue from 'p-queue';
import { HEALTH_LINK_PATH, LOCATION_SECONDS } from '../../../../src-shared/contract/share-limits.ts';
import { createSigner, type Signer } from '../../../platform/config/secret-key.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { BytesReply } from '../../../platform/http/bytes.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { Visitor } from '../audit-repository.ts';
import type { ShareKeys } from '../keys.ts';
import type { ShareLimits } from '../limits.ts';
import type { ShareAudit } from '../share-audit.ts';
import { decideRequest, isLive, takeTry, writeManifest, type LinkReply, type Manifest } from './manifest.ts';
import { normalPasscode, passcodeScope } from './passcode.ts';
import type { HealthLinkRecord, HealthLinkRepository } from './repository.ts';
import { linkFile, linkState, type StatusDeps } from './status.ts';

export interface DoorDeps extends StatusDeps {
  writer: Database;
  links: HealthLinkRepository;
  keys: ShareKeys;
  limits: ShareLimits;
  audit: ShareAudit;
  clock: Clock;
  vaultKey: Buffer;
}
interface Deps extends DoorDeps {
  /** Signs locations of files. */
  signer: Signer;
  /** Comparisons are slow on purpose; many at once must not keep the household from its files. */
  comparing: PQueue;
}

/** A program that opens a link. */
export interface LinkRequest {
  /** Who asks, in words of the program. */
  recipient: string;
  passcode?: string | undefined;
  embeddedLengthMax?: number | undefined;
}
/** The outcome of the first look at a link. */
interface Begun {
  link: HealthLinkRecord;
  isGuess: boolean;
  /** What is forgiven if the passcode is right. */
  counted: number[];
}

const MAX_WAITING = 50;
/** What of the words of a stranger is kept. */
const MAX_NAME = 100;
const TYPE = 'application/jose';

export type HealthLinkDoor = ReturnType<typeof createHealthLinkDoor>;

/** Where programs of others open SMART Health Links. It reads ciphertext only, and the key is in no request. */
export function createHealthLinkDoor(dependencies: DoorDeps) {
  const deps: Deps = {
    ...dependencies,
    signer: createSigner(dependencies.vaultKey, 'share health link file'),
    comparing: new PQueue({ concurrency: 1 }),
  };
  return bindFirst(deps, { open: openLink, file: sendFile });
}

const now = ({ clock }: Deps): string => toTimestamp(clock.now());

/**
 * Answers a request for a manifest. A passcode counts as wrong before it is compared, so that parallel guesses count as
 * well.
 * @param base scheme and host of the locations
 * @throws `request.not_found` for whatever is wrong with a link itself, `auth.rate_limited`, `share.too_many_requests`
 */
async function openLink(
  deps: Deps,
  token: string,
  request: LinkRequest,
  { visitor, base }: { visitor: Visitor; base: string },
): Promise<Manifest | { remainingAttempts: number }> {
  const { comparing, keys } = deps;
  if (comparing.size >= MAX_WAITING) throw fail('share.too_many_requests');
  const tokenHash = keys.hashSecret(token);
  const begun = begin(deps, tokenHash, request, visitor);
  if (!begun) throw fail('request.not_found');
  const { link_id, passcode_hash } = begun.link;
  const isRight =
    begun.isGuess &&
    (await comparing.add(() =>
      keys.codeMatches(passcodeScope(link_id), normalPasscode(request.passcode ?? ''), passcode_hash),
    ));
  const reply = decide(deps, { tokenHash, begun, isRight, request, visitor });
  if (reply.status === 404) throw fail('request.not_found');
  if (reply.status === 401) return reply.body;
  return manifestOf(deps, begun.link, request, base);
}

/** Counts the request, and its passcode as a wrong one; null if the link can't be opened. */
function begin(deps: Deps, tokenHash: string, { passcode }: LinkRequest, { ip }: Visitor): Begun | null {
  const { writer, links, limits, clock } = deps;
  return writer.transaction(() => {
    limits.countOpening(tokenHash, ip);
    const found = links.ofToken(tokenHash);
    if (!found) return null;
    const state = linkState(deps, found, now(deps));
    if (!isLive(state, clock.now())) return null;
    const { link } = found;
    const isGuess = link.passcode_hash !== null && passcode !== undefined;
    if (!isGuess) return { link, isGuess, counted: [] };
    const counted = limits.countPasscode(tokenHash, ip);
    links.storeState(link.link_id, takeTry(state));
    return { link, isGuess, counted };
  });
}

/** Decides about a request once its passcode is compared: the link may have ended meanwhile. */
function decide(
  deps: Deps,
  {
    tokenHash,
    begun: { isGuess, counted },
    isRight,
    request,
    visitor,
  }: { tokenHash: string; begun: Begun; isRight: boolean; request: LinkRequest; visitor: Visitor },
): LinkReply {
  const { writer, links, limits, clock } = deps;
  return writer.transaction(() => {
    const found = links.ofToken(tokenHash);
    if (!found) return { status: 404 };
    const { link_id: linkId } = found.link;
    const stored = linkState(deps, found, now(deps));
    const before = isGuess ? { ...stored, triesLeft: (stored.triesLeft ?? 0) + 1 } : stored;
    const guess = isRight ? 'right' : 'wrong';
    const { reply, next } = decideRequest(before, clock.now(), isGuess ? guess : 'missing');
    links.storeState(linkId, next);
    if (isRight) limits.forgive(counted);
    if (reply.status === 200) links.countOpening(linkId, now(deps));
    noteReply(deps, found.link, { reply, isGuess, request, visitor });
    return reply;
  });
}

function noteReply(
  { audit }: Deps,
  { share_id: shareId, link_id }: HealthLinkRecord,
  { reply, isGuess, request, visitor }: { reply: LinkReply; isGuess: boolean; request: LinkRequest; visitor: Visitor },
): void {
  const event = { shareId, visitor, details: { link_id } };
  const recipient = plainWords(request.recipient);
  if (reply.status === 200) audit.record({ ...event, action: 'health_link_open', words: { recipient } });
  if (reply.status !== 401 || !isGuess) return;
  audit.record({ ...event, action: 'health_link_wrong_passcode', words: { recipient } });
  if (reply.body.remainingAttempts === 0) audit.record({ ...event, action: 'health_link_locked' });
}

/** Words of a stranger without characters that change how a line looks. */
const plainWords = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();

function manifestOf(
  { resolve, signer, clock }: Deps,
  { link_id: linkId, file_sizes: sizes, created_at: createdAt }: HealthLinkRecord,
  { embeddedLengthMax }: LinkRequest,
  base: string,
): Promise<Manifest> {
  const files = (sizes ?? []).map((size, index) => ({
    size,
    location: `${base}${HEALTH_LINK_PATH}/files/${signer.sign(`${linkId}~${index}`, clock.now())}`,
    lastUpdated: `${createdAt}Z`,
  }));
  return writeManifest(files, {
    embeddedLengthMax,
    read: (index) => readFile(resolve(linkFile(linkId, index)), 'latin1'),
  });
}

/**
 * Sends an encrypted file, for an hour after its manifest and as long as the link has not ended. A link for one use has
 * been used by then.
 * @throws `request.not_found`, `auth.rate_limited`
 */
function sendFile(deps: Deps, location: string, visitor: Visitor): BytesReply {
  const { writer, links, limits, signer, clock, resolve, audit } = deps;
  const signed = signer.verify(location, clock.now(), LOCATION_SECONDS * 1000);
  const [linkId = '', position = ''] = signed?.split('~') ?? [];
  const index = Number(position);
  const openShareOf = (): string | null => {
    const found = links.get(linkId);
    if (found?.link.file_sizes?.[index] === undefined || found.link.tries_left === 0) return null;
    return linkState(deps, found, now(deps)).isRevoked ? null : found.link.share_id;
  };
  const shareId = signed === null ? null : openShareOf();
  if (shareId === null) throw fail('request.not_found');
  return {
    kind: 'streamed',
    type: TYPE,
    isAllowed: () => openShareOf() !== null,
    open: () => {
      writer.transaction(() => {
        limits.countFile(visitor.ip);
        audit.record({ shareId, action: 'health_link_file', visitor, details: { link_id: linkId } });
      });
      return Promise.resolve(createReadStream(resolve(linkFile(linkId, index))));
    },
  };
}
