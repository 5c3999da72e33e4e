import { join } from 'node:path';
import { adoptKeys, type RestartStep } from '../features/vault-backups/service.ts';
import type { SampleSwitch } from '../features/sample/service.ts';
import type { EncryptionSwitch } from '../features/vault-encryption/service.ts';
import type { VaultSwitch } from '../features/vaults/service.ts';
import { createProviderSettings } from '../features/settings/providers/service.ts';
import { createSettings } from '../features/settings/service.ts';
import { createAccess } from '../platform/access/access.ts';
import { createAudit } from '../platform/audit/audit.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder, ensurePrivateFolder } from '../platform/config/load.ts';
import { refuseAbsent } from '../platform/config/vault-list.ts';
import { createCatchUp } from '../platform/database/catch-up.ts';
import { openDatabase, type Database } from '../platform/database/connection.ts';
import { systemClock, toTimestamp, type Clock } from '../platform/kernel/clock.ts';
import { fail } from '../platform/kernel/errors.ts';
import { createEventBus } from '../platform/kernel/events.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { createLive } from '../platform/kernel/live.ts';
import { createLog, type Log } from '../platform/kernel/log.ts';
import { createRememberedKeys, type RememberedKeys } from '../platform/secrets/remembered-keys.ts';
import { createSecrets, type Keychain } from '../platform/secrets/service.ts';
import { createFileWorker } from '../platform/vault/file-worker.ts';
import { claimVault, type VaultClaim, type VaultTrouble } from '../platform/vault/holder.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { borrow, copyForReading } from '../platform/vault/reading-copy.ts';
import { createVault } from '../platform/vault/vault.ts';

/** What calls are answered while the vault is not there, or belongs to another program. */
export function troubleCode(trouble: VaultTrouble | null): 'vault.disk_gone' | 'vault.taken_over' | null {
  if (trouble === null) return null;
  return trouble === 'gone' ? 'vault.disk_gone' : 'vault.taken_over';
}

export interface CoreOptions {
  config: Config;
  clock?: Clock;
  log?: Log;
  /** The operating system's keychain, if the desktop shell provides one. */
  keychain?: Keychain | null;
  /**
   * Stops this core and starts another one after the step. Without it, backups can't be restored from within Hearth.
   */
  restart?: (step: RestartStep) => void;
  /** Switches between the own vault and the sample household. Without it, the sample can't be opened. */
  samples?: SampleSwitch | null;
  /**
   * Secret that every request has to carry, except those of DICOM viewers, which have their own. Without it, whoever
   * reaches the address may ask for the page.
   */
  windowKey?: string | null;
  /** Opens other vaults. Without it, they can't be opened. */
  vaultSwitch?: VaultSwitch | null;
  /** Locks the vault. Without it, that can't be done while it is open. */
  encryption?: EncryptionSwitch | null;
  /** Shows the vault as it is now and changes nothing in it, where another program has it open. */
  isReadOnly?: boolean;
  /** Throws `VaultAbsent` where there is no vault, instead of making one. */
  mustExist?: boolean;
  /** Called when the disk of the vault went away or came back, or another computer took the vault over. */
  onTrouble?: (trouble: VaultTrouble | null) => void;
  /** Starts without reading, without the inbox and without the service for shares. */
  isSafeMode?: boolean;
  /** Called after something has changed that people may want to know of. */
  onActivity?: () => void;
  /** Folder of the keys that seal secrets; by default the configuration folder. */
  keyFolder?: string;
}

export type Platform = ReturnType<typeof openPlatform>;

/** The keys that the keychain keeps; null in a program without one. */
export const rememberedKeysOf = ({
  keychain = null,
  keyFolder = configFolder(),
}: Pick<CoreOptions, 'keychain' | 'keyFolder'>): RememberedKeys | null =>
  keychain && createRememberedKeys({ folder: keyFolder, keychain });

/**
 * Locks and opens the vault with everything below the features: database, settings, files, access rules and live
 * messages. A vault that can't be opened is unlocked again.
 */
export function openPlatform(options: CoreOptions) {
  const { config, clock = systemClock, mustExist = false, isReadOnly = false, onTrouble = () => undefined } = options;
  const root = config['vault.path'];
  refuseAbsent(configFolder(), root, mustExist || isReadOnly);
  ensurePrivateFolder(root);
  const copy = isReadOnly ? copyForReading(root) : null;
  const claim = copy
    ? borrow(copy)
    : claimVault(root, { clock, ids: randomId, now: () => toTimestamp(clock.now()), onChange: onTrouble });
  let db: Database | null = null;
  try {
    db = openDatabase(join(copy ?? root, DATABASE_FILE));
    return composePlatform({ root, copy, claim, db }, options);
  } catch (error) {
    db?.close();
    claim.release();
    throw error;
  }
}

/** What was opened of a vault. */
interface Opened {
  root: string;
  /** Folder of the database's copy, if the vault is only read. */
  copy: string | null;
  claim: VaultClaim;
  db: Database;
}

function composePlatform(
  { root, copy, claim, db }: Opened,
  {
    config: base,
    clock = systemClock,
    log = createLog(base['log.level']),
    keychain = null,
    restart = cannotRestart,
    samples = null,
    vaultSwitch = null,
    encryption = null,
    keyFolder = configFolder(),
    windowKey = null,
    isSafeMode = false,
  }: CoreOptions,
) {
  const ids = randomId;
  const secrets = createSecrets({ folder: keyFolder, keychain });
  if (copy === null) adoptKeys(root, secrets);
  const settings = createSettings({ db, clock, log: log.child('settings'), secrets, base });
  const providerSettings = createProviderSettings({
    ...{ db, secrets, ids, config: settings.config },
    log: log.child('providers'),
  });
  const vault = createVault({ root, db, clock, ids, log, copy });
  const live = createLive(clock);
  return {
    root,
    claim,
    db,
    clock,
    ids,
    log,
    secrets,
    rememberedKeys: rememberedKeysOf({ keychain, keyFolder }),
    /** Folder of the keys and of the configuration. */
    keyFolder,
    settings,
    providerSettings,
    config: settings.config,
    vault,
    live,
    announce: live.announce,
    events: createEventBus(),
    access: createAccess({ db }),
    audit: createAudit({ db, clock }),
    catchUp: createCatchUp({ db, clock, log: log.child('catch-up'), transaction: vault.transaction }),
    files: createFileWorker(clock),
    restart,
    samples,
    vaultSwitch,
    encryption,
    windowKey,
    isSafeMode,
    readOnlySince: copy !== null ? toTimestamp(clock.now()) : null,
  };
}

function cannotRestart(): never {
  throw fail('backup.failed');
}
