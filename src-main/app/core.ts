import { statfsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { accounts } from '../../src-shared/contract/auth.ts';
import { audit as auditContract } from '../../src-shared/contract/audit.ts';
import { backups as backupContract } from '../../src-shared/contract/vault-backups.ts';
import { children as childContract } from '../../src-shared/contract/document-rows.ts';
import { documents as documentContract } from '../../src-shared/contract/documents.ts';
import { events as eventContract } from '../../src-shared/contract/events.ts';
import { labs as labContract } from '../../src-shared/contract/labs.ts';
import { links as linkContract } from '../../src-shared/contract/document-links.ts';
import { names as nameContract } from '../../src-shared/contract/names.ts';
import { patients as patientContract } from '../../src-shared/contract/patients.ts';
import { PHONE_PREFIX, phoneBackups as phoneBackupContract } from '../../src-shared/contract/phone-backups/service.ts';
import { phone as phoneContract } from '../../src-shared/contract/phone-backups/vault.ts';
import { pipeline as pipelineContract } from '../../src-shared/contract/pipeline.ts';
import { timeline as timelineContract } from '../../src-shared/contract/timeline.ts';
import { oidc as oidcContract } from '../../src-shared/contract/oidc.ts';
import { prompts as promptContract } from '../../src-shared/contract/prompts.ts';
import { sessions as sessionContract } from '../../src-shared/contract/sessions.ts';
import { settings as settingsContract } from '../../src-shared/contract/settings.ts';
import { today as todayContract } from '../../src-shared/contract/today.ts';
import { trash as trashContract } from '../../src-shared/contract/trash.ts';
import { users as userContract } from '../../src-shared/contract/users.ts';
import { vault as vaultContract } from '../../src-shared/contract/vault-files.ts';
import { createAccess } from '../platform/access/access.ts';
import { createAudit } from '../platform/audit/audit.ts';
import { backupRoutes } from '../features/vault-backups/routes.ts';
import { adoptKeys, createBackups, type RestartStep } from '../features/vault-backups/service.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { childRoutes } from '../features/document-rows/routes.ts';
import { createChildren } from '../features/document-rows/service.ts';
import { authRoutes, sessionRoutes } from '../features/auth/routes.ts';
import { createAuth } from '../features/auth/service.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder, ensurePrivateFolder } from '../platform/config/load.ts';
import { createSigner, openSecretKey } from '../platform/config/secret-key.ts';
import { createCatchUp } from '../platform/database/catch-up.ts';
import { openDatabase } from '../platform/database/connection.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { createDocuments, type Documents } from '../features/documents/service.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { createEvents, type EventService } from '../features/events/service.ts';
import { createApp, createPhoneApp } from '../platform/http/app.ts';
import { bind, type BindDeps } from '../platform/http/bind.ts';
import { bindPhone, requireToken } from '../platform/http/bind-phone.ts';
import { createSessionCookies } from '../platform/http/session.ts';
import { receiveFile } from '../platform/http/uploads.ts';
import type { Caller } from '../platform/kernel/caller.ts';
import { systemClock, toTimestamp, type Clock } from '../platform/kernel/clock.ts';
import { fail } from '../platform/kernel/errors.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { createLive } from '../platform/kernel/live.ts';
import { createLog, type Log } from '../platform/kernel/log.ts';
import { createKnowledge } from '../reading/knowledge/service.ts';
import { labRoutes } from '../features/labs/routes.ts';
import { createLabs } from '../features/labs/service.ts';
import { linkRoutes } from '../features/document-links/routes.ts';
import { createLinks, type LinkService } from '../features/document-links/service.ts';
import { createNormalization } from '../features/names/service.ts';
import { nameRoutes } from '../features/names/routes.ts';
import { createNames } from '../features/names/resolver.ts';
import { patientRoutes } from '../features/patients/routes.ts';
import { createPatients } from '../features/patients/service.ts';
import { phoneBackupRoutes, phoneVaultRoutes } from '../features/phone-backups/routes.ts';
import { createSending } from '../features/phone-backups/send.ts';
import { createPhoneBackups, type PhoneBackups } from '../features/phone-backups/service.ts';
import { createPipeline, type Pipeline } from '../reading/pipeline/pipeline.ts';
import { pipelineRoutes } from '../reading/pipeline/routes.ts';
import { belongingOf } from '../reading/pipeline/visible-status.ts';
import { createReading } from '../reading/providers/page/reading.ts';
import { scanLanguages } from '../reading/providers/page/scan-languages.ts';
import { oidcRoutes } from '../features/oidc/routes.ts';
import { createOidc } from '../features/oidc/service.ts';
import { promptRoutes } from '../features/prompts/routes.ts';
import { createPrompts } from '../features/prompts/service.ts';
import { createProviders } from '../reading/providers/registry.ts';
import { timelineRoutes } from '../features/timeline/routes.ts';
import { createTimeline } from '../features/timeline/service.ts';
import { createSecrets, type Keychain } from '../platform/secrets/service.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { createSettings } from '../features/settings/service.ts';
import { createToday } from '../features/today/service.ts';
import { createTodayRepository } from '../features/today/repository.ts';
import { todayRoutes } from '../features/today/routes.ts';
import { createTrashRepository } from '../features/trash/repository.ts';
import { trashRoutes } from '../features/trash/routes.ts';
import { createTrashService } from '../features/trash/service.ts';
import { userRoutes } from '../features/users/routes.ts';
import { createUsers } from '../features/users/service.ts';
import { createVaultChecks } from '../features/vault-files/check.ts';
import { createFileWorker } from '../platform/vault/file-worker.ts';
import { vaultRoutes } from '../features/vault-files/routes.ts';
import { createVaultFiles } from '../features/vault-files/service.ts';
import { createVault } from '../platform/vault/vault.ts';
import { lockVault } from '../platform/vault/lock.ts';
import { UNDO_DAYS } from '../platform/vault/trash.ts';
import { toolsFor } from './reading-tools.ts';

export const DATABASE_FILE = 'vault.db';
const RENDERER = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
const READING_IDLE_MS = 60_000;
const DAY_MS = 86_400_000;
/** After the start, when nobody has asked for anything for a second: tidying holds everybody up for a tenth of one. */
const QUIET_MS = 1500;
const NOBODY_ASKS_MS = 1000;
/** A phone that sends a film over a slow wireless network; Node would hang up after five minutes. */
const LONGEST_REQUEST_MS = 3_600_000;
/** Other computers never see the backups of a phone. */
const LOOPBACK = '127.0.0.1';
/** Open requests get this long to finish at a stop. */
const DRAIN_MS = 2000;

export interface CoreOptions {
  config: Config;
  clock?: Clock;
  log?: Log;
  /** The operating system's, where the shell has one. */
  keychain?: Keychain | null;
  /** Ends this core and starts anew with what the step leaves; without it nothing can be restored from within. */
  restart?: (step: RestartStep) => void;
}

export interface Core {
  /** Where it listens, with the port that was given. */
  url: string;
  /** Where the service for phone backups listens; null where its port is taken, and in share mode. */
  backupsUrl: string | null;
  /** Where the files lie. */
  vaultFolder: string;
  log: Log;
  /** `mayUse` says whether the `Cookie` header is that of somebody who may look at the backups of this computer. */
  phones: Pick<PhoneBackups, 'lockAll' | 'folders' | 'foldersIn' | 'baseDirectory'> & {
    mayUse(cookie: string): boolean;
  };
  pipeline: Pipeline;
  documents: Documents;
  patients: ReturnType<typeof createPatients>;
  events: EventService;
  links: LinkService;
  auth: ReturnType<typeof createAuth>;
  stop(): Promise<void>;
}

/** Builds the whole core, in the order in which its parts need each other, and starts it. The only place that knows everybody. */
export async function startCore({
  config: base,
  clock = systemClock,
  log = createLog(base['log.level']),
  keychain = null,
  restart = cannotRestart,
}: CoreOptions): Promise<Core> {
  const root = base['vault.path'];
  ensurePrivateFolder(root);
  const unlock = lockVault(root);
  const db = openDatabase(join(root, DATABASE_FILE));
  const secrets = createSecrets({ folder: configFolder(), keychain });
  adoptKeys(root, secrets);
  const settings = createSettings({ db, clock, log: log.child('settings'), secrets, base });
  const { config } = settings;
  const vault = createVault({ root, db, clock, ids: randomId, log });
  const catchUp = createCatchUp({ db, clock, log: log.child('catch-up'), change: vault.change });
  const live = createLive(clock);
  const announce = live.announce;
  const access = createAccess({ db });
  const audit = createAudit({ db, clock });
  const knowledge = createKnowledge();
  const language = (): string => config['llm.canonical_language'];
  const names = createNames({
    db,
    clock,
    access,
    knowledge,
    language,
    renamed: (kind, id) => normalization.renamed(kind, id),
  });

  const providers = createProviders({ config, clock });
  const reading = createReading({
    clock,
    idleMs: READING_IDLE_MS,
    languages: () => scanLanguages(config['ocr.language']),
    limits: { maxPages: config['upload.max_pages'], maxPixels: config['upload.max_megapixels'] * 1e6 },
  });
  const pipeline = createPipeline({
    db,
    clock,
    log,
    root: vault.root,
    announce,
    hasProvider: providers.has,
    toolsFor: (job, document, options) =>
      toolsFor(
        { vault, providers, reading, documents: () => documents, prepareNames: names.prepare },
        job,
        document,
        options,
      ),
    rules: () => ({ retryInterval: config['pipeline.retry_interval'], maxRetries: config['pipeline.max_retries'] }),
    watch: () => ({ enabled: config['pipeline.watch_enabled'], pollSeconds: config['pipeline.poll_interval'] }),
  });
  const documents = createDocuments({
    db,
    vault,
    clock,
    ids: randomId,
    log,
    config,
    access,
    names,
    pages: reading,
    queue: pipeline,
    catchUp,
    announce,
  });
  const patients = createPatients({
    db,
    vault,
    clock,
    renamed: documents.reindexPatient,
    leaving: documents.stopReading,
  });
  const auth = createAuth({ db, clock, audit, patients, sessionTtlHours: () => config['auth.session_ttl_hours'] });
  const users = createUsers({ db, clock, auth });
  const today = createToday({ access, clock, documents: documents.queries, repository: createTodayRepository(db) });
  const events = createEvents({ db, vault, clock, access, names, documents, announce });
  const links = createLinks({ db, clock, access, documents });
  const children = createChildren({ db, vault, clock, names, documents });
  const labs = createLabs({
    db,
    vault,
    clock,
    access,
    documents,
    knowledge,
    knowsTest: (user, id) => names.knows(user, 'lab_tests', id),
    testOf: (name, sample, unit) => names.resolve('lab_tests', name, { auto: false, sample, unit }),
  });
  const timeline = createTimeline({ db, access, titles: documents.titles });
  const normalization = createNormalization({
    db,
    vault,
    clock,
    access,
    knowledge,
    language,
    catchUp,
    documents,
    announce,
  });
  const trash = createTrashService({
    vault,
    access,
    repository: createTrashRepository(db),
    restored: documents.restored,
    eventRestored: events.restored,
    nameRestored: normalization.restored,
    purged: (hashes) => hashes.forEach(documents.forgetContent),
  });
  const fileWorker = createFileWorker(clock);
  const vaultFiles = createVaultFiles({ db, vault, clock, access, announce, documents: documents.vaultFiles });
  const checks = createVaultChecks({
    db,
    root: vault.root,
    clock,
    log: log.child('check'),
    access,
    audit,
    files: fileWorker,
    announce,
  });
  const backups = createBackups({
    db,
    audit,
    root: vault.root,
    clock,
    log: log.child('backups'),
    ids: randomId,
    files: fileWorker,
    secrets,
    announce,
    restart,
  });
  const phones = createPhoneBackups({
    db,
    clock,
    log: log.child('phones'),
    root,
    basePath: config['backups.base_path'],
    tempPath: config['backups.temp_path'],
    apiToken: config['security.api_token'],
    paperShare: reading.paperShare,
  });
  const sending = createSending({
    phones,
    addMeasurements: labs.measurements.add,
    upload: (query, source, filename, user) =>
      documents.upload(
        query,
        async () => ({ ...(await vault.receive(source, { limit: config['upload.max_bytes'] })), filename }),
        user,
      ),
  });

  const key = openSecretKey(root);
  const sessions = createSessionCookies({
    signer: createSigner(key, 'session'),
    signInSigner: createSigner(key, 'sign-in'),
    clock,
    sessions: auth,
  });
  const deps: BindDeps = {
    mode: config.mode,
    access,
    audit,
    log,
    ...sessions,
    receive: (req, field) => receiveFile(req, field, vault, config['upload.max_bytes']),
  };
  let backupsUrl: string | null = null;
  const routers = [
    bind(accounts, authRoutes({ auth, mode: config.mode, vaultPath: root, freeBytes: () => freeBytes(root) }), deps),
    bind(patientContract, patientRoutes(patients), deps),
    bind(documentContract, documentRoutes(documents), deps),
    bind(linkContract, linkRoutes(links), deps),
    bind(eventContract, eventRoutes(events), deps),
    bind(childContract, childRoutes(children), deps),
    bind(labContract, labRoutes(labs), deps),
    bind(nameContract, nameRoutes(normalization), deps),
    bind(timelineContract, timelineRoutes(timeline), deps),
    bind(
      pipelineContract,
      pipelineRoutes({
        pipeline,
        live,
        access,
        belonging: belongingOf(db),
        isSignedIn: (caller) => auth.resolve(caller.sessionId) !== null,
      }),
      deps,
    ),
    bind(todayContract, todayRoutes(today), deps),
    bind(trashContract, trashRoutes(trash), deps),
    bind(backupContract, backupRoutes(backups), deps),
    bind(vaultContract, vaultRoutes({ files: vaultFiles, checks }), deps),
    bind(settingsContract, settingsRoutes(settings), deps),
    bind(userContract, userRoutes(users), deps),
    bind(oidcContract, oidcRoutes(createOidc({ config, users, auth, audit, log: log.child('oidc') })), deps),
    bind(promptContract, promptRoutes(createPrompts({ db, clock })), deps),
    bind(sessionContract, sessionRoutes(auth), deps),
    bind(auditContract, auditRoutes({ db, log }), deps),
    bind(phoneContract, phoneVaultRoutes({ phones, sending, access, url: () => backupsUrl }), deps),
    ...(config.mode === 'core'
      ? [
          bindPhone(phoneBackupContract, phoneBackupRoutes(phones), {
            log,
            prefix: PHONE_PREFIX,
            mayUse: (req) => access.require('admin', sessions.resolveCaller(req), undefined),
          }),
        ]
      : []),
  ];
  const app = createApp({
    publicHost: config['http.public_host'],
    routers,
    rendererFolder: config.mode === 'core' && existsSync(RENDERER) ? RENDERER : null,
    log: log.child('http'),
  });
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS }, app);
  let lastRequest = clock.now();
  server.on('request', () => {
    lastRequest = clock.now();
  });
  const phoneApp = createPhoneApp({
    router: bindPhone(phoneBackupContract, phoneBackupRoutes(phones), { log }),
    requireToken: requireToken(phones.apiToken, [phoneBackupContract.healthz.path]),
    log: log.child('phones'),
  });
  const phoneServer = createServer({ requestTimeout: LONGEST_REQUEST_MS }, phoneApp);
  const stopRest = async (): Promise<void> => {
    await pipeline.stop();
    await Promise.all([checks.close(), backups.close(), phones.close()]);
    await catchUp.stop();
    await Promise.all([fileWorker.close(), reading.close(), providers.close()]);
    db.close();
    unlock();
  };
  const url = await listen(server, config['http.port'], config['http.host']).catch(async (error: unknown) => {
    await stopRest();
    throw error;
  });
  backupsUrl =
    config.mode === 'core'
      ? await listen(phoneServer, config['backups.port'], LOOPBACK).catch((error: NodeJS.ErrnoException) => {
          log.warn({ code: error.code }, 'the service for phone backups has no port; the rest works');
          return null;
        })
      : null;
  // For recipients of shares nothing is read, checked, backed up or tidied: that is the household's own program's.
  if (config.mode === 'core') {
    trash.purgeExpired(toTimestamp(clock.now() - UNDO_DAYS * DAY_MS));
    await pipeline.start(documents.store);
    checks.resume();
    backups.start();
    normalization.renew();
  }
  settings.onChange((changed) => {
    if (changed.some((name) => name === 'canonical_language')) normalization.renew();
  });
  settings.onChange((changed) => {
    if (changed.some((name) => name === 'pipeline_watch_enabled' || name === 'pipeline_poll_interval'))
      void pipeline.rewatch();
  });
  log.info({ mode: config.mode }, 'started');
  const quiet = new AbortController();
  const tidyWhenQuiet = async (): Promise<void> => {
    while (await clock.sleep(QUIET_MS, quiet.signal)) {
      if (clock.now() - lastRequest < NOBODY_ASKS_MS || pipeline.snapshot().current_job !== null) continue;
      if (config.mode === 'core')
        await vaultFiles.lookAround(quiet.signal).catch((err: unknown) => {
          if (!quiet.signal.aborted) log.warn({ err }, 'the folders could not be looked at');
        });
      return;
    }
  };
  const tidied = tidyWhenQuiet();

  return {
    url,
    backupsUrl,
    vaultFolder: root,
    log,
    pipeline,
    documents,
    patients,
    events,
    links,
    auth,
    phones: {
      lockAll: phones.lockAll,
      folders: phones.folders,
      foldersIn: phones.foldersIn,
      baseDirectory: phones.baseDirectory,
      mayUse: (cookie) => config.mode === 'core' && isAdministrator(sessions.callerOf(cookie, LOOPBACK)),
    },
    async stop() {
      quiet.abort();
      await tidied;
      await Promise.all([close(server, clock), ...(backupsUrl === null ? [] : [close(phoneServer, clock)])]);
      await stopRest();
    },
  };
}

const isAdministrator = (caller: Caller): boolean => caller.kind === 'user' && caller.role === 'admin';

const cannotRestart = (): never => {
  throw fail('backup.failed');
};

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // Some network file systems do not tell; the setup page then leaves the line out.
    return undefined;
  }
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: given } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${given}`);
    });
  });
}

async function close(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, clock.sleep(DRAIN_MS)]);
  server.closeAllConnections();
  await closed;
}
