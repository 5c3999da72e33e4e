import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** Hearth runs on this computer: whether that has a network says nothing about it. By itself the library would wait for one. */
const LOCAL = { networkMode: 'always' } as const;

/**
 * The cache of what the server said. `onSignedOut` is called when an answer says that nobody is signed in any more.
 * What the person must correct (4xx) is not tried again by itself.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'auth.required') onSignedOut();
  };
  return new QueryClient({
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
}
