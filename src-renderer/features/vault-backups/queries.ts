import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BackupOverview, BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** Poll interval in ms while a task runs. Live messages deliver the progress, polling detects the end. */
const POLL_MS = 1500;

export const useBackups = () =>
  useQuery({
    queryKey: cacheKeys.backups,
    queryFn: ({ signal }) => call(contract.vaultBackups.list, {}, signal),
    refetchInterval: ({ state }) => (state.data?.running ? POLL_MS : false),
  });

/** Actions on one backup, or on all of them without an `id`. */
export type BackupAction = { do: 'run' | 'stop' } | { do: 'verify' | 'drill' | 'restore' | 'remove'; id: number };

/** Runs an action and updates the overview. */
export function useBackupAction(onFailed: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: BackupAction): Promise<BackupOverview> =>
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
