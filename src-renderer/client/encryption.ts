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

/**
 * Waits until the core has made room for the lock. For a moment, nobody answers; where the core answers again after
 * that, the lock was there and is gone, as after encrypting a small vault.
 */
export async function waitUntilClosed(): Promise<void> {
  const end = now() + MAX_WAIT_MS;
  let wasGone = false;
  while (now() < end) {
    const health = await call(contract.auth.health, {}).catch(() => null);
    if (health?.status === 'locked' || (wasGone && health !== null)) return;
    wasGone ||= health === null;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw unreachable();
}
