import { z } from 'zod';
import { timestamp } from '../wire.ts';
import { artifactName } from './artifacts.ts';

export const BACKUP_STATUSES = [
  'DISCOVERED',
  'LOCKED',
  'UNLOCKED',
  'INDEXING',
  'INDEXED',
  'FAILED',
  'MISSING',
] as const;
export const DECRYPTION_STATUSES = ['PENDING', 'DECRYPTING', 'DECRYPTED', 'FAILED'] as const;
/** Problems that are shown to the user; the backup is read as far as possible. */
export const BACKUP_PROBLEMS = [
  'no_info_plist',
  'no_status_plist',
  'no_manifest_plist',
  'damaged_info_plist',
  'damaged_status_plist',
  'damaged_manifest_plist',
  'not_finished',
  'no_keybag',
  'old_format',
  'not_full',
  'unreadable',
  'too_demanding',
] as const;

export const backupSummary = z.object({
  id: z.string(),
  ios_identifier: z.string(),
  display_name: z.string(),
  device_name: z.string().nullable(),
  product_version: z.string().nullable(),
  product_type: z.string().nullable(),
  product_name: z.string().nullable(),
  /** Masked except for the last characters. */
  serial_number: z.string().nullable(),
  phone_number: z.string().nullable(),
  is_encrypted: z.boolean(),
  is_full_backup: z.boolean().nullable(),
  status: z.enum(BACKUP_STATUSES),
  decryption_status: z.enum(DECRYPTION_STATUSES),
  size_bytes: z.int(),
  last_backup_at: timestamp.nullable(),
  last_modified_at: timestamp.nullable(),
  last_indexed_at: timestamp.nullable(),
  decrypted_at: timestamp.nullable(),
  indexing_progress: z.int(),
  indexing_total: z.int(),
  indexing_artifact: z.string().nullable(),
  problems: z.array(z.enum(BACKUP_PROBLEMS)),
});
export type BackupSummary = z.output<typeof backupSummary>;
export const discovered = z.object({
  backups: z.array(backupSummary),
  base_directory: z.string(),
  /** Whether the folder could be read; `not_permitted` on macOS means that Full Disk Access is missing. */
  folder_state: z.enum(['readable', 'absent', 'not_permitted']),
});

export const manifestEntry = z.object({
  file_id: z.string(),
  domain: z.string(),
  relative_path: z.string(),
  size: z.int(),
  mtime: timestamp.nullable(),
  kind: z.enum(['file', 'directory', 'symlink', 'other']),
  flags: z.int(),
  protection_class: z.int().nullable(),
});
export type ManifestEntry = z.output<typeof manifestEntry>;

export const INDEX_STATES = ['idle', 'queued', 'running', 'done', 'cancelled', 'failed'] as const;
export const indexJob = z.object({
  status: z.enum(INDEX_STATES),
  artifacts: z.array(
    z.object({
      artifact: artifactName,
      /** `absent`: the backup has no such database. `failed`: the previous rows remain. */
      status: z.enum(['waiting', 'running', 'done', 'absent', 'failed', 'cancelled']),
      rows: z.int(),
      /** Null until the rows are counted. */
      total: z.int().nullable(),
      finished_at: timestamp.nullable(),
      /** Rows that could not be read and were left out. */
      skipped: z.int(),
    }),
  ),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});
export type IndexJob = z.output<typeof indexJob>;

export const SUGGESTION_REASONS = ['name', 'sender', 'scan', 'pdf', 'picture_of_document', 'app', 'text'] as const;
export const suggestion = z.object({
  file_id: z.string(),
  filename: z.string(),
  relative_path: z.string(),
  domain: z.string(),
  origin: z.enum(['file', 'message', 'whatsapp', 'note', 'photo']),
  mime_type: z.string(),
  size_bytes: z.int(),
  at: timestamp.nullable(),
  title: z.string().nullable(),
  sender: z.string().nullable(),
  /** 0 to 1; the user decides. */
  likelihood: z.number(),
  reasons: z.array(z.enum(SUGGESTION_REASONS)),
  /** The document that was created from this file, if any. */
  document_id: z.int().nullable(),
});
export type Suggestion = z.output<typeof suggestion>;

export const INTEGRITY_FAULTS = ['missing', 'wrong_size', 'cut', 'unsafe_id', 'needs_device', 'damaged_key'] as const;
export const integrityFault = z.enum(INTEGRITY_FAULTS);
export const integrityCheck = z.object({
  status: z.enum(['idle', 'running', 'done', 'cancelled', 'failed']),
  /** Files checked so far. */
  files: z.int(),
  total_files: z.int(),
  /** Why the check failed: an error code of the ios-backup library, such as `gone`. */
  failure: z.string().nullable(),
  report: z
    .object({
      files: z.int(),
      /** Total size of the files found in the backup. */
      bytes: z.int(),
      /** Files in the backup folder that the manifest does not list. */
      unlisted: z.int(),
      counts: z.record(integrityFault, z.int()),
      /** Number of faults that are listed individually. */
      listed: z.int(),
    })
    .nullable(),
});
export type IntegrityCheck = z.output<typeof integrityCheck>;
export const integrityFinding = z.object({
  fault: integrityFault,
  file_id: z.string(),
  domain: z.string(),
  relative_path: z.string(),
  /** Size in the manifest; null if it has none. */
  expected_bytes: z.int().nullable(),
  /** Null if the file is missing. */
  actual_bytes: z.int().nullable(),
});
export type IntegrityFinding = z.output<typeof integrityFinding>;
