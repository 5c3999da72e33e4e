import { basename } from 'node:path';
import type { BackupSummary, ManifestEntry } from '../../../src-shared/contract/phone-backups/service.ts';
import { maskIdentifier, type Entry } from '../../../src-shared/ios-backup/index.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import type { DiscoveredBackup } from './discover.ts';
import type { IndexJobs } from './index-jobs.ts';
import type { PhoneBackupRow } from './repository.ts';
import type { Sessions } from './sessions.ts';

/** The data from which the status of a backup is derived. */
export interface StatusSources {
  jobs: Pick<IndexJobs, 'isRunning' | 'state'>;
  sessions: Pick<Sessions, 'isOpen' | 'isOpening'>;
}

/** Describes a backup in its wire shape. */
export function summaryOf(row: PhoneBackupRow, sources: StatusSources): BackupSummary {
  const { artifacts } = sources.jobs.state(row.id);
  return {
    id: row.id,
    ios_identifier: basename(row.folder),
    display_name: row.display_name ?? row.device_name ?? row.id,
    device_name: row.device_name,
    product_version: row.product_version,
    product_type: row.product_type,
    product_name: row.product_name,
    serial_number: maskIdentifier(row.serial_number),
    phone_number: maskIdentifier(row.phone_number),
    is_encrypted: row.is_encrypted,
    is_full_backup: row.is_full_backup,
    status: statusOf(row, sources),
    decryption_status: decryptionStatusOf(row, sources),
    size_bytes: row.size_bytes,
    last_backup_at: row.last_backup_at,
    last_modified_at: row.last_modified_at,
    last_indexed_at: row.last_indexed_at,
    decrypted_at: row.decrypted_at,
    indexing_progress: artifacts.reduce((sum, { rows }) => sum + rows, 0),
    indexing_total: artifacts.reduce((sum, { rows, total }) => sum + Math.max(total ?? 0, rows), 0),
    indexing_artifact: artifacts.find(({ status }) => status === 'running')?.artifact ?? null,
    problems: row.problems as BackupSummary['problems'],
  };
}

function statusOf(row: PhoneBackupRow, { jobs, sessions }: StatusSources): BackupSummary['status'] {
  if (row.is_missing) return 'MISSING';
  if (jobs.isRunning(row.id)) return 'INDEXING';
  if (row.index_failed) return 'FAILED';
  if (row.last_indexed_at !== null) return 'INDEXED';
  if (sessions.isOpen(row.id)) return 'UNLOCKED';
  return row.is_encrypted ? 'LOCKED' : 'DISCOVERED';
}

function decryptionStatusOf({ id }: PhoneBackupRow, { sessions }: StatusSources): BackupSummary['decryption_status'] {
  if (sessions.isOpening(id)) return 'DECRYPTING';
  return sessions.isOpen(id) ? 'DECRYPTED' : 'PENDING';
}

/** A discovered backup as a row of the database. */
export const rowOf = ({ id, folder, info, problems, sizeBytes, modifiedAt }: DiscoveredBackup, foundAt: string) => ({
  id,
  folder,
  display_name: info?.displayName ?? null,
  device_name: info?.deviceName ?? null,
  product_version: info?.productVersion ?? null,
  product_type: info?.productType ?? null,
  product_name: info?.productName ?? null,
  serial_number: info?.serialNumber ?? null,
  phone_number: info?.phoneNumber ?? null,
  is_encrypted: info?.encrypted ?? false,
  is_full_backup: info?.isFullBackup ?? null,
  size_bytes: sizeBytes,
  problems,
  last_backup_at: info?.lastBackupAt ? toTimestamp(info.lastBackupAt.getTime()) : null,
  last_modified_at: modifiedAt > 0 ? toTimestamp(modifiedAt) : null,
  found_at: foundAt,
});

const ENTRY_KINDS = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;
/** The latest time that `Date` can represent, in milliseconds. */
const MAX_TIME_MS = 8e15;

/** A manifest entry in its wire shape. */
export function toManifestEntry(entry: Entry): ManifestEntry {
  const modifiedMs = entry.modifiedAt === null ? Number.NaN : entry.modifiedAt * 1000;
  return {
    file_id: entry.fileId,
    domain: entry.domain,
    relative_path: entry.relativePath,
    size: entry.size ?? 0,
    mtime: modifiedMs > 0 && modifiedMs < MAX_TIME_MS ? toTimestamp(modifiedMs) : null,
    kind: ENTRY_KINDS[entry.kind],
    flags: entry.flags,
    protection_class: entry.protectionClass,
  };
}
