import '@fontsource-variable/inter/wght.css';
import '@fontsource/ibm-plex-mono/latin-400.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/surfaces.css';
import './ui/float.css';
import './ui/table/table.css';
import './app/frame/frame.css';
import './app/frame/narrow.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { z } from 'zod';
import { startI18n } from './app/i18n/index.ts';
import { cacheKeys } from './client/cache-keys.ts';
import { createQueryClient } from './client/query-client.ts';
import { focusNewPages } from './app/page-focus.ts';
import { createRoutes } from './app/router.ts';

// Otherwise, zod would try to compile validators with `new Function`, which the content security policy forbids.
// Zod is loaded later and reads its configuration from here.
(globalThis as { __zod_globalConfig?: z.core.$ZodConfig }).__zod_globalConfig = { jitless: true };
function signInAgain(): void {
  if (router.state.location.pathname === '/login' || router.state.location.pathname === '/setup') return;
  client.clear();
  // Reload the page, so that nothing in memory, such as an open phone backup, reaches the next user.
  location.assign(
    router.buildLocation({ to: '/login', search: { next: router.state.location.href, expired: '1' } }).href,
  );
}
/**
 * Nothing in memory is shown over the lock. On a first visit there is nothing, and clearing would fail what is still
 * being asked for.
 */
function showLock(): void {
  const { pathname, href } = router.latestLocation;
  if (pathname === '/unlock') return;
  if (client.getQueryData(cacheKeys.me)) client.clear();
  location.assign(router.buildLocation({ to: '/unlock', search: href === '/' ? {} : { next: href } }).href);
}
const client = createQueryClient(signInAgain, showLock);
const router = createRoutes(client);
focusNewPages(router);
// Scripts and data of the page are asked for beside the messages and the user, not after them. Nothing is shown without
// the messages, and browsers ask for six files at a time.
const messages = startI18n();
for (const { routeId } of router.matchRoutes(router.latestLocation))
  void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById]);
void router.load();
await messages;

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
