import { existsSync, statfsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { auth as authContract } from '../../src-shared/contract/auth.ts';
import { DICOM_WEB_PATH } from '../../src-shared/contract/dicom-web.ts';
import { PHONE_HEALTH_PATH, PHONE_PREFIX } from '../../src-shared/contract/phone-backups/addresses.ts';
import { chatRoutes } from '../features/ask/routes.ts';
import { tickerRoutes, tickerSourceRoutes } from '../features/tickers/routes.ts';
import { archiveImportRoutes } from '../features/archive-imports/routes.ts';
import { assistantRoutes } from '../features/assistants/routes.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { authRoutes, sessionRoutes } from '../features/auth/routes.ts';
import { linkRoutes } from '../features/document-links/routes.ts';
import { documentRowRoutes } from '../features/document-rows/routes.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { translationRoutes } from '../features/documents/translation/routes.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { dicomWebRoutes, viewerAccessRoutes } from '../features/imaging/dicom-web/routes.ts';
import { imagingRoutes } from '../features/imaging/routes.ts';
import { labRoutes } from '../features/labs/routes.ts';
import { nameRoutes } from '../features/names/routes.ts';
import { oidcRoutes } from '../features/oidc/routes.ts';
import { createOidc } from '../features/oidc/service.ts';
import { passkeyRoutes } from '../features/passkeys/routes.ts';
import { createPasskeys } from '../features/passkeys/service.ts';
import { patientRoutes } from '../features/patients/routes.ts';
import { phoneBackupRoutes, phoneImportRoutes } from '../features/phone-backups/routes.ts';
import { promptRoutes } from '../features/prompts/routes.ts';
import { trialRoutes } from '../features/settings/providers/trial-routes.ts';
import { meaningRoutes } from '../features/settings/providers/meaning-routes.ts';
import { providerRoutes } from '../features/settings/providers/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { healthLinkRoutes } from '../features/shares/health-link/routes.ts';
import { shareRoutes } from '../features/shares/routes.ts';
import { sampleRoutes } from '../features/sample/routes.ts';
import { createSample } from '../features/sample/service.ts';
import { suggestionRoutes } from '../features/suggestions/routes.ts';
import { timelineRoutes } from '../features/timeline/routes.ts';
import { reviewRoutes } from '../features/review/routes.ts';
import { todayRoutes } from '../features/today/routes.ts';
import { trashRoutes } from '../features/trash/routes.ts';
import { userRoutes } from '../features/users/routes.ts';
import { backupRoutes } from '../features/vault-backups/routes.ts';
import { vaultEncryptionRoutes } from '../features/vault-encryption/routes.ts';
import { openVaultLockRoutes } from '../features/vault-lock/routes.ts';
import type { VaultEncryption } from '../features/vault-encryption/service.ts';
import { vaultsRoutes } from '../features/vaults/routes.ts';
import { vaultRoutes } from '../features/vault-files/routes.ts';
import { createSigner, openSecretKey } from '../platform/config/secret-key.ts';
import { createApp, createPhoneApp } from '../platform/http/app.ts';
import { bindPhoneLater, requireToken } from '../platform/http/bind-phone.ts';
import { bind, type BindDeps } from '../platform/http/bind.ts';
import { bindLater } from '../platform/http/bind-later.ts';
import { allowSlowUpload, createLimitedServer } from '../platform/http/server.ts';
import { createSessionCookies } from '../platform/http/session.ts';
import { receiveFile } from '../platform/http/uploads.ts';
import { createViewerGate, viewerCaller } from '../platform/http/viewer-gate.ts';
import { refuseChanges, requireVault } from '../platform/http/vault-gate.ts';
import { requireWindow } from '../platform/http/window-key.ts';
import { ownerOf } from '../reading/pipeline/state.ts';
import { pipelineRoutes } from '../reading/pipeline/routes.ts';
import type { PhoneParts } from './compose-phones.ts';
import { CONTRACT_PARTS } from './contract-parts.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { RecordParts } from './compose-records.ts';
import { mailRoutes } from './compose-mail.ts';
import { mailSettingsIn, type ShareParts } from './compose-shares.ts';
import { troubleCode, type Platform } from './open-platform.ts';

const loadPhoneContract = () =>
  import('../../src-shared/contract/phone-backups/service.ts').then(({ phoneBackups }) => phoneBackups);
/** Folder of the built pages. */
export const RENDERER = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

export interface HttpParts {
  /** The API and the user interface. */
  server: Server;
  /** The service for phone backups, which has its own port. */
  phoneServer: Server;
  sessions: SessionCookies;
}
type SessionCookies = ReturnType<typeof createSessionCookies>;
type Features = RecordParts &
  PhoneParts &
  Pick<ReadingParts, 'pipeline' | 'providers' | 'prompts' | 'modelUsage'> & {
    shareParts: ShareParts;
    vaultEncryption: VaultEncryption;
  };

/**
 * Creates both servers without starting to listen. `backupsUrl` returns the address of the phone-backup service, or
 * null while it has none.
 */
export function composeHttp(platform: Platform, features: Features, backupsUrl: () => string | null): HttpParts {
  const { config, access, log, clock } = platform;
  const { phones } = features;
  const sessions = composeSessions(platform, features);
  const routers = bindRoutes(platform, features, sessions, backupsUrl);
  const mayUse = (req: Parameters<SessionCookies['resolveCaller']>[0]): void =>
    access.require('admin', sessions.resolveCaller(req), undefined);
  const bindPhones = (deps: Parameters<typeof bindPhoneLater>[2]) =>
    bindPhoneLater(loadPhoneContract, phoneBackupRoutes(phones), deps);
  routers.push(bindPhones({ log, prefix: PHONE_PREFIX, mayUse }));
  routers.push(features.shareParts.recipientRouter);
  const app = createApp({
    publicHost: config['http.public_host'],
    guards: [
      ...(platform.windowKey === null ? [] : [requireWindow(platform.windowKey, [DICOM_WEB_PATH])]),
      requireVault(() => troubleCode(platform.claim.trouble())),
      ...(platform.readOnlySince === null ? [] : [refuseChanges]),
    ],
    routers,
    rendererFolder: existsSync(RENDERER) ? RENDERER : null,
    log: log.child('http'),
  });
  const phoneApp = createPhoneApp({
    router: bindPhones({ log }),
    requireToken: requireToken(phones.apiToken, [PHONE_HEALTH_PATH]),
    log: log.child('phones'),
  });
  const limits = { requestMs: config['http.request_timeout'] * 1000, connections: config['http.max_connections'] };
  return {
    server: createLimitedServer(app, clock, limits),
    phoneServer: createLimitedServer(phoneApp, clock, limits),
    sessions,
  };
}

function composeSessions({ root, clock }: Platform, { auth }: Pick<RecordParts, 'auth'>): SessionCookies {
  const key = openSecretKey(root);
  return createSessionCookies({
    signer: createSigner(key, 'session'),
    signInSigner: createSigner(key, 'sign-in'),
    deviceSigner: createSigner(key, 'device'),
    clock,
    sessions: auth,
  });
}

/** Binds the handlers of every feature to its contract. */
function bindRoutes(platform: Platform, features: Features, sessions: SessionCookies, backupsUrl: () => string | null) {
  const { root, db, clock, log, config, access, audit, vault, live, settings, samples } = platform;
  const { auth, users, documents, pipeline, vaultFiles, checks, phones, imports } = features;
  const deps: BindDeps = {
    mode: 'core',
    access,
    audit,
    log,
    ...sessions,
    recipient: noRecipient,
    readBody: null,
    receive: (req, form) => {
      allowSlowUpload(req);
      return receiveFile(req, form, vault, config['upload.max_bytes']);
    },
  };
  const oidc = createOidc({ config, users, auth, audit, log: log.child('oidc') });
  const passkeys = createPasskeys({ db, clock, auth, audit, log: log.child('passkeys') });
  const setup = { auth, vaultPath: root, freeBytes: () => measureFreeBytes(root) };
  const status = {
    pipeline,
    live,
    access,
    belonging: (documentId: number) => ownerOf(db, documentId),
    isSignedIn: (caller: { sessionId: string }) => auth.resolve(caller.sessionId) !== null,
    mayFollowShares: features.shareParts.shares.mayFollowService,
  };
  return [
    bind(authContract, authRoutes(setup), deps),
    bindLater(CONTRACT_PARTS.patients, patientRoutes(features.patients), deps),
    bindLater(
      CONTRACT_PARTS.documents,
      documentRoutes(documents, async (id, caller, signal) => {
        const owner = ownerOf(db, id);
        // Whoever may only read a document sends nothing of it to a model.
        if (!owner || !access.may(caller, 'write', owner)) return null;
        const name = await features.suggestions.filename(id, signal);
        access.require({ document: 'read' }, caller, id);
        return name;
      }),
      deps,
    ),
    bindLater(
      CONTRACT_PARTS.translations,
      translationRoutes({ documents, config, isAvailable: features.providers.general.isAvailable }),
      deps,
    ),
    bindLater(CONTRACT_PARTS.suggestions, suggestionRoutes(features.suggestions, access), deps),
    bindLater(CONTRACT_PARTS.documentLinks, linkRoutes(features.links), deps),
    bindLater(CONTRACT_PARTS.events, eventRoutes(features.events), deps),
    bindLater(CONTRACT_PARTS.documentRows, documentRowRoutes(features.documentRows), deps),
    bindLater(CONTRACT_PARTS.vaults, vaultsRoutes(features.vaults), deps),
    bindLater(CONTRACT_PARTS.vaultLock, openVaultLockRoutes(), deps),
    bindLater(CONTRACT_PARTS.vaultEncryption, vaultEncryptionRoutes(features.vaultEncryption), deps),
    bindLater(CONTRACT_PARTS.archiveImports, archiveImportRoutes(features.archiveImports), deps),
    bindLater(CONTRACT_PARTS.imaging, imagingRoutes(features.imaging), deps),
    bindLater(CONTRACT_PARTS.viewerAccesses, viewerAccessRoutes(features.viewerAccess), deps),
    createViewerGate(DICOM_WEB_PATH, features.viewerAccess),
    bindLater(CONTRACT_PARTS.dicomWeb, dicomWebRoutes(features.dicomWeb), {
      ...deps,
      resolveCaller: viewerCaller(features.viewerAccess),
    }),
    bindLater(CONTRACT_PARTS.labs, labRoutes(features.labs), deps),
    bindLater(CONTRACT_PARTS.names, nameRoutes(features.nameService), deps),
    bindLater(CONTRACT_PARTS.timeline, timelineRoutes(features.timeline), deps),
    bindLater(CONTRACT_PARTS.chat, chatRoutes(features.ask), deps),
    bindLater(CONTRACT_PARTS.assistants, assistantRoutes(features.assistants), deps),
    bindLater(CONTRACT_PARTS.tickers, tickerRoutes(features.tickers), deps),
    bindLater(CONTRACT_PARTS.tickerSourceList, tickerSourceRoutes(features.tickerSource.service), deps),
    bindLater(CONTRACT_PARTS.pipeline, pipelineRoutes(status), deps),
    bindLater(CONTRACT_PARTS.today, todayRoutes(features.today), deps),
    bindLater(CONTRACT_PARTS.review, reviewRoutes(features.review), deps),
    bindLater(CONTRACT_PARTS.trash, trashRoutes(features.trash), deps),
    bindLater(CONTRACT_PARTS.vaultBackups, backupRoutes(features.backups), deps),
    bindLater(CONTRACT_PARTS.vaultFiles, vaultRoutes({ files: vaultFiles, checks }), deps),
    bindLater(
      CONTRACT_PARTS.settings,
      settingsRoutes(settings, () => features.providers.has('vision', null)),
      deps,
    ),
    bindLater(
      CONTRACT_PARTS.providers,
      providerRoutes({
        settings: platform.providerSettings,
        providers: features.providers,
        usage: features.modelUsage,
      }),
      deps,
    ),
    bindLater(
      CONTRACT_PARTS.meaning,
      meaningRoutes({ settings: platform.providerSettings, search: features.meaning }),
      deps,
    ),
    bindLater(
      CONTRACT_PARTS.readerTrials,
      trialRoutes({
        ...{ settings: platform.providerSettings, providers: features.providers, access },
        tryReader: documents.tryReader,
      }),
      deps,
    ),
    bindLater(CONTRACT_PARTS.users, userRoutes(users), deps),
    bindLater(CONTRACT_PARTS.oidc, oidcRoutes(oidc), deps),
    bindLater(CONTRACT_PARTS.passkeys, passkeyRoutes(passkeys), deps),
    bindLater(CONTRACT_PARTS.prompts, promptRoutes(features.prompts), deps),
    bindLater(CONTRACT_PARTS.sessions, sessionRoutes(auth), deps),
    bindLater(CONTRACT_PARTS.audit, auditRoutes({ db, log }), deps),
    bindLater(CONTRACT_PARTS.mail, mailRoutes(mailSettingsIn(config)), deps),
    bindLater(CONTRACT_PARTS.shares, shareRoutes(features.shareParts.shares), deps),
    bindLater(CONTRACT_PARTS.healthLinks, healthLinkRoutes(features.shareParts.healthLinks), deps),
    bindLater(CONTRACT_PARTS.sample, sampleRoutes(createSample({ samples, host: config['http.host'], auth })), deps),
    bindLater(CONTRACT_PARTS.phoneImport, phoneImportRoutes({ phones, imports, access, url: backupsUrl }), deps),
  ];
}

/** Recipients of shares have a router of their own. */
function noRecipient(): never {
  throw new Error('No endpoint of the household uses this.');
}

function measureFreeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // Some network file systems don't report free space; the setup page then omits the line.
    return undefined;
  }
}
