import type { ShareStatus } from '../../../src-shared/contract/shares.ts';
import { MAX_WRONG, MAX_WRONG_IN_A_ROW } from './numbers.ts';
import type { ShareRecord } from './repository.ts';

type Facts = Pick<ShareRecord, 'revoked_at' | 'expires_at' | 'failed_codes' | 'wrong_codes'>;

/** What state a share is in at this time. */
export function shareStatus(share: Facts, now: string): ShareStatus {
  if (share.revoked_at !== null) return 'revoked';
  if (share.expires_at <= now) return 'expired';
  return share.failed_codes >= MAX_WRONG_IN_A_ROW || share.wrong_codes >= MAX_WRONG ? 'locked' : 'active';
}
