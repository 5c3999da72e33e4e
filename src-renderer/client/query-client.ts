import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** Hearth may run on this computer, so requests must not wait for a network, as the library does by default. */
const LOCAL = { networkMode: 'always' } as const;

/**
 * Creates the query cache. `onSignedOut` is called when a reply says that the session of this page has ended; not on a
 * first visit, where nobody was signed in. `onLocked` is called when the vault waits for its password.
 * Client errors (4xx) are not retried.
 */
export function createQueryClient(onSignedOut: () => void, onLocked: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'auth.required' && client.getQueryData(cacheKeys.me)) onSignedOut();
    if (error instanceof ApiError && error.code === 'vault.locked') onLocked();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        ...LOCAL,
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
      },
      mutations: LOCAL,
    },
  });
  return client;
}
