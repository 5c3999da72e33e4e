import { setImmediate } from 'node:timers/promises';
import { countPlainBackups } from '../features/vault-backups/service.ts';
import { createVaultEncryption, type VaultEncryption } from '../features/vault-encryption/service.ts';
import { keepGuessTimes } from '../platform/secrets/guess-times.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { RecordParts } from './compose-records.ts';
import type { ShareParts } from './compose-shares.ts';
import type { Platform } from './open-platform.ts';

interface Others {
  reading: Pick<ReadingParts, 'pipeline'>;
  records: Pick<RecordParts, 'archiveImports' | 'backups' | 'checks' | 'vaults'>;
  shareParts: Pick<ShareParts, 'listener' | 'hasOpenShares'>;
}

/** Composes the encryption of the open vault. */
export function composeEncryption(platform: Platform, others: Others): VaultEncryption {
  const { root, db, clock, log, audit, config, encryption, rememberedKeys, keyFolder } = platform;
  return createVaultEncryption({
    ...{ root, clock, audit, encryption, rememberedKeys, guesses: keepGuessTimes(keyFolder, root) },
    log: log.child('encryption'),
    lockAfterMinutes: () => config['lock.after_minutes'],
    isBusy: () => isBusy(others),
    isMoving: others.records.vaults.isMoving,
    countPlainBackups: () => countPlainBackups(db),
  });
}

/** Whether something goes on without people. Readings that wait for a later attempt count no more than a pause. */
async function isBusy({ reading: { pipeline }, records, shareParts }: Others): Promise<boolean> {
  const { archiveImports, backups, checks, vaults } = records;
  if (shareParts.listener.url() !== null && shareParts.hasOpenShares()) return true;
  if (archiveImports.isRunning() || backups.isRunning() || checks.isRunning() || vaults.isMoving()) return true;
  return Promise.race([pipeline.idle().then(() => false), setImmediate(true)]);
}
