import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  accountRow,
  albumRow,
  appRow,
  artifactName,
  bookmarkRow,
  calendarRow,
  callRow,
  characteristics,
  chatRow,
  clinicalRecord,
  contactPicture,
  contactRow,
  conversationRow,
  eventRow,
  healthType,
  medicationRow,
  messageRow,
  noteRow,
  photoRow,
  recordingRow,
  sampleRow,
  searchHit,
  visitRow,
  voicemailRow,
} from './artifacts.ts';
import { civilDate, order, timestamp, wholeText } from '../wire.ts';

/**
 * The service that browses phone backups. It has a listener of its own, where `X-API-Token` says who asks; the core serves the same
 * endpoints to a signed-in administrator under `PHONE_PREFIX`. Where a backup must be open, `X-Backup-Session` carries what `unlock` gave.
 * Not to be mixed up with `backups.ts`: those are backups of the vault.
 */
export const PHONE_PREFIX = '/api/phone';
export const API_TOKEN_HEADER = 'X-API-Token';
export const BACKUP_SESSION_HEADER = 'X-Backup-Session';

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
/** What is odd about a backup; the person is told, and it is read as far as it goes. */
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
] as const;

/** The name of the backup's folder. */
const backupId = z.string().min(1).max(255);
const backupParams = z.object({ backup_id: backupId });
const short = z.string().max(1000);
const paging = { limit: wholeText(1, 1000).default(100), offset: wholeText(0, 1_000_000_000).default(0) };
const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });

const summary = z.object({
  id: z.string(),
  ios_identifier: z.string(),
  display_name: z.string(),
  device_name: z.string().nullable(),
  product_version: z.string().nullable(),
  product_type: z.string().nullable(),
  product_name: z.string().nullable(),
  /** Masked but for the last characters. */
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
export type BackupSummary = z.output<typeof summary>;
const discovered = z.object({
  backups: z.array(summary),
  base_directory: z.string(),
  /** Whether the folder could be read; `not_permitted` on a Mac wants Full Disk Access. */
  folder_state: z.enum(['readable', 'absent', 'not_permitted']),
});

const manifestEntry = z.object({
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
const indexJob = z.object({
  status: z.enum(INDEX_STATES),
  artifacts: z.array(
    z.object({
      artifact: artifactName,
      /** `absent`: the backup has no such database. `failed` leaves the rows of before. */
      status: z.enum(['waiting', 'running', 'done', 'absent', 'failed', 'cancelled']),
      rows: z.int(),
      /** Null while it is not counted. */ total: z.int().nullable(),
      finished_at: timestamp.nullable(),
      /** Rows of the database that could not be read and were left out. */
      skipped: z.int(),
    }),
  ),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});
export type IndexJob = z.output<typeof indexJob>;

export const SUGGESTION_REASONS = ['name', 'sender', 'scan', 'pdf', 'picture_of_document', 'app', 'text'] as const;
const suggestion = z.object({
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
  /** 0 to 1; only a person decides. */
  likelihood: z.number(),
  reasons: z.array(z.enum(SUGGESTION_REASONS)),
  /** The document that this file was sent to already. */
  document_id: z.int().nullable(),
});
export type Suggestion = z.output<typeof suggestion>;

export const INTEGRITY_FAULTS = ['missing', 'wrong_size', 'cut', 'unsafe_id', 'needs_device', 'damaged_key'] as const;
const integrityFault = z.enum(INTEGRITY_FAULTS);
const integrityCheck = z.object({
  status: z.enum(['idle', 'running', 'done', 'cancelled', 'failed']),
  /** Looked at so far, of all files of the manifest. */
  files: z.int(),
  total_files: z.int(),
  /** Why it failed: a code of the engine, such as `gone`. */
  failure: z.string().nullable(),
  report: z
    .object({
      files: z.int(),
      /** Of theirs that are in the backup. */ bytes: z.int(),
      /** Files in the backup that no entry names. */ unlisted: z.int(),
      counts: z.record(integrityFault, z.int()),
      /** Faults that are listed one by one. */ listed: z.int(),
    })
    .nullable(),
});
export type IntegrityCheck = z.output<typeof integrityCheck>;
const integrityFinding = z.object({
  fault: integrityFault,
  file_id: z.string(),
  domain: z.string(),
  relative_path: z.string(),
  /** By the manifest; null when it does not say. */ expected_bytes: z.int().nullable(),
  /** Null when the file is missing. */ actual_bytes: z.int().nullable(),
});
export type IntegrityFinding = z.output<typeof integrityFinding>;

const unlocked = ['token.invalid', 'phone.not_found', 'phone.session_invalid', 'phone.session_foreign'] as const;
const token = ['token.invalid'] as const;
const artifacts = ['phone.not_found'] as const;

const artifactList = <P extends string, T extends z.ZodType, Q extends z.ZodRawShape>(
  path: P,
  item: T,
  query: Q,
  summaryText: string,
) =>
  endpoint({
    method: 'GET',
    path: `/backups/{backup_id}/artifacts/${path}` as const,
    access: 'token',
    params: backupParams,
    query: z.object({ ...query, ...paging }),
    reply: pageOf(item),
    errors: artifacts,
    summary: summaryText,
  });
const words = { q: short.optional() };
const span = { from: civilDate.optional(), to: civilDate.optional() };
const guid = z.object({ backup_id: backupId, guid: short.min(1) });
const inThread = z.object({
  order: order.default('asc'),
  /** A message's guid: its place is told. */ at: short.optional(),
  ...paging,
});
/** Of the message `at` among all, in the order that was asked for; null where it is not among them, or none was named. */
const place = z.int().nullable();

export const phoneBackups = {
  healthz: endpoint({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    reply: z.object({ status: z.literal('ok') }),
    summary: 'For readiness probes; needs no token, and tells nothing else.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/backups',
    access: 'token',
    reply: discovered,
    errors: token,
    summary: 'The backups that are known. When there is none, the folder is looked through once.',
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/backups/refresh',
    access: 'token',
    reply: discovered,
    errors: token,
    summary: 'Looks through the folder of backups again, one and two folders deep.',
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/backups/{backup_id}',
    access: 'token',
    params: backupParams,
    reply: 'empty',
    errors: artifacts,
    summary:
      'Forgets a backup with everything that was indexed of it. The backup itself is never touched; the next refresh finds it again.',
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
      'phone.passphrase_wrong',
      'phone.unreadable',
      'phone.needs_device',
      'phone.session_invalid',
    ],
    summary:
      'Opens a backup with its passphrase; one that is not encrypted opens with any. After five wrong ones each further answer takes longer.',
  }),
  lock: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/lock',
    access: 'token',
    params: backupParams,
    reply: z.object({ status: z.literal('LOCKED') }),
    errors: ['phone.session_invalid', 'phone.session_foreign'],
    summary: 'Ends a session and wipes its keys. Also when it is over already.',
  }),
  files: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/files',
    access: 'unlocked',
    params: backupParams,
    query: z.object({ domain: short.optional(), path_like: short.optional(), ...paging }),
    reply: pageOf(manifestEntry),
    errors: unlocked,
    summary:
      'Entries of the manifest by domain and path. `path_like` is a LIKE pattern: % any text, _ one character; ASCII letters in either case.',
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
    errors: unlocked,
    summary: 'The domains of the manifest, with how many files each has and how large they are.',
  }),
  file: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/file/{file_id}',
    access: 'unlocked',
    params: z.object({ backup_id: backupId, file_id: short.min(1) }),
    reply: 'bytes',
    errors: [
      ...unlocked,
      'phone.file_not_found',
      'phone.not_a_file',
      'phone.file_missing',
      'phone.gone',
      'phone.needs_device',
      'phone.damaged',
    ],
    summary: 'The content of a file, whole or by ranges.',
  }),
  suggestions: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/suggestions',
    access: 'unlocked',
    params: backupParams,
    query: z.object(paging),
    reply: pageOf(suggestion),
    errors: unlocked,
    summary:
      'Files that look like medical documents, most likely first: PDFs, scans in notes, photographed papers, attachments from practices.',
  }),

  integrity: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/integrity',
    access: 'unlocked',
    params: backupParams,
    status: 202,
    reply: integrityCheck,
    errors: unlocked,
    summary:
      'Begins to compare the manifest with the files that are there: what is missing, of a wrong size, or never readable here. While it runs, this answers how far it is.',
  }),
  integrityState: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/integrity',
    access: 'unlocked',
    params: backupParams,
    reply: integrityCheck,
    errors: unlocked,
    summary: 'How far the comparison is, and what it found.',
  }),
  integrityCancel: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/integrity/cancel',
    access: 'unlocked',
    params: backupParams,
    reply: integrityCheck,
    errors: unlocked,
    summary: 'Stops the comparison.',
  }),
  integrityFindings: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/integrity/findings',
    access: 'unlocked',
    params: backupParams,
    query: z.object({ fault: integrityFault.optional(), ...paging }),
    reply: pageOf(integrityFinding),
    errors: unlocked,
    summary: 'What the comparison found wrong, file by file: of one kind, or of all.',
  }),

  index: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/index',
    access: 'unlocked',
    params: backupParams,
    status: 202,
    body: z.strictObject({
      artifacts: z.array(artifactName).max(50).optional(),
      /** Only what an earlier job left undone. */ resume: z.boolean().default(false),
    }),
    reply: indexJob,
    errors: unlocked,
    summary:
      'Begins to index; the rows of before are replaced artifact by artifact. While one runs, this answers how far it is.',
  }),
  indexState: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/index',
    access: 'token',
    params: backupParams,
    reply: indexJob,
    errors: artifacts,
    summary: 'How far indexing is, by artifact and row.',
  }),
  indexCancel: endpoint({
    method: 'POST',
    path: '/backups/{backup_id}/index/cancel',
    access: 'token',
    params: backupParams,
    reply: indexJob,
    errors: artifacts,
    summary: 'Stops indexing. Finished artifacts stay; the one under way keeps the rows of before.',
  }),
  indexRemove: endpoint({
    method: 'DELETE',
    path: '/backups/{backup_id}/index',
    access: 'token',
    params: backupParams,
    reply: 'empty',
    errors: artifacts,
    summary: 'Removes everything that was indexed of a backup.',
  }),

  chats: artifactList('whatsapp/chats', chatRow, words, 'Chats of WhatsApp, last one first.'),
  chat: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/whatsapp/chats/{guid}',
    access: 'token',
    params: guid,
    query: inThread,
    reply: pageOf(messageRow).extend({ chat: chatRow, place }),
    errors: ['phone.not_found', 'phone.row_not_found'],
    summary: 'A chat of WhatsApp with its messages.',
  }),
  conversations: artifactList(
    'messages/conversations',
    conversationRow,
    words,
    'Conversations of Messages, last one first.',
  ),
  conversation: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/messages/conversations/{guid}',
    access: 'token',
    params: guid,
    query: inThread,
    reply: pageOf(messageRow).extend({ conversation: conversationRow, place }),
    errors: ['phone.not_found', 'phone.row_not_found'],
    summary: 'A conversation of Messages with its messages.',
  }),
  photos: artifactList(
    'photos',
    photoRow,
    { album: short.optional(), media_type: photoRow.shape.media_type.optional(), ...span },
    'Photos and videos, newest first.',
  ),
  albums: artifactList('photos/albums', albumRow, {}, 'Albums of the photo library.'),
  notes: artifactList('notes', noteRow, { ...words, folder: short.optional() }, 'Notes, last changed first.'),
  calendars: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/calendars',
    access: 'token',
    params: backupParams,
    query: z.object({ calendar: short.optional(), ...words, ...span, ...paging }),
    reply: pageOf(eventRow).extend({ calendars: z.array(calendarRow) }),
    errors: artifacts,
    summary:
      'Calendars, and their events. Between two days recurring events are told once for each time that they happen.',
  }),
  contacts: artifactList('contacts', contactRow, words, 'Contacts by name.'),
  contactPicture: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/contacts/{guid}/picture',
    access: 'unlocked',
    params: guid,
    reply: z.object({ picture: contactPicture.nullable() }),
    errors: unlocked,
    summary: 'The picture of a contact, by its identifier; null where the phone has none.',
  }),
  calls: artifactList('calls', callRow, words, 'Calls, last one first.'),
  history: artifactList('safari/history', visitRow, { ...words, ...span }, 'Pages visited in Safari, last one first.'),
  bookmarks: artifactList(
    'safari/bookmarks',
    bookmarkRow,
    words,
    'Bookmarks, the reading list and open tabs of Safari.',
  ),
  voicemail: artifactList('voicemail', voicemailRow, {}, 'Voice messages, last one first.'),
  recordings: artifactList('recordings', recordingRow, {}, 'Voice memos, last one first.'),
  health: artifactList(
    'health',
    sampleRow,
    { type: short.optional(), source: short.optional(), ...span },
    'Health samples, last one first.',
  ),
  healthTypes: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/health/types',
    access: 'token',
    params: backupParams,
    reply: z.object({ types: z.array(healthType), characteristics }),
    errors: artifacts,
    summary: 'What kinds of health samples there are, from whom, and what the phone knows of its owner.',
  }),
  healthRecords: artifactList(
    'health/records',
    clinicalRecord,
    {},
    'Clinical records that practices and hospitals sent to the phone, as FHIR resources.',
  ),
  medications: artifactList(
    'medications',
    medicationRow,
    {},
    'Medicines that were kept in the health app, with what was taken.',
  ),
  apps: artifactList('apps', appRow, words, 'Installed apps, and how much of them the backup holds.'),
  accounts: artifactList('accounts', accountRow, {}, 'Accounts that were set up on the phone; never their passwords.'),
  search: endpoint({
    method: 'GET',
    path: '/backups/{backup_id}/artifacts/search',
    access: 'token',
    params: backupParams,
    query: z.object({ q: short.min(1), artifact: artifactName.optional(), ...paging }),
    reply: pageOf(searchHit),
    errors: ['phone.not_found', 'search.syntax'],
    summary: 'Full text over everything that was indexed of a backup.',
  }),
} as const;
