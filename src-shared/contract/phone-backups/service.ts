import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { PHONE_HEALTH_PATH } from './addresses.ts';
import { ARTIFACT_ENDPOINTS } from './artifact-table.ts';
import { artifactName, contactPicture, searchHit } from './artifacts.ts';
import {
  discovered,
  indexJob,
  integrityCheck,
  integrityFault,
  integrityFinding,
  manifestEntry,
  suggestion,
} from './backup-schemas.ts';
import { backupId, backupParams, INDEX_ERRORS, PAGING, pageOf, rowParams, shortText } from './endpoint-parts.ts';

export * from './addresses.ts';
export * from './backup-schemas.ts';

const SESSION_ERRORS = [
  'token.invalid',
  'phone.not_found',
  'phone.session_invalid',
  'phone.session_mismatch',
  'phone.too_demanding',
] as const;
const TOKEN_ERRORS = ['token.invalid'] as const;

export const phoneBackups = {
  healthz: endpoint({
    method: 'GET',
    path: PHONE_HEALTH_PATH,
    access: 'public',
    reply: z.object({ status: z.literal('ok') }),
    summary: 'Readiness probe; needs no token.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/backups',
    access: 'token',
    reply: discovered,
    errors: TOKEN_ERRORS,
    summary: 'Lists the known backups. If there are none, searches the folder once.',
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/backups/refresh',
    access: 'token',
    reply: discovered,
    errors: TOKEN_ERRORS,
    summary: 'Searches the backup folder again, up to two levels deep.',
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/backups/{backup_id}',
    access: 'token',
    params: backupParams,
    reply: 'empty',
    errors: INDEX_ERRORS,
    summary:
      'Forgets a backup and deletes its index. The backup itself is not changed; the next refresh finds it again.',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/unlock',
    access: 'token',
    params: backupParams,
    body: z.strictObject({ password: z.string().max(1024) }),
    reply: z.object({ session_token: z.string(), ttl_seconds: z.int() }),
    errors: [
      'phone.not_found',
      'phone.incorrect_password',
      'phone.backup_unreadable',
      'phone.keys_damaged',
      'phone.needs_device',
      'phone.session_invalid',
      'phone.too_demanding',
    ],
    summary:
      'Unlocks a backup with its backup password; an unencrypted one opens with any. After five wrong passwords, ' +
      'replies are delayed.',
  }),
  lock: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/lock',
    access: 'token',
    params: backupParams,
    reply: z.object({ status: z.literal('LOCKED') }),
    errors: ['phone.session_invalid', 'phone.session_mismatch'],
    summary: 'Ends a session and erases its keys. Succeeds if the session has already ended.',
  }),
  files: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/files',
    access: 'unlocked',
    params: backupParams,
    query: z.object({ domain: shortText.optional(), path_like: shortText.optional(), ...PAGING }),
    reply: pageOf(manifestEntry),
    errors: SESSION_ERRORS,
    summary:
      'Lists manifest entries by domain and path. `path_like` is a LIKE pattern: % is any text, _ one character; ' +
      'ASCII letters match either case.',
  }),
  domains: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/domains',
    access: 'unlocked',
    params: backupParams,
    reply: z.object({
      domains: z.array(z.string()),
      counts: z.array(z.object({ domain: z.string(), files: z.int(), bytes: z.int() })),
    }),
    errors: SESSION_ERRORS,
    summary: 'Lists the domains of the manifest with the number and total size of their files.',
  }),
  file: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/file/{file_id}',
    access: 'unlocked',
    params: z.object({ backup_id: backupId, file_id: shortText.min(1) }),
    reply: 'bytes',
    errors: [
      ...SESSION_ERRORS,
      'phone.file_not_found',
      'phone.not_a_file',
      'phone.file_missing',
      'phone.folder_missing',
      'phone.needs_device',
      'phone.file_damaged',
      'phone.file_cut',
      'phone.record_damaged',
    ],
    summary: 'Returns the content of a file; supports range requests.',
  }),
  suggestions: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/suggestions',
    access: 'unlocked',
    params: backupParams,
    query: z.object(PAGING),
    reply: pageOf(suggestion),
    errors: SESSION_ERRORS,
    summary:
      'Lists files that look like medical documents, most likely first: PDFs, scans in notes, photographed pages, ' +
      'attachments from practices.',
  }),

  integrity: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/integrity',
    access: 'unlocked',
    params: backupParams,
    status: 202,
    reply: integrityCheck,
    errors: SESSION_ERRORS,
    summary:
      'Starts an integrity check for files that are missing, have the wrong size or need the device. Reports ' +
      'progress if one is running.',
  }),
  integrityState: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/integrity',
    access: 'unlocked',
    params: backupParams,
    reply: integrityCheck,
    errors: SESSION_ERRORS,
    summary: 'Returns progress and result of the integrity check.',
  }),
  integrityCancel: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/integrity/cancel',
    access: 'unlocked',
    params: backupParams,
    reply: integrityCheck,
    errors: SESSION_ERRORS,
    summary: 'Cancels the integrity check.',
  }),
  integrityFindings: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/integrity/findings',
    access: 'unlocked',
    params: backupParams,
    query: z.object({ fault: integrityFault.optional(), ...PAGING }),
    reply: pageOf(integrityFinding),
    errors: SESSION_ERRORS,
    summary: 'Lists the faults that the integrity check found, per file; optionally of one kind.',
  }),

  index: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/index',
    access: 'unlocked',
    params: backupParams,
    status: 202,
    body: z.strictObject({
      artifacts: z.array(artifactName).max(50).optional(),
      /** Only artifacts that an earlier job did not finish. */
      resume: z.boolean().default(false),
    }),
    reply: indexJob,
    errors: SESSION_ERRORS,
    summary: 'Starts indexing, which replaces the rows of each artifact. Reports progress if a job is running.',
  }),
  indexState: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/index',
    access: 'token',
    params: backupParams,
    reply: indexJob,
    errors: INDEX_ERRORS,
    summary: 'Returns the progress of indexing, per artifact.',
  }),
  indexCancel: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/index/cancel',
    access: 'token',
    params: backupParams,
    reply: indexJob,
    errors: INDEX_ERRORS,
    summary: 'Cancels indexing. Finished artifacts are kept; the current one keeps its previous rows.',
  }),
  indexRemove: endpoint({
    method: 'DELETE',
    path: '/backups/{backup_id}/index',
    access: 'token',
    params: backupParams,
    reply: 'empty',
    errors: INDEX_ERRORS,
    summary: 'Deletes the index of a backup.',
  }),

  ...ARTIFACT_ENDPOINTS,
  contactPicture: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/contacts/{guid}/picture',
    access: 'unlocked',
    params: rowParams,
    reply: z.object({ picture: contactPicture.nullable() }),
    errors: SESSION_ERRORS,
    summary: 'Returns the picture of a contact; null if it has none.',
  }),
  search: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/search',
    access: 'token',
    params: backupParams,
    query: z.object({ q: shortText.min(1), artifact: artifactName.optional(), ...PAGING }),
    reply: pageOf(searchHit),
    errors: ['phone.not_found', 'search.syntax'],
    summary: 'Searches the full text of the index of a backup.',
  }),
} as const;
