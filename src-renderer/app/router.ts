import { createRouter } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { parseSearch, stringifySearch } from '../client/search-params.ts';
import { PageError, PageLoading } from './frame/not-found.tsx';
import { routeTree } from './routes.tsx';

/** The router with all addresses. Pages of the frame redirect to the setup or the login if `client` has no session. */
export function createRoutes(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The page before stays for half a second: most are there by then.
    defaultPendingMs: 500,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRoutes>;
  }
}
