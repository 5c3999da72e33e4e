import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BackupOverview, BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** How often is asked while something goes on, ms: live messages bring progress, this its end. */
const BUSY_MS = 1500;

export const useBackups = () =>
  useQuery({
    queryKey: cacheKeys.backups,
    queryFn: ({ signal }) => call(contract.vaultBackups.list, {}, signal),
    refetchInterval: ({ state }) => (state.data?.running ? BUSY_MS : false),
  });

/** What can be done with one backup, or with all of them (`id` left out). */
export type BackupAct = { do: 'run' | 'stop' } | { do: 'verify' | 'drill' | 'restore' | 'remove'; id: number };

/** Does it and shows what is then. */
export function useBackupAct(onFailed: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: BackupAct): Promise<BackupOverview> =>
      'id' in act
        ? call(contract.vaultBackups[act.do], { params: { id: String(act.id) } })
        : call(contract.vaultBackups[act.do], {}),
    onSuccess: (overview) => client.setQueryData(cacheKeys.backups, overview),
    onError: onFailed,
  });
}

export function useSavePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: BackupPlan) => call(contract.vaultBackups.plan, { body: plan }),
    onSuccess: (overview) => client.setQueryData(cacheKeys.backups, overview),
  });
}
