import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import type { TableLater } from '../platform/http/bind-later.ts';

const part = <const T extends Record<string, Endpoint>>(
  roots: readonly string[],
  load: () => Promise<T>,
): TableLater<T> => ({ roots, load });

/**
 * The contracts of features, each loaded when one of its addresses is first asked for: to make the schemas of all of them
 * takes an eighth of a start. `roots` are the starts of their addresses.
 */
export const CONTRACT_PARTS = {
  archiveImports: part(['/api/imports'], () =>
    import('../../src-shared/contract/archive-imports.ts').then(({ archiveImports }) => archiveImports),
  ),
  assistants: part(['/api/assistants'], () =>
    import('../../src-shared/contract/assistants.ts').then(({ assistants }) => assistants),
  ),
  audit: part(['/api/settings'], () => import('../../src-shared/contract/audit.ts').then(({ audit }) => audit)),
  chat: part(['/api/chat'], () => import('../../src-shared/contract/chat.ts').then(({ chat }) => chat)),
  dicomWeb: part(['/api/dicomweb'], () =>
    import('../../src-shared/contract/dicom-web.ts').then(({ dicomWeb }) => dicomWeb),
  ),
  documentLinks: part(['/api/documents'], () =>
    import('../../src-shared/contract/document-links.ts').then(({ documentLinks }) => documentLinks),
  ),
  documentRows: part(['/api/encounters', '/api/medications', '/api/vaccinations'], () =>
    import('../../src-shared/contract/document-rows.ts').then(({ documentRows }) => documentRows),
  ),
  documents: part(['/api/documents'], () =>
    import('../../src-shared/contract/documents.ts').then(({ documents }) => documents),
  ),
  events: part(['/api/events'], () => import('../../src-shared/contract/events.ts').then(({ events }) => events)),
  healthLinks: part(['/api/shares'], () =>
    import('../../src-shared/contract/health-links.ts').then(({ healthLinks }) => healthLinks),
  ),
  imaging: part(['/api/imaging'], () => import('../../src-shared/contract/imaging.ts').then(({ imaging }) => imaging)),
  labs: part(['/api/lab-results'], () => import('../../src-shared/contract/labs.ts').then(({ labs }) => labs)),
  mail: part(['/api/settings'], () => import('../../src-shared/contract/mail.ts').then(({ mail }) => mail)),
  meaning: part(['/api/settings'], () => import('../../src-shared/contract/meaning.ts').then(({ meaning }) => meaning)),
  names: part(['/api/normalization'], () => import('../../src-shared/contract/names.ts').then(({ names }) => names)),
  oidc: part(['/api/auth', '/api/settings'], () =>
    import('../../src-shared/contract/oidc.ts').then(({ oidc }) => oidc),
  ),
  passkeys: part(['/api/auth'], () => import('../../src-shared/contract/passkeys.ts').then(({ passkeys }) => passkeys)),
  patients: part(['/api/patients'], () =>
    import('../../src-shared/contract/patients.ts').then(({ patients }) => patients),
  ),
  phoneImport: part(['/api/phone-service'], () =>
    import('../../src-shared/contract/phone-backups/import.ts').then(({ phoneImport }) => phoneImport),
  ),
  pipeline: part(['/api/pipeline'], () =>
    import('../../src-shared/contract/pipeline.ts').then(({ pipeline }) => pipeline),
  ),
  prompts: part(['/api/settings'], () => import('../../src-shared/contract/prompts.ts').then(({ prompts }) => prompts)),
  providers: part(['/api/settings'], () =>
    import('../../src-shared/contract/providers.ts').then(({ providers }) => providers),
  ),
  readerTrials: part(['/api/settings'], () =>
    import('../../src-shared/contract/reader-trials.ts').then(({ readerTrials }) => readerTrials),
  ),
  review: part(['/api/review'], () => import('../../src-shared/contract/review.ts').then(({ review }) => review)),
  sample: part(['/api/sample'], () => import('../../src-shared/contract/sample.ts').then(({ sample }) => sample)),
  sessions: part(['/api/settings'], () =>
    import('../../src-shared/contract/sessions.ts').then(({ sessions }) => sessions),
  ),
  settings: part(['/api/settings'], () =>
    import('../../src-shared/contract/settings.ts').then(({ settings }) => settings),
  ),
  shares: part(['/api/shares'], () => import('../../src-shared/contract/shares.ts').then(({ shares }) => shares)),
  suggestions: part(['/api/documents', '/api/events'], () =>
    import('../../src-shared/contract/suggestions.ts').then(({ suggestions }) => suggestions),
  ),
  tickerSourceList: part(['/api/tickers'], () =>
    import('../../src-shared/contract/ticker-source.ts').then(({ tickerSourceList }) => tickerSourceList),
  ),
  tickers: part(['/api/tickers'], () => import('../../src-shared/contract/tickers.ts').then(({ tickers }) => tickers)),
  timeline: part(['/api/timeline'], () =>
    import('../../src-shared/contract/timeline.ts').then(({ timeline }) => timeline),
  ),
  today: part(['/api/today'], () => import('../../src-shared/contract/today.ts').then(({ today }) => today)),
  translations: part(['/api/documents', '/api/settings'], () =>
    import('../../src-shared/contract/translations.ts').then(({ translations }) => translations),
  ),
  trash: part(['/api/trash'], () => import('../../src-shared/contract/trash.ts').then(({ trash }) => trash)),
  users: part(['/api/settings'], () => import('../../src-shared/contract/users.ts').then(({ users }) => users)),
  vaultBackups: part(['/api/settings'], () =>
    import('../../src-shared/contract/vault-backups.ts').then(({ vaultBackups }) => vaultBackups),
  ),
  vaultEncryption: part(['/api/vault-encryption'], () =>
    import('../../src-shared/contract/vault-encryption.ts').then(({ vaultEncryption }) => vaultEncryption),
  ),
  vaultFiles: part(['/api/vault'], () =>
    import('../../src-shared/contract/vault-files.ts').then(({ vaultFiles }) => vaultFiles),
  ),
  vaultLock: part(['/api/vault-lock'], () =>
    import('../../src-shared/contract/vault-lock.ts').then(({ vaultLock }) => vaultLock),
  ),
  vaults: part(['/api/vaults'], () => import('../../src-shared/contract/vaults.ts').then(({ vaults }) => vaults)),
  viewerAccesses: part(['/api/viewer-access'], () =>
    import('../../src-shared/contract/viewer-access.ts').then(({ viewerAccesses }) => viewerAccesses),
  ),
};
