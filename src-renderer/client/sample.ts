import { useQuery } from '@tanstack/react-query';
import type { SampleStatus } from '../../src-shared/contract/sample.ts';
import { ApiError, call, contract, unreachable } from './api.ts';
import { cacheKeys } from './cache-keys.ts';
import { now } from './clock.ts';

const POLL_MS = 250;
/** Unpacking takes a second or two; a slow disk may need longer. */
const MAX_WAIT_MS = 120_000;

/** Whether the sample household is open or can be opened; undefined while loading. */
export const useSample = (): SampleStatus | undefined =>
  useQuery({
    queryKey: cacheKeys.sample,
    queryFn: ({ signal }) => call(contract.sample.status, {}, signal),
    staleTime: Infinity,
  }).data;

/** The switch between the two households failed; the one before is open again. */
export class SwitchFailed extends Error {}

/**
 * Waits until the core, which restarts, has opened the sample household (`isOpen`) or closed it, and returns its status.
 * Throws `SwitchFailed`, and an `ApiError` if the core does not come back.
 */
export async function waitForHousehold(isOpen: boolean): Promise<SampleStatus> {
  const end = now() + MAX_WAIT_MS;
  while (now() < end) {
    const status = await call(contract.sample.status, {}).catch((error: unknown) => {
      // Nobody answers while the core restarts.
      if (error instanceof ApiError && (error.status === 0 || error.status >= 502)) return null;
      throw error;
    });
    if (status?.failed === (isOpen ? 'open' : 'close')) throw new SwitchFailed();
    if (status !== null && (status.open !== null) === isOpen) return status;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw unreachable();
}
