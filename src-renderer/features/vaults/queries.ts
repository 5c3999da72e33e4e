import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { VaultOverview } from '../../../src-shared/contract/vaults.ts';
import { ApiError, call, contract, unreachable } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { now } from '../../client/clock.ts';

const POLL_MS = 1000;
const WAIT_MS = 250;
const MAX_WAIT_MS = 120_000;

export const useVaults = () =>
  useQuery({
    queryKey: cacheKeys.vaults,
    queryFn: ({ signal }) => call(contract.vaults.overview, {}, signal),
    refetchInterval: ({ state }) => (state.data?.moving ? POLL_MS : false),
  });

/** Opens another vault, and continues with its first page as soon as the core answers again. */
export function useOpenVault() {
  return useMutation({
    mutationFn: async (body: { path: string; create: boolean; read_only: boolean }): Promise<void> => {
      const before = await call(contract.vaults.open, { body });
      await waitForVault(before);
      location.assign('/');
    },
  });
}

/** Waits until the core has opened another vault. Throws what went wrong if it went back to the one before. */
async function waitForVault(before: VaultOverview): Promise<void> {
  const end = now() + MAX_WAIT_MS;
  while (now() < end) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    try {
      const { path, read_only_since: since, last_error: code } = await call(contract.vaults.overview, {});
      if (path !== before.path || since !== before.read_only_since) return;
      if (code !== null) throw new ApiError(409, code as ApiError['code']);
    } catch (error) {
      // Another vault has other accounts; and nobody answers while the core restarts.
      if (error instanceof ApiError && error.status === 401) return;
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 502)) throw error;
    }
  }
  throw unreachable();
}

/** Moves the vault, stops that, or takes a vault out of the list. */
export type VaultAction = { act: 'move' | 'forget'; path: string } | { act: 'stop' };
export function useVaultAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: VaultAction): Promise<VaultOverview> =>
      action.act === 'stop'
        ? call(contract.vaults.stop, {})
        : call(contract.vaults[action.act], { body: { path: action.path } }),
    onSuccess: (overview) => client.setQueryData(cacheKeys.vaults, overview),
  });
}
