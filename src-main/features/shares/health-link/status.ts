import type { HealthLinkStatus } from '../../../../src-shared/contract/health-links.ts';
import { FOLDERS } from '../../../platform/vault/layout.ts';
import { fromTimestamp } from '../../../platform/kernel/clock.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { RecordRepository } from '../record-repository.ts';
import { shareStatus } from '../share-status.ts';
import type { LinkState } from './manifest.ts';
import type { HealthLinkRecord, LinkOfShare } from './repository.ts';

export interface StatusDeps {
  records: Pick<RecordRepository, 'hasAll'>;
  /** Returns the absolute path of a vault path. */
  resolve(path: string): string;
}

/** The folder of the encrypted files of a link. */
export const linkFolder = (linkId: string): string => `${FOLDERS.healthLinks}/${linkId}`;
export const linkFile = (linkId: string, index: number): string => `${linkFolder(linkId)}/${index}.jwe`;

/**
 * Whether its documents are still in the share, and its files in the vault: a restored vault has none. A document that
 * turns out to be somebody else's ends the link, because its file can't be taken out.
 */
const isWhole = ({ records, resolve }: StatusDeps, link: HealthLinkRecord): boolean =>
  records.hasAll(link.share_id, link.document_ids) &&
  (link.file_sizes ?? []).every((size, index) => lstatOrNull(resolve(linkFile(link.link_id, index)))?.size === size);

/** What state a link is in at this time. */
export function healthLinkStatus(deps: StatusDeps, { link, share }: LinkOfShare, now: string): HealthLinkStatus {
  if (link.failure !== null) return 'failed';
  const ofShare = shareStatus(share, now);
  if (link.revoked_at !== null || ofShare === 'revoked') return 'revoked';
  if (link.expires_at <= now || ofShare === 'expired') return 'expired';
  if (link.file_sizes === null) return 'making';
  if (link.tries_left === 0) return 'locked';
  if (link.uses_left === 0) return 'used';
  if (!isWhole(deps, link)) return 'changed';
  return ofShare === 'locked' ? 'paused' : 'active';
}

/** What the decision about a request needs. Passcodes and uses are counted, so they are not part of `isRevoked`. */
export function linkState(deps: StatusDeps, { link, share }: LinkOfShare, now: string): LinkState {
  const counted = { ...link, tries_left: null, uses_left: null };
  return {
    isRevoked: healthLinkStatus(deps, { link: counted, share }, now) !== 'active',
    expiresAt: fromTimestamp(link.expires_at),
    usesLeft: link.uses_left,
    triesLeft: link.tries_left,
  };
}
