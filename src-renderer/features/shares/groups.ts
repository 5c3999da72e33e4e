import type { Share } from '../../../src-shared/contract/shares.ts';

export type Group = 'open' | 'locked' | 'ended';
const GROUPS: readonly Group[] = ['locked', 'open', 'ended'];

/** The group of the list to which a share belongs. */
export function groupOf({ status }: Pick<Share, 'status'>): Group {
  if (status === 'active') return 'open';
  return status === 'locked' ? 'locked' : 'ended';
}

/** The groups of the list with their shares in the given order, those that need somebody first; no empty ones. */
export const groupsOf = <S extends Pick<Share, 'status'>>(
  shares: readonly S[],
  show: Group | 'all',
): { name: Group; shares: S[] }[] =>
  GROUPS.filter((name) => show === 'all' || show === name)
    .map((name) => ({ name, shares: shares.filter((share) => groupOf(share) === name) }))
    .filter((group) => group.shares.length > 0);
