import { z } from 'zod';
import { refusal } from './field-errors.ts';
import { endpoint } from './endpoint.ts';
import { freeText, id, idParams, timestamp } from './wire.ts';

/**
 * State of the backup folder. `foreign`: the folder exists but is not the selected one, such as the empty mount point
 * of an unplugged disk.
 */
export const TARGET_STATES = ['unset', 'ready', 'absent', 'foreign', 'read_only'] as const;

const plan = z.strictObject({
  /** Absolute; null disables backups. */
  folder: freeText(2000)
    .transform((text) => text.trim())
    .refine((text) => text !== '', refusal('field.required'))
    .nullable(),
  every: z.enum(['off', 'day', 'week']),
  /** In the local time of this computer. */
  at: z
    .string()
    .max(5)
    .refine((text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text), refusal('field.not_a_time')),
  /** Scheduled backups to keep: the last one of each of this many days, weeks and months. */
  keep_daily: z.int().min(1).max(366),
  keep_weekly: z.int().min(0).max(260),
  keep_monthly: z.int().min(0).max(240),
  /** Whether backups include the keys of stored passwords for other services. */
  include_secrets: z.boolean(),
});
export type BackupPlan = z.output<typeof plan>;

const backup = z.object({
  id,
  name: z.string(),
  scheduled: z.boolean(),
  status: z.enum(['running', 'done', 'failed']),
  /** An error code, if the backup failed or was found to be damaged later. */
  error_code: z.string().nullable(),
  files: z.int(),
  size: z.int(),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  /** When it was last read back with all hashes correct. */
  verified_at: timestamp.nullable(),
  /** Whether it can be read now. */
  present: z.boolean(),
});
export type Backup = z.output<typeof backup>;

export const BACKUP_TASKS = ['backup', 'verify', 'drill', 'restore'] as const;
export const BACKUP_PHASES = ['database', 'files', 'verify', 'unpack', 'check', 'tidy'] as const;

/** Progress of the running backup task, in files. */
export const backupProgress = z.object({
  task: z.enum(BACKUP_TASKS),
  backup_id: id,
  phase: z.enum(BACKUP_PHASES),
  done: z.int(),
  total: z.int(),
});
export type BackupProgress = z.output<typeof backupProgress>;

const overview = z.object({
  plan,
  target: z.object({ state: z.enum(TARGET_STATES), free_bytes: z.int().nullable() }),
  running: backupProgress.nullable(),
  items: z.array(backup),
  /** Creation time of the newest backup that was verified. */
  last_verified_at: timestamp.nullable(),
  /** Time of the next scheduled backup; if it is in the past, the backup runs as soon as the folder is available. */
  next_at: timestamp.nullable(),
  /** The last restore test. */
  last_drill: z
    .object({ backup_id: id, name: z.string(), at: timestamp, ok: z.boolean(), documents: z.int(), faults: z.int() })
    .nullable(),
  /** Error code of the last task; null if it succeeded. */
  last_error: z.string().nullable(),
  /** Whether the vault and its backups from now on are encrypted; the database can't be downloaded then. */
  is_encrypted: z.boolean(),
});
export type BackupOverview = z.output<typeof overview>;

const folderPlace = z.object({
  kind: z.enum(['home', 'disk']),
  path: z.string(),
  name: z.string(),
  free_bytes: z.int().nullable(),
});
export type FolderPlace = z.output<typeof folderPlace>;

const folderListing = z.object({
  /** Absolute, with links resolved. */
  path: z.string(),
  /** Null at the root. */
  parent: z.string().nullable(),
  free_bytes: z.int().nullable(),
  /** Without hidden ones, by name. */
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
  /** Where to start: the home folder and the disks. */
  places: z.array(folderPlace),
});
export type FolderListing = z.output<typeof folderListing>;

const TASK_ERRORS = [
  'backup.busy',
  'backup.folder_not_set',
  'backup.folder_missing',
  'backup.wrong_disk',
  'backup.folder_read_only',
] as const;

export const vaultBackups = {
  download: endpoint({
    method: 'GET',
    path: '/api/settings/backup',
    access: 'admin',
    audit: 'backup.download',
    query: z.object({ secrets: z.enum(['include', 'leave_out']).default('leave_out') }),
    reply: 'bytes',
    errors: ['server.disk_full'],
    summary: 'Downloads a consistent copy of the database. Passwords for other services are included only on request.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/settings/backup/files',
    access: 'admin',
    reply: overview,
    summary: 'Lists backups, with the plan and the running task.',
  }),
  folders: endpoint({
    method: 'GET',
    path: '/api/settings/backup/folders',
    access: 'admin',
    query: z.object({ path: freeText(2000).optional() }),
    reply: folderListing,
    errors: ['backup.folder_invalid', 'backup.folder_missing', 'backup.folder_unreadable'],
    summary:
      'Lists the folders inside a folder of this computer, by default the home folder, to choose the one for backups. ' +
      'Names of files are never returned.',
  }),
  makeFolder: endpoint({
    method: 'POST',
    path: '/api/settings/backup/folders',
    access: 'admin',
    audit: 'settings.update',
    status: 201,
    body: z.strictObject({ path: freeText(2000) }),
    reply: folderListing,
    errors: [
      'backup.folder_invalid',
      'backup.folder_inside',
      'backup.folder_missing',
      'backup.folder_read_only',
      'backup.folder_unreadable',
    ],
    summary: 'Creates a folder for backups, with those above it, and lists it.',
  }),
  plan: endpoint({
    method: 'PUT',
    path: '/api/settings/backup/plan',
    access: 'admin',
    audit: 'settings.update',
    body: plan,
    reply: overview,
    errors: [
      'backup.folder_invalid',
      'backup.folder_inside',
      'backup.folder_missing',
      'backup.folder_read_only',
      'backup.busy',
    ],
    summary:
      'Sets the backup folder, the schedule and the retention. The folder must exist; Hearth puts a marker file ' +
      'into it.',
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/settings/backup/run',
    access: 'admin',
    audit: 'backup.create',
    status: 202,
    reply: overview,
    errors: TASK_ERRORS,
    summary:
      'Starts a backup in the background: stores the database and all files that are not in the backup folder yet, ' +
      'then verifies everything.',
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/settings/backup/run',
    access: 'admin',
    reply: overview,
    summary: 'Stops the running backup task. An unfinished backup is removed.',
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/verify',
    access: 'admin',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...TASK_ERRORS],
    summary: 'Verifies a backup: reads all its files and compares their hashes.',
  }),
  drill: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/drill',
    access: 'admin',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...TASK_ERRORS],
    summary: 'Tests a restore: restores a backup into a temporary folder, compares everything and deletes the folder.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/restore',
    access: 'admin',
    audit: 'backup.restore',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...TASK_ERRORS],
    summary:
      'Restores a backup: when it is unpacked and verified, Hearth restarts with it. The current vault is moved ' +
      'aside, never deleted.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/backup/files/{id}',
    access: 'admin',
    audit: 'backup.delete',
    params: idParams,
    reply: overview,
    errors: ['backup.not_found', ...TASK_ERRORS],
    summary: 'Deletes a backup and the files that no other backup needs.',
  }),
} as const;
