import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { call, contract, waitForLock } from '../client/api.ts';
import { lastPatient } from '../client/last-patient.ts';
import { cacheKeys } from '../client/cache-keys.ts';
import { loadFirstRows, pickListSearch } from '../client/document-list.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NotFound, Nothing, RouteError } from './frame/not-found.tsx';
import { oneRecord } from './one-record.ts';
import { reached } from '../client/reached.ts';
import { isDay, isId, isOneOf, pickAuditSearch, pickSearch } from '../client/search-params.ts';
import { pickStudySearch } from '../client/study-search.ts';

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  notFoundComponent: NotFound,
  errorComponent: RouteError,
  // Until the first page is drawn, `index.html` says that it is loading.
  pendingComponent: Nothing,
});

const page = (load: () => Promise<{ default: () => ReactNode }>) => lazyRouteComponent(reached(load));

/** The frame is loaded while the user is looked up; the login and the setup do without it. */
const loadShell = lazyRouteComponent(
  reached(() => import('./frame/shell.tsx')),
  'Shell',
);

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: loadShell,
  errorComponent: RouteError,
  pendingComponent: Nothing,
  /** The selected patient, retained from page to page; absent means everyone. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['patient'], { patient: isId }),
  search: { middlewares: [retainSearchParams(['patient'])] },
  beforeLoad: async ({ context: { client }, location, search, cause }) => {
    void loadShell.preload?.();
    const asked = client
      .ensureQueryData({ queryKey: cacheKeys.me, queryFn: () => call(contract.auth.me, {}), retry: false })
      .catch(() => null);
    const setupStatus = await client
      .ensureQueryData({ queryKey: cacheKeys.setup, queryFn: () => call(contract.auth.setupStatus, {}) })
      .catch(waitForLock);
    if (setupStatus.needs_setup) throw redirect({ to: '/setup' });
    const me = await asked;
    if (me === null) throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    // A fresh start returns to the last person; any other address tells whose record it shows.
    if (cause !== 'enter' || location.pathname !== '/' || search.patient !== undefined) return;
    const patient = await lastPatient(client);
    if (patient !== null) throw redirect({ to: '/', search: { patient }, replace: true });
  },
});

const today = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: page(() => import('../features/today/page.tsx')),
});

const review = createRoute({
  getParentRoute: () => frame,
  path: '/review',
  component: page(() => import('../features/review/page.tsx')),
});

const documents = createRoute({
  getParentRoute: () => frame,
  path: '/documents',
  validateSearch: pickListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, deps, cause }) => (cause === 'enter' ? loadFirstRows(client, deps) : undefined),
  component: page(() => import('../features/documents/list/page.tsx')),
});

const document = createRoute({
  getParentRoute: () => frame,
  path: '/documents/$id',
  ...oneRecord,
  /** `page` to open, `find` a text, `value` to highlight. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['page', 'find', 'value']),
  component: page(() => import('../features/documents/page/page.tsx')),
});

const timeline = createRoute({
  getParentRoute: () => frame,
  path: '/timeline',
  /** The visible days, the filter, the open event, and `view=table`. */
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['from', 'to', 'specialty', 'event', 'view'], { from: isDay, to: isDay, event: isId }),
  component: page(() => import('../features/timeline/page.tsx')),
});

const labs = createRoute({
  getParentRoute: () => frame,
  path: '/labs',
  /** The open test with its unit, the compared test, the list filter, period and notes of the chart; `view=orphans`. */
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['test', 'unit', 'compare', 'show', 'span', 'notes', 'view']),
  component: page(() => import('../features/labs/page.tsx')),
});

const imaging = createRoute({
  getParentRoute: () => frame,
  path: '/imaging',
  /** The same names in the address and in the API. */
  validateSearch: pickStudySearch,
  component: page(() => import('../features/imaging/page.tsx')),
});

const openStudy = async (client: QueryClient, id: number, series: string | undefined): Promise<void> => {
  // The page says what fails.
  const opening = await import('../features/imaging/open-study.ts').catch(() => null);
  await opening?.openStudy(client, id, series);
};

const study = createRoute({
  getParentRoute: () => frame,
  path: '/imaging/$id',
  ...oneRecord,
  /** The series that is shown first, and the earlier study that is compared. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['series', 'prior']),
  loaderDeps: ({ search: { series } }) => ({ series }),
  // The viewer is large: the study and its first frame are asked for beside its scripts, and already when a link to it
  // is pointed at, after which entering loads nothing again.
  loader: ({ context: { client }, params: { id }, deps: { series }, cause }) => {
    if (cause !== 'stay') void openStudy(client, Number(id), series);
  },
  component: page(() => import('../features/imaging/study/page.tsx')),
});

const ask = createRoute({
  getParentRoute: () => frame,
  path: '/ask',
  component: page(() => import('../features/ask/page.tsx')),
});

const shares = createRoute({
  getParentRoute: () => frame,
  path: '/shares',
  /** The open share, the filter of the list, and `view=service`: the service instead of the list on narrow screens. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['share', 'show', 'view']),
  component: page(() => import('../features/shares/page.tsx')),
});

const newShare = createRoute({
  getParentRoute: () => frame,
  path: '/shares/new',
  /** Whose documents, and their ids separated by commas. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['of', 'documents']),
  component: page(() => import('../features/shares/new-share.tsx')),
});

const shareSlip = createRoute({
  getParentRoute: () => frame,
  path: '/shares/slip',
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['share']),
  component: page(() => import('../features/shares/slip.tsx')),
});

const names = createRoute({
  getParentRoute: () => frame,
  path: '/names',
  /** The kind of names, search and filter, and the open entry. */
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['type', 'q', 'filter', 'sort', 'entry'], { entry: isId }),
  component: page(() => import('../features/names/page.tsx')),
});

const vault = createRoute({
  getParentRoute: () => frame,
  path: '/vault',
  /** `show=foreign`: only files without a document; `path`: the file or folder to reveal. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['show', 'path']),
  component: page(() => import('../features/vault-files/page.tsx')),
});

const phones = createRoute({
  getParentRoute: () => frame,
  path: '/phones',
  component: page(() => import('../features/phone-backups/page.tsx')),
});

const phone = createRoute({
  getParentRoute: () => frame,
  path: '/phones/$id',
  /** The source (`from=direct`: read in the browser), the view with its open item and filters, and the search text. */
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['from', 'view', 'item', 'at', 'q', 'part', 'filter', 'domain', 'album', 'calendar']),
  component: page(() => import('../features/phone-backups/device-page.tsx')),
});

const tickers = createRoute({
  getParentRoute: () => frame,
  path: '/tickers',
  component: page(() => import('../features/tickers/page.tsx')),
});

const networkTickers = createRoute({
  getParentRoute: () => frame,
  path: '/tickers/network',
  component: page(() => import('../features/tickers/network-page.tsx')),
});

const tickerPrices = createRoute({
  getParentRoute: () => frame,
  path: '/tickers/prices',
  component: page(() => import('../features/tickers/source-page.tsx')),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: page(() => import('../features/settings/page.tsx')),
});

const settingsGeneral = createRoute({
  getParentRoute: () => settings,
  path: '/',
  /** Why connecting the account with a sign-in service failed. */
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['failed', 'claim', 'name']),
  component: page(() => import('../features/settings/general/section.tsx')),
});

const settingsPeople = createRoute({
  getParentRoute: () => settings,
  path: '/people',
  component: page(() => import('../features/settings/people/section.tsx')),
});

const settingsReading = createRoute({
  getParentRoute: () => settings,
  path: '/reading',
  component: page(() => import('../features/settings/reading/section.tsx')),
});

const settingsSignIn = createRoute({
  getParentRoute: () => settings,
  path: '/sign-in',
  component: page(() => import('../features/settings/sign-in/section.tsx')),
});

const settingsSharing = createRoute({
  getParentRoute: () => settings,
  path: '/sharing',
  component: page(() => import('../features/settings/sharing/section.tsx')),
});

const settingsAssistants = createRoute({
  getParentRoute: () => settings,
  path: '/assistants',
  component: page(() => import('../features/settings/assistants/section.tsx')),
});

const settingsSessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['ended']),
  component: page(() => import('../features/settings/sessions/section.tsx')),
});

const settingsBackups = createRoute({
  getParentRoute: () => settings,
  path: '/backups',
  component: page(() => import('../features/vault-backups/section.tsx')),
});

const settingsEncryption = createRoute({
  getParentRoute: () => settings,
  path: '/encryption',
  component: page(() => import('../features/settings/encryption/section.tsx')),
});

const settingsVaults = createRoute({
  getParentRoute: () => settings,
  path: '/vaults',
  component: page(() => import('../features/vaults/section.tsx')),
});

const settingsImport = createRoute({
  getParentRoute: () => settings,
  path: '/import',
  component: page(() => import('../features/archive-imports/section.tsx')),
});

const settingsAudit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: pickAuditSearch,
  component: page(() => import('../features/settings/audit/section.tsx')),
});

const settingsLog = createRoute({
  getParentRoute: () => settings,
  path: '/log',
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['level', 'module'], { level: isOneOf('info', 'warn', 'error') }),
  component: page(() => import('../features/settings/log/section.tsx')),
});

const settingsTrash = createRoute({
  getParentRoute: () => settings,
  path: '/trash',
  component: page(() => import('../features/settings/trash/section.tsx')),
});

const settingsAbout = createRoute({
  getParentRoute: () => settings,
  path: '/about',
  component: page(() => import('../features/settings/about/section.tsx')),
});

/** Unknown addresses show an error inside the frame, so that the navigation stays. */
const missing = createRoute({ getParentRoute: () => frame, path: '$', component: NotFound });

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  pendingComponent: Nothing,
  component: page(() => import('../features/setup/page.tsx')),
});

const leaveSample = createRoute({
  getParentRoute: () => root,
  path: '/leave-sample',
  pendingComponent: Nothing,
  component: page(() => import('../features/sample/page.tsx')),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  pendingComponent: Nothing,
  validateSearch: (search: Record<string, unknown>) =>
    pickSearch(search, ['next', 'expired', 'failed', 'claim', 'name']),
  component: page(() => import('../features/auth/page.tsx')),
});

const unlock = createRoute({
  getParentRoute: () => root,
  path: '/unlock',
  pendingComponent: Nothing,
  validateSearch: (search: Record<string, unknown>) => pickSearch(search, ['next']),
  component: page(() => import('../features/vault-lock/page.tsx')),
});

export const routeTree = root.addChildren([
  frame.addChildren([
    today,
    review,
    documents,
    document,
    timeline,
    labs,
    imaging,
    study,
    ask,
    shares,
    newShare,
    shareSlip,
    names,
    vault,
    phones,
    phone,
    tickers,
    networkTickers,
    tickerPrices,
    settings.addChildren([
      settingsGeneral,
      settingsPeople,
      settingsReading,
      settingsSignIn,
      settingsSharing,
      settingsAssistants,
      settingsSessions,
      settingsBackups,
      settingsImport,
      settingsEncryption,
      settingsVaults,
      settingsAudit,
      settingsLog,
      settingsTrash,
      settingsAbout,
    ]),
    missing,
  ]),
  setup,
  leaveSample,
  login,
  unlock,
]);
