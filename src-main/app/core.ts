import type { PhoneBackups } from '../features/phone-backups/service.ts';
import { toTimestamp } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';
import { TRASH_DAYS } from '../../src-shared/contract/trash.ts';
import { composeEncryption } from './compose-encryption.ts';
import { composeHttp, type HttpParts } from './compose-http.ts';
import { composePhones, type PhoneParts } from './compose-phones.ts';
import { composeReading, type ReadingParts } from './compose-reading.ts';
import { composeRecords, connectEvents, type RecordParts } from './compose-records.ts';
import { composeShares, type ShareParts } from './compose-shares.ts';
import type { VaultEncryption } from '../features/vault-encryption/service.ts';
import { createShellApi, type ShellApi } from './shell-api.ts';
import { close, listen } from './listen.ts';
import { openPlatform, rememberedKeysOf, troubleCode, type CoreOptions, type Platform } from './open-platform.ts';
import { unlockAtStart } from './unlock.ts';

export { DATABASE_FILE } from '../platform/vault/layout.ts';
export type { CoreOptions } from './open-platform.ts';

const DAY_MS = 86_400_000;
/** Other computers never reach the service for phone backups. */
const LOOPBACK = '127.0.0.1';

export interface Core {
  /** Address with the actual port. */
  url: string;
  /** Address of the service for phone backups; null if its port is taken. */
  backupsUrl: string | null;
  /** Address of the service for recipients of shares; null while it does not run. */
  shareUrl(): string | null;
  vaultFolder: string;
  log: Log;
  phones: Pick<PhoneBackups, 'lockAll' | 'folders' | 'foldersIn' | 'baseDirectory'>;
  pipeline: ReadingParts['pipeline'];
  documents: RecordParts['documents'];
  archiveImports: RecordParts['archiveImports'];
  patients: RecordParts['patients'];
  events: RecordParts['events'];
  links: RecordParts['links'];
  auth: RecordParts['auth'];
  today: RecordParts['today'];
  /** What the desktop shell asks. */
  shellApi: ShellApi;
  documentRows: RecordParts['documentRows'];
  /** Where tickers fetch prices; null while none are offered. */
  tickerSourceUrl(): string | null;
  stop(): Promise<void>;
}

interface Parts {
  platform: Platform;
  reading: ReadingParts;
  records: RecordParts;
  phoneParts: PhoneParts;
  shareParts: ShareParts;
  vaultEncryption: VaultEncryption;
}

/** Composes the core and starts it. Only this module and the compose modules beside it know every feature. */
export async function startCore(options: CoreOptions): Promise<Core> {
  let parts: Parts | null = null;
  await unlockAtStart(options.config['vault.path'], rememberedKeysOf(options));
  const platform = openPlatform({
    ...options,
    onTrouble(trouble) {
      // Nothing is read without the files; what waits is in the vault.
      const code = troubleCode(trouble);
      if (code !== null) parts?.reading.pipeline.hold({ code });
      options.onTrouble?.(trouble);
    },
  });
  try {
    parts = composeParts(platform);
    return await serveParts(parts, options);
  } catch (error) {
    // Whoever starts again finds the vault free.
    await (parts === null ? closePlatform(platform) : closeParts(parts));
    throw error;
  }
}

function composeParts(platform: Platform): Parts {
  const reading = composeReading(platform, () => records.documents);
  const records = composeRecords(platform, reading, () => shareParts.ofTranslations);
  connectEvents(platform, records);
  records.nameService.separateOldEntries();
  const phoneParts = composePhones(platform, reading, records);
  const shareParts = composeShares(platform, reading, records.documents);
  const vaultEncryption = composeEncryption(platform, { reading, records, shareParts });
  return { platform, reading, records, phoneParts, shareParts, vaultEncryption };
}

/** Opens the ports and begins the background work. */
async function serveParts(parts: Parts, { onActivity }: CoreOptions): Promise<Core> {
  const { platform, reading, records, phoneParts, shareParts, vaultEncryption } = parts;
  const { root, log, clock } = platform;
  const { phones } = phoneParts;
  let backupsUrl: string | null = null;
  const { pipeline, providers, prompts, modelUsage } = reading;
  const features = { ...records, ...phoneParts, pipeline, providers, prompts, modelUsage, shareParts, vaultEncryption };
  const http = composeHttp(platform, features, () => backupsUrl);
  const { 'http.port': port, 'http.host': host } = platform.config;
  const { listener: source } = records.tickerSource;
  const closeServers = async (): Promise<void> => {
    const phoneServers = backupsUrl === null ? [] : [http.phoneServer];
    await Promise.all([...[http.server, ...phoneServers].map((server) => close(server, clock)), source.close()]);
  };
  const url = await listen(http.server, port, host);
  try {
    backupsUrl = await listenForPhones(platform, http);
    await source.refresh();
    for (const own of [url, backupsUrl]) if (own !== null) reading.ownPorts.add(Number(new URL(own).port));
    await startBackgroundWork(parts);
  } catch (error) {
    await closeServers();
    throw error;
  }
  if (onActivity) platform.live.subscribe(onActivity);
  log.info({ mode: 'core' }, 'started');
  return {
    url,
    backupsUrl,
    shareUrl: shareParts.listener.url,
    tickerSourceUrl: source.url,
    vaultFolder: root,
    log,
    pipeline: reading.pipeline,
    documents: records.documents,
    archiveImports: records.archiveImports,
    patients: records.patients,
    events: records.events,
    links: records.links,
    auth: records.auth,
    today: records.today,
    shellApi: createShellApi({
      platform,
      pipeline,
      documents: records.documents,
      shareParts,
      callerOf: (cookie) => http.sessions.callerOf(cookie, LOOPBACK),
    }),
    documentRows: records.documentRows,
    phones: {
      lockAll: phones.lockAll,
      folders: phones.folders,
      foldersIn: phones.foldersIn,
      baseDirectory: phones.baseDirectory,
    },
    async stop() {
      await closeServers();
      await closeParts(parts);
    },
  };
}

/** Starts the service for phone backups. Hearth works without it when its port is taken. */
async function listenForPhones({ config, log }: Platform, { phoneServer }: HttpParts): Promise<string | null> {
  return listen(phoneServer, config['phone_backups.port'], LOOPBACK).catch((error: NodeJS.ErrnoException) => {
    log.warn({ code: error.code }, 'the phone-backup service could not open its port; everything else works');
    return null;
  });
}

/** Starts the background work of the household. */
async function startBackgroundWork({ platform, reading, records, shareParts, vaultEncryption }: Parts): Promise<void> {
  if (platform.readOnlySince !== null) return;
  records.trash.purgeExpired(toTimestamp(platform.clock.now() - TRASH_DAYS * DAY_MS));
  await reading.pipeline.start(records.documents.store);
  records.meaning.start();
  if (platform.isSafeMode) reading.pipeline.hold({ code: 'reading.safe_mode' });
  records.ask.purgeCleared();
  records.checks.resume();
  records.backups.start();
  records.archiveImports.start();
  records.nameService.reseed();
  await shareParts.healthLinks.start();
  await shareParts.listener.refresh();
  vaultEncryption.start();
}

/** Ends background work and threads, then closes the database and unlocks the vault. */
async function closeParts(parts: Parts): Promise<void> {
  const { platform, reading, records, phoneParts, shareParts, vaultEncryption } = parts;
  await vaultEncryption.close();
  await shareParts.close();
  await Promise.all([records.archiveImports.close(), records.vaults.close()]);
  await reading.pipeline.stop();
  await Promise.all([
    ...[records.meaning.stop(), records.checks.close(), records.backups.close(), phoneParts.phones.close()],
    ...[reading.reading.close(), reading.frames.close(), reading.providers.close()],
  ]);
  await closePlatform(platform);
}

async function closePlatform({ catchUp, files, db, claim }: Platform): Promise<void> {
  await catchUp.stop();
  await files.close();
  db.close();
  claim.release();
}
