import { useMutation, useQuery } from '@tanstack/react-query';
import { call, contract, unreachable } from './api.ts';
import { cacheKeys } from './cache-keys.ts';
import { now } from './clock.ts';

const WAIT_MS = 250;
const MAX_WAIT_MS = 60_000;

/** Whether the vault is encrypted; only administrators may ask. */
export const useEncryption = (isEnabled: boolean = true) =>
  useQuery({
    queryKey: cacheKeys.encryption,
    enabled: isEnabled,
    queryFn: ({ signal }) => call(contract.vaultEncryption.overview, {}, signal),
  });

/** Locks the vault, and shows the lock once it is there. */
export const useLockVault = () =>
  useMutation({
    mutationFn: async (): Promise<void> => {
      await call(contract.vaultEncryption.lock, {});
      await waitUntilClosed();
      location.reload();
    },
  });

/** Waits until the core has made room for the lock; for a moment, nobody answers. */
export async function waitUntilClosed(): Promise<void> {
  const end = now() + MAX_WAIT_MS;
  while (now() < end) {
    const health = await call(contract.auth.health, {}).catch(() => null);
    if (health?.status === 'locked') return;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw unreachable();
}
