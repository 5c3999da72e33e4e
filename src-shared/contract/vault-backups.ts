import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { freeText, id, idParams, timestamp } from './wire.ts';

/** How a backup folder stands. `foreign`: it is there, but it is not the folder that was chosen (such as the empty place of a disk that is not plugged in). */
export const TARGET_STATES = ['unset', 'ready', 'absent', 'foreign', 'read_only'] as const;

const plan = z.strictObject({
  /** Absolute; null: no backups are made. */
  folder: freeText(2000)
    .transform((text) => text.trim())
    .refine((text) => text !== '', 'must not be empty')
    .nullable(),
  every: z.enum(['off', 'day', 'week']),
  /** In the time of this computer. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:30'),
  /** How many scheduled backups stay: the last of each of so many days, weeks and months. */
  keep_daily: z.int().min(1).max(366),
  keep_weekly: z.int().min(0).max(260),
  keep_monthly: z.int().min(0).max(240),
  /** Whether the keys travel along that open passwords for other services. */
  include_secrets: z.boolean(),
});
export type BackupPlan = z.output<typeof plan>;

const backup = z.object({
  id,
  name: z.string(),
  scheduled: z.boolean(),
  status: z.enum(['running', 'done', 'failed']),
  /** An error code; null unless it failed, or was found damaged later. */
  error_code: z.string().nullable(),
  files: z.int(),
  size: z.int(),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  /** When it was last read back and every hash was right. */
  verified_at: timestamp.nullable(),
  /** Can it be reached now? */
  present: z.boolean(),
});
export type Backup = z.output<typeof backup>;

export const BACKUP_TASKS = ['backup', 'verify', 'drill', 'restore'] as const;
export const BACKUP_PHASES = ['database', 'files', 'verify', 'unpack', 'check', 'tidy'] as const;

/** What is being done with backups now; counts are files. */
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
  /** The newest backup that was read back whole, by when it was made. */
  last_verified_at: timestamp.nullable(),
  /** When the next scheduled one is due; a past time means: as soon as the folder is there. */
  next_at: timestamp.nullable(),
  /** The last restore that was tried out. */
  last_drill: z
    .object({ backup_id: id, name: z.string(), at: timestamp, ok: z.boolean(), documents: z.int(), faults: z.int() })
    .nullable(),
  /** Why the last task ended without success; null after a good one. */
  last_error: z.string().nullable(),
});
export type BackupOverview = z.output<typeof overview>;

const busy = ['backup.busy', 'backup.no_folder', 'backup.absent', 'backup.foreign', 'backup.read_only'] as const;

export const backups = {
  download: endpoint({
    method: 'GET',
    path: '/api/settings/backup',
    access: 'admin',
    audit: 'backup.download',
    query: z.object({ secrets: z.enum(['include', 'leave_out']).default('leave_out') }),
    reply: 'bytes',
    errors: ['server.disk_full'],
    summary:
      'The database as one file, taken while others write. Passwords for other services are left out unless asked for.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/settings/backup/files',
    access: 'admin',
    reply: overview,
    summary: 'Backups that were made, the plan for further ones, and what is going on.',
  }),
  plan: endpoint({
    method: 'PUT',
    path: '/api/settings/backup/plan',
    access: 'admin',
    audit: 'settings.update',
    body: plan,
    reply: overview,
    errors: ['backup.folder_invalid', 'backup.folder_inside', 'backup.absent', 'backup.read_only', 'backup.busy'],
    summary:
      'Says where backups go, when they are made and how many stay. The folder must be there; it is marked as ours.',
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/settings/backup/run',
    access: 'admin',
    audit: 'backup.create',
    status: 202,
    reply: overview,
    errors: busy,
    summary:
      'Makes a backup now, in the background: the database, and every file that the folder does not hold yet; then reads all of it back.',
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/settings/backup/run',
    access: 'admin',
    reply: overview,
    summary: 'Ends what is going on with backups; an unfinished one is removed.',
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/verify',
    access: 'admin',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...busy],
    summary: 'Reads a backup again and compares every byte by its hash.',
  }),
  drill: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/drill',
    access: 'admin',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...busy],
    summary: 'Restores a backup into a folder of its own, compares everything, and removes it again.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/settings/backup/files/{id}/restore',
    access: 'admin',
    audit: 'backup.restore',
    params: idParams,
    status: 202,
    reply: overview,
    errors: ['backup.not_found', ...busy],
    summary:
      'Restores a backup: once it is unpacked and compared, Hearth starts anew with it. The present vault is put aside, never deleted.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/backup/files/{id}',
    access: 'admin',
    audit: 'backup.delete',
    params: idParams,
    reply: overview,
    errors: ['backup.not_found', ...busy],
    summary: 'Deletes a backup, and the files that no other backup needs.',
  }),
} as const;
