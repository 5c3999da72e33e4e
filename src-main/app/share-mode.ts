import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSecret, SETTING_NAMES, SETTINGS, type SettingName } from '../../src-shared/contract/setting-keys.ts';
import { createSettingsRepository } from '../features/settings/repository.ts';
import { createRecipients } from '../features/shares/service.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder, ensurePrivateFolder } from '../platform/config/load.ts';
import { openSecretKey } from '../platform/config/secret-key.ts';
import { openDatabase, type Database } from '../platform/database/connection.ts';
import { openSplitDatabase } from '../platform/database/split-database.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { createLog } from '../platform/kernel/log.ts';
import { createLargeWork } from '../platform/kernel/large-work.ts';
import { createSecrets } from '../platform/secrets/service.ts';
import { lockVault } from '../platform/vault/lock.ts';
import { createPaths } from '../platform/vault/paths.ts';
import { createFrameRenderer } from '../reading/dicom/render.ts';
import { createProviders } from '../reading/providers/registry.ts';
import { createWatermark } from '../reading/providers/watermark/watermark.ts';
import { modelFolder, pageLimits } from './compose-reading.ts';
import { codeMailer } from './compose-mail.ts';
import { createShareServer, type PublicSide } from './compose-recipients.ts';
import { close, listen } from './listen.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { unlockFromFile } from './unlock.ts';
import { createRemoteTranslator } from './share-translations.ts';
import { listedProxies } from './share-tunnel.ts';

/** How often overdue sessions are ended. */
const TIDY_MS = 30_000;

export interface ShareProcess {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves the shares of a vault and nothing else, with connections of its own. It does not lock the vault, so it runs
 * beside the household's own process, and starts none of its work.
 */
export async function startShareMode(config: Config): Promise<ShareProcess> {
  const root = config['vault.path'];
  const file = join(root, DATABASE_FILE);
  const log = createLog(config['log.level']);
  const clock = systemClock;
  await unlockFromFile(root);
  createIfMissing(root, file);
  const db = openSplitDatabase(file);
  const current = currentSettings(db.reader, config);
  const largeWork = createLargeWork();
  const watermark = createWatermark({ clock, largeWork, limits: pageLimits(config) });
  const renderer = createFrameRenderer({ clock, largeWork });
  // Recipients get text from engines of this computer only.
  const providers = createProviders({
    ...{ config, clock, largeWork, lists: { entries: () => [], general: () => null, embedding: () => null } },
    ownPorts: () => [],
    modelFolder: modelFolder(config),
    prompt: () => '',
  });
  const translator = createRemoteTranslator(db, clock);
  translator.ask();
  const recipients = createRecipients({
    db,
    watermark,
    renderer,
    resolve: createPaths(root).resolve,
    ocr: () => providers.ocr('auto'),
    vaultKey: openSecretKey(root),
    clock,
    log: log.child('share'),
    sendCode: () => codeMailer(current),
    translator,
  });
  const side = publicSide(current);
  const server = await createShareServer({ recipients, vaultKey: openSecretKey(root), config, clock, log, side });
  const url = await listen(server, config['http.port'], config['http.host']).catch((error: unknown) => {
    db.close();
    throw error;
  });
  const stopped = new AbortController();
  void (async () => {
    while (await clock.sleep(TIDY_MS, stopped.signal)) {
      recipients.tidy();
      translator.ask();
    }
  })().catch((err: unknown) => log.error({ err }, 'sessions of recipients could not be tidied'));
  log.info({ mode: 'share' }, 'started');
  return {
    url,
    async stop() {
      stopped.abort();
      await close(server, clock);
      await Promise.all([recipients.codes.close(), watermark.close(), renderer.close(), providers.close()]);
      db.close();
    },
  };
}

/** A vault that was never opened gets its database, unless the household's own process is creating it. */
function createIfMissing(root: string, file: string): void {
  if (existsSync(file)) return;
  ensurePrivateFolder(root);
  const unlock = lockVault(root);
  try {
    openDatabase(file).close();
  } finally {
    unlock();
  }
}

type SettingKey = (typeof SETTINGS)[SettingName]['key'];
type Current = ReturnType<typeof currentSettings>;

/** Settings that the household saves meanwhile apply at once. */
function currentSettings(reader: Database, config: Config) {
  const { all } = createSettingsRepository(reader);
  const secrets = createSecrets({ folder: configFolder(), keychain: null });
  return <K extends SettingKey>(key: K): Config[K] => {
    const name = SETTING_NAMES.find((one) => SETTINGS[one].key === key);
    const stored = all().find((row) => row.key === key)?.value;
    if (name === undefined || stored === undefined) return config[key];
    const saved = SETTINGS[name].schema.safeParse(isSecret(name) ? secrets.open(key, stored) : stored);
    return saved.success ? (saved.data as Config[K]) : config[key];
  };
}

/** Only a fixed address: tunnels are opened by the household's own process. */
const publicSide = (current: Current): PublicSide => ({
  publicAddress: () => current('share.public_base_url'),
  proxies: () => listedProxies(current('share.trusted_proxy')),
});
