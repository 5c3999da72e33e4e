import { createPhoneImports } from '../features/phone-backups/imports.ts';
import { createPhoneBackups } from '../features/phone-backups/service.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { RecordParts } from './compose-records.ts';
import type { Platform } from './open-platform.ts';

export type PhoneParts = ReturnType<typeof composePhones>;

/** Composes access to phone backups and the import of their items into records. */
export function composePhones(
  { db, clock, log, root, config, vault }: Platform,
  { reading }: Pick<ReadingParts, 'reading'>,
  { documents, labs }: Pick<RecordParts, 'documents' | 'labs'>,
) {
  const phones = createPhoneBackups({
    db,
    clock,
    log: log.child('phones'),
    root,
    basePath: config['phone_backups.base_path'],
    tempPath: config['phone_backups.temp_path'],
    apiToken: config['security.api_token'],
    documentLikelihood: reading.documentLikelihood,
  });
  const limits = { limit: config['upload.max_bytes'] };
  const imports = createPhoneImports({
    phones,
    addMeasurements: labs.measurements.add,
    upload: (query, source, filename, user) =>
      documents.upload(query, async () => ({ ...(await vault.receive(source, limits)), filename }), user),
  });
  return { phones, imports };
}
