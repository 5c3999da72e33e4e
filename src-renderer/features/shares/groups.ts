import type { Share } from '../../../src-shared/contract/shares.ts';

export type Group = 'open' | 'locked' | 'ended';
const GROUPS: readonly Group[] = ['locked', 'open', 'ended'];

type Facts = Pick<Share, 'status' | 'link_moved'>;

/** The group of the list to which a share belongs: one whose link leads nowhere needs somebody, like a locked one. */
export function groupOf({ status, link_moved }: Facts): Group {
  if (status === 'active') return link_moved ? 'locked' : 'open';
  return status === 'locked' ? 'locked' : 'ended';
}

/** The groups of the list with their shares in the given order, those that need somebody first; no empty ones. */
export const groupsOf = <S extends Facts>(shares: readonly S[], show: Group | 'all'): { name: Group; shares: S[] }[] =>
  GROUPS.filter((name) => show === 'all' || show === name)
    .map((name) => ({ name, shares: shares.filter((share) => groupOf(share) === name) }))
    .filter((group) => group.shares.length > 0);
