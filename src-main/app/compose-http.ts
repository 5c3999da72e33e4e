import { existsSync, statfsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { archiveImports as archiveImportContract } from '../../src-shared/contract/archive-imports.ts';
import { tickers as tickerContract } from '../../src-shared/contract/tickers.ts';
import { tickerSourceList as tickerSourceContract } from '../../src-shared/contract/ticker-source.ts';
import { assistants as assistantContract } from '../../src-shared/contract/assistants.ts';
import { audit as auditContract } from '../../src-shared/contract/audit.ts';
import { auth as authContract } from '../../src-shared/contract/auth.ts';
import { DICOM_WEB_PATH, dicomWeb as dicomWebContract } from '../../src-shared/contract/dicom-web.ts';
import { chat as chatContract } from '../../src-shared/contract/chat.ts';
import { documentLinks as linkContract } from '../../src-shared/contract/document-links.ts';
import { documentRows as documentRowContract } from '../../src-shared/contract/document-rows.ts';
import { documents as documentContract } from '../../src-shared/contract/documents.ts';
import { events as eventContract } from '../../src-shared/contract/events.ts';
import { healthLinks as healthLinkContract } from '../../src-shared/contract/health-links.ts';
import { imaging as imagingContract } from '../../src-shared/contract/imaging.ts';
import { labs as labContract } from '../../src-shared/contract/labs.ts';
import { mail as mailContract } from '../../src-shared/contract/mail.ts';
import { names as nameContract } from '../../src-shared/contract/names.ts';
import { oidc as oidcContract } from '../../src-shared/contract/oidc.ts';
import { passkeys as passkeyContract } from '../../src-shared/contract/passkeys.ts';
import { patients as patientContract } from '../../src-shared/contract/patients.ts';
import { PHONE_PREFIX, phoneBackups as phoneBackupContract } from '../../src-shared/contract/phone-backups/service.ts';
import { phoneImport as phoneImportContract } from '../../src-shared/contract/phone-backups/import.ts';
import { pipeline as pipelineContract } from '../../src-shared/contract/pipeline.ts';
import { readerTrials as readerTrialContract } from '../../src-shared/contract/reader-trials.ts';
import { meaning as meaningContract } from '../../src-shared/contract/meaning.ts';
import { providers as providerContract } from '../../src-shared/contract/providers.ts';
import { prompts as promptContract } from '../../src-shared/contract/prompts.ts';
import { review as reviewContract } from '../../src-shared/contract/review.ts';
import { sample as sampleContract } from '../../src-shared/contract/sample.ts';
import { sessions as sessionContract } from '../../src-shared/contract/sessions.ts';
import { shares as shareContract } from '../../src-shared/contract/shares.ts';
import { settings as settingsContract } from '../../src-shared/contract/settings.ts';
import { timeline as timelineContract } from '../../src-shared/contract/timeline.ts';
import { today as todayContract } from '../../src-shared/contract/today.ts';
import { suggestions as suggestionContract } from '../../src-shared/contract/suggestions.ts';
import { translations as translationContract } from '../../src-shared/contract/translations.ts';
import { trash as trashContract } from '../../src-shared/contract/trash.ts';
import { users as userContract } from '../../src-shared/contract/users.ts';
import { vaultBackups as backupContract } from '../../src-shared/contract/vault-backups.ts';
import { vaultLock as vaultLockContract } from '../../src-shared/contract/vault-lock.ts';
import { vaults as vaultsContract } from '../../src-shared/contract/vaults.ts';
import { vaultFiles as vaultContract } from '../../src-shared/contract/vault-files.ts';
import { viewerAccesses as viewerAccessContract } from '../../src-shared/contract/viewer-access.ts';
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
import { openVaultLockRoutes } from '../features/vault-lock/routes.ts';
import { vaultsRoutes } from '../features/vaults/routes.ts';
import { vaultRoutes } from '../features/vault-files/routes.ts';
import { createSigner, openSecretKey } from '../platform/config/secret-key.ts';
import { createApp, createPhoneApp } from '../platform/http/app.ts';
import { bindPhone, requireToken } from '../platform/http/bind-phone.ts';
import { bind, type BindDeps } from '../platform/http/bind.ts';
import { allowSlowUpload, createLimitedServer } from '../platform/http/server.ts';
import { createSessionCookies } from '../platform/http/session.ts';
import { receiveFile } from '../platform/http/uploads.ts';
import { createViewerGate, viewerCaller } from '../platform/http/viewer-gate.ts';
import { refuseChanges, requireVault } from '../platform/http/vault-gate.ts';
import { requireWindow } from '../platform/http/window-key.ts';
import { ownerOf } from '../reading/pipeline/state.ts';
import { pipelineRoutes } from '../reading/pipeline/routes.ts';
import type { PhoneParts } from './compose-phones.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { RecordParts } from './compose-records.ts';
import { mailRoutes } from './compose-mail.ts';
import { mailSettingsIn, type ShareParts } from './compose-shares.ts';
import { troubleCode, type Platform } from './open-platform.ts';

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
  Pick<ReadingParts, 'pipeline' | 'providers' | 'prompts' | 'modelUsage'> & { shareParts: ShareParts };

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
  routers.push(bindPhone(phoneBackupContract, phoneBackupRoutes(phones), { log, prefix: PHONE_PREFIX, mayUse }));
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
    router: bindPhone(phoneBackupContract, phoneBackupRoutes(phones), { log }),
    requireToken: requireToken(phones.apiToken, [phoneBackupContract.healthz.path]),
    log: log.child('phones'),
  });
  const limits = { requestMs: config['http.request_timeout'] * 1000, maxConnections: config['http.max_connections'] };
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
    bind(patientContract, patientRoutes(features.patients), deps),
    bind(
      documentContract,
      documentRoutes(documents, async (id, caller, signal) => {
        const owner = ownerOf(db, id);
        // Whoever may only read a document sends nothing of it to a model.
        return owner && access.may(caller, 'write', owner) ? features.suggestions.filename(id, signal) : null;
      }),
      deps,
    ),
    bind(
      translationContract,
      translationRoutes({ documents, config, isAvailable: features.providers.general.isAvailable }),
      deps,
    ),
    bind(suggestionContract, suggestionRoutes(features.suggestions), deps),
    bind(linkContract, linkRoutes(features.links), deps),
    bind(eventContract, eventRoutes(features.events), deps),
    bind(documentRowContract, documentRowRoutes(features.documentRows), deps),
    bind(vaultsContract, vaultsRoutes(features.vaults), deps),
    bind(vaultLockContract, openVaultLockRoutes(), deps),
    bind(archiveImportContract, archiveImportRoutes(features.archiveImports), deps),
    bind(imagingContract, imagingRoutes(features.imaging), deps),
    bind(viewerAccessContract, viewerAccessRoutes(features.viewerAccess), deps),
    createViewerGate(DICOM_WEB_PATH, features.viewerAccess),
    bind(dicomWebContract, dicomWebRoutes(features.dicomWeb), {
      ...deps,
      resolveCaller: viewerCaller(features.viewerAccess),
    }),
    bind(labContract, labRoutes(features.labs), deps),
    bind(nameContract, nameRoutes(features.nameService), deps),
    bind(timelineContract, timelineRoutes(features.timeline), deps),
    bind(chatContract, chatRoutes(features.ask), deps),
    bind(assistantContract, assistantRoutes(features.assistants), deps),
    bind(tickerContract, tickerRoutes(features.tickers), deps),
    bind(tickerSourceContract, tickerSourceRoutes(features.tickerSource.service), deps),
    bind(pipelineContract, pipelineRoutes(status), deps),
    bind(todayContract, todayRoutes(features.today), deps),
    bind(reviewContract, reviewRoutes(features.review), deps),
    bind(trashContract, trashRoutes(features.trash), deps),
    bind(backupContract, backupRoutes(features.backups), deps),
    bind(vaultContract, vaultRoutes({ files: vaultFiles, checks }), deps),
    bind(
      settingsContract,
      settingsRoutes(settings, () => features.providers.has('vision', null)),
      deps,
    ),
    bind(
      providerContract,
      providerRoutes({
        settings: platform.providerSettings,
        providers: features.providers,
        usage: features.modelUsage,
      }),
      deps,
    ),
    bind(meaningContract, meaningRoutes({ settings: platform.providerSettings, search: features.meaning }), deps),
    bind(
      readerTrialContract,
      trialRoutes({
        ...{ settings: platform.providerSettings, providers: features.providers, access },
        tryReader: documents.tryReader,
      }),
      deps,
    ),
    bind(userContract, userRoutes(users), deps),
    bind(oidcContract, oidcRoutes(oidc), deps),
    bind(passkeyContract, passkeyRoutes(passkeys), deps),
    bind(promptContract, promptRoutes(features.prompts), deps),
    bind(sessionContract, sessionRoutes(auth), deps),
    bind(auditContract, auditRoutes({ db, log }), deps),
    bind(mailContract, mailRoutes(mailSettingsIn(config)), deps),
    bind(shareContract, shareRoutes(features.shareParts.shares), deps),
    bind(healthLinkContract, healthLinkRoutes(features.shareParts.healthLinks), deps),
    bind(sampleContract, sampleRoutes(createSample({ samples, host: config['http.host'], auth })), deps),
    bind(phoneImportContract, phoneImportRoutes({ phones, imports, access, url: backupsUrl }), deps),
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
