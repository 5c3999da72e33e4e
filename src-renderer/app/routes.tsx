import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { call, contract } from '../client/api.ts';
import { cacheKeys } from '../client/cache-keys.ts';
import type { QueryClient } from '@tanstack/react-query';
import { NotFound, RouteError } from './frame/not-found.tsx';
import { Shell } from './frame/shell.tsx';
import { parseSearch, pickSearch, stringifySearch } from '../client/search-params.ts';

/** Names of the filters of the document list; the same in the address and in the API. */
export const DOCUMENT_FILTERS = [
  'type',
  'date_from',
  'date_to',
  'status',
  'q',
  'specialty',
  'doctor_id',
  'facility_id',
  'event_id',
  'tag',
] as const;
/** Parameters that change only how the list is shown, not the request. */
const LIST_LOOK = ['sort', 'order', 'layout', 'preview'] as const;

/** The address table. `client` is asked whether somebody is signed in before a page of the frame opens. */
export function createRoutes(client: QueryClient) {
  const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: RouteError });
  const frame = createRoute({
    getParentRoute: () => root,
    id: 'frame',
    component: Shell,
    /** Whose record is shown; kept from page to page. Absent means everyone. */
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['patient']),
    search: { middlewares: [retainSearchParams(['patient'])] },
    beforeLoad: async ({ location }) => {
      const setup = await client.ensureQueryData({
        queryKey: cacheKeys.setup,
        queryFn: () => call(contract.accounts.setupStatus, {}),
      });
      if (setup.needs_setup) throw redirect({ to: '/setup' });
      const me = await client
        .ensureQueryData({ queryKey: cacheKeys.me, queryFn: () => call(contract.accounts.me, {}), retry: false })
        .catch(() => null);
      if (me === null) throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    },
  });
  const today = createRoute({
    getParentRoute: () => frame,
    path: '/',
    component: lazyRouteComponent(() => import('../features/today/page.tsx')),
  });
  const documents = createRoute({
    getParentRoute: () => frame,
    path: '/documents',
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, [...DOCUMENT_FILTERS, ...LIST_LOOK]),
    component: lazyRouteComponent(() => import('../features/documents/list/page.tsx')),
  });
  const document = createRoute({
    getParentRoute: () => frame,
    path: '/documents/$id',
    /** `page` to open, `find` a text on it, `value` the field whose place is shown. */
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['page', 'find', 'value']),
    component: lazyRouteComponent(() => import('../features/documents/page/page.tsx')),
  });
  const timeline = createRoute({
    getParentRoute: () => frame,
    path: '/timeline',
    /** The days that are shown, what is filtered, the event that is open, and `view=table`. */
    validateSearch: (search: Record<string, unknown>) =>
      pickSearch(search, ['from', 'to', 'specialty', 'event', 'view']),
    component: lazyRouteComponent(() => import('../features/timeline/page.tsx')),
  });
  const labs = createRoute({
    getParentRoute: () => frame,
    path: '/labs',
    /** The test that is open with its unit, the one beside it, which tests are listed, the years and notes of the chart; `view=orphans`. */
    validateSearch: (search: Record<string, unknown>) =>
      pickSearch(search, ['test', 'unit', 'compare', 'show', 'span', 'notes', 'view']),
    component: lazyRouteComponent(() => import('../features/labs/page.tsx')),
  });
  const names = createRoute({
    getParentRoute: () => frame,
    path: '/names',
    /** The kind, what is searched and filtered, and the entry that is open. */
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['type', 'q', 'filter', 'sort', 'entry']),
    component: lazyRouteComponent(() => import('../features/names/page.tsx')),
  });
  const vault = createRoute({
    getParentRoute: () => frame,
    path: '/vault',
    /** `show=foreign`: only what belongs to no document; `path`: the place that is looked for. */
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['show', 'path']),
    component: lazyRouteComponent(() => import('../features/vault-files/page.tsx')),
  });
  const phones = createRoute({
    getParentRoute: () => frame,
    path: '/phones',
    component: lazyRouteComponent(() => import('../features/phone-backups/page.tsx')),
  });
  const phone = createRoute({
    getParentRoute: () => frame,
    path: '/phones/$id',
    /** Who reads the backup (`from=direct`: this page), the view with its open item and its filters, and the words that are searched everywhere. */
    validateSearch: (search: Record<string, unknown>) =>
      pickSearch(search, ['from', 'view', 'item', 'at', 'q', 'part', 'filter', 'domain', 'album', 'calendar']),
    component: lazyRouteComponent(() => import('../features/phone-backups/device-page.tsx')),
  });
  const settings = createRoute({
    getParentRoute: () => frame,
    path: '/settings',
    component: lazyRouteComponent(() => import('../features/settings/page.tsx')),
  });
  const settingsGeneral = createRoute({
    getParentRoute: () => settings,
    path: '/',
    /** Why connecting the account with a sign-in service failed. */
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['failed', 'claim', 'name']),
    component: lazyRouteComponent(() => import('../features/settings/general/section.tsx')),
  });
  const settingsPeople = createRoute({
    getParentRoute: () => settings,
    path: '/people',
    component: lazyRouteComponent(() => import('../features/settings/people/section.tsx')),
  });
  const settingsReading = createRoute({
    getParentRoute: () => settings,
    path: '/reading',
    component: lazyRouteComponent(() => import('../features/settings/reading/section.tsx')),
  });
  const settingsSignIn = createRoute({
    getParentRoute: () => settings,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('../features/settings/sign-in/section.tsx')),
  });
  const settingsSessions = createRoute({
    getParentRoute: () => settings,
    path: '/sessions',
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['ended']),
    component: lazyRouteComponent(() => import('../features/settings/sessions/section.tsx')),
  });
  const settingsBackups = createRoute({
    getParentRoute: () => settings,
    path: '/backups',
    component: lazyRouteComponent(() => import('../features/vault-backups/section.tsx')),
  });
  const settingsAudit = createRoute({
    getParentRoute: () => settings,
    path: '/audit',
    validateSearch: (search: Record<string, unknown>) =>
      pickSearch(search, ['action', 'user_id', 'date_from', 'date_to', 'offset']),
    component: lazyRouteComponent(() => import('../features/settings/audit/section.tsx')),
  });
  const settingsLog = createRoute({
    getParentRoute: () => settings,
    path: '/log',
    validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['level', 'module']),
    component: lazyRouteComponent(() => import('../features/settings/log/section.tsx')),
  });
  const settingsAbout = createRoute({
    getParentRoute: () => settings,
    path: '/about',
    component: lazyRouteComponent(() => import('../features/settings/about/section.tsx')),
  });
  /** Every other address, inside of the frame: the person keeps the navigation. */
  const missing = createRoute({ getParentRoute: () => frame, path: '$', component: NotFound });
  const setup = createRoute({
    getParentRoute: () => root,
    path: '/setup',
    component: lazyRouteComponent(() => import('../features/setup/page.tsx')),
  });
  const login = createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: (search: Record<string, unknown>) =>
      pickSearch(search, ['next', 'expired', 'failed', 'claim', 'name']),
    component: lazyRouteComponent(() => import('../features/auth/page.tsx')),
  });
  return createRouter({
    routeTree: root.addChildren([
      frame.addChildren([
        today,
        documents,
        document,
        timeline,
        labs,
        names,
        vault,
        phones,
        phone,
        settings.addChildren([
          settingsGeneral,
          settingsPeople,
          settingsReading,
          settingsSignIn,
          settingsSessions,
          settingsBackups,
          settingsAudit,
          settingsLog,
          settingsAbout,
        ]),
        missing,
      ]),
      setup,
      login,
    ]),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRoutes>;
  }
}
