import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { TRASH_DAYS } from './trash.ts';
import { id, timestamp, wholeText } from './wire.ts';

const vaultPath = z.string().min(1).max(4096);

/**
 * The kind of a file in the vault; null for a folder.
 * - `document`: the file of a document
 * - `imaging`: part of an imaging study
 * - `waiting`: in the inbox, to be imported
 * - `foreign`: no row of the database refers to it
 */
export const ENTRY_STATES = ['document', 'imaging', 'waiting', 'foreign'] as const;

const entry = z
  .object({
    name: z.string(),
    type: z.enum(['dir', 'file']),
    path: z.string(),
    /** Bytes; for a folder the sum of all files below it that the caller may see. */
    size: z.int(),
    state: z.enum(ENTRY_STATES).nullable(),
    document_id: id.nullable(),
    /** The document's original name. */
    document_name: z.string().nullable(),
    /** Number of files below a folder, and of foreign ones; for a file 1, and 0 or 1. */
    files: z.int(),
    foreign: z.int(),
    /** Whether the children of a folder are omitted because of `depth`. */
    more: z.boolean(),
    /** Whether the caller may move and delete it. Hearth's own folders can't be changed. */
    writable: z.boolean(),
    get children() {
      return z.array(entry);
    },
    // Has its own id, so that its reference to itself can be resolved inside another document (JSON Schema 2020-12,
    // 8.2.1).
  })
  .meta({ $id: 'urn:hearth:vault-entry' });
export type VaultEntry = z.output<typeof entry>;

export const FAULT_KINDS = ['missing', 'changed', 'foreign', 'doubled', 'lost_trash', 'database'] as const;

const fault = z.object({
  kind: z.enum(FAULT_KINDS),
  /** Null if the caller may not see its owner; for the database, SQLite's message. */
  path: z.string().nullable(),
  document_id: id.nullable(),
  /** The document with the same content. */
  same_as: id.nullable(),
});
export type VaultFault = z.output<typeof fault>;

const check = z.object({
  id,
  status: z.enum(['running', 'done', 'cancelled']),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  /** Compared documents and their total. */
  documents: z.int(),
  total: z.int(),
  /** Unchanged files and their bytes. */
  files: z.int(),
  bytes: z.int(),
  fault_count: z.int(),
  faults: z.array(fault),
});
export type VaultCheck = z.output<typeof check>;

const checkReply = z.object({
  check: check.nullable(),
  /** When every file was last found intact. */
  last_whole_at: timestamp.nullable(),
});

export type CheckState = z.output<typeof checkReply>;

export const vaultFiles = {
  tree: endpoint({
    method: 'GET',
    path: '/api/vault/tree',
    access: 'session',
    query: z.object({ path: vaultPath.optional(), depth: wholeText(1, 100).default(100) }),
    reply: entry,
    errors: ['vault.path_outside', 'vault.path_not_found'],
    summary:
      'Lists folders and files of the vault that the caller may see, with sizes and counts of foreign files; ' +
      '`depth` limits the levels.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/vault/file',
    access: 'editor',
    audit: 'vault.delete',
    query: z.object({ path: vaultPath }),
    reply: z.object({
      status: z.literal('deleted'),
      path: z.string(),
      document_id: id.nullable(),
      trash_id: id,
      undo_until: timestamp,
    }),
    errors: [
      'vault.path_outside',
      'vault.path_not_found',
      'vault.protected_folder',
      'vault.part_of_study',
      'auth.forbidden',
      'auth.read_only',
      'document.busy',
    ],
    summary: `Moves a file to the trash, with its document if it has one. Can be undone for ${TRASH_DAYS} days.`,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/vault/move',
    access: 'editor',
    audit: 'vault.move',
    body: z.strictObject({ from_path: vaultPath, to_path: vaultPath }),
    reply: z.object({
      status: z.enum(['moved', 'noop']),
      from: z.string(),
      to: z.string(),
      affected_documents: z.array(id),
    }),
    errors: [
      'vault.path_outside',
      'vault.path_not_found',
      'vault.protected_folder',
      'vault.move_into_self',
      'vault.part_of_study',
      'vault.patient_mismatch',
      'auth.forbidden',
      'auth.read_only',
      'document.busy',
    ],
    summary:
      'Moves or renames a file or folder, and updates the paths of documents, studies and series. A folder as ' +
      'target means into it; a name that is taken gets -2, -3 and so on. `noop`: it was there already.',
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/vault/check',
    access: 'session',
    reply: checkReply,
    summary: 'Returns the last integrity check: progress and faults.',
  }),
  startCheck: endpoint({
    method: 'POST',
    path: '/api/vault/check',
    access: 'admin',
    audit: 'vault.verify',
    status: 202,
    reply: checkReply,
    summary: 'Starts an integrity check of all files in the background, unless one is running.',
  }),
  stopCheck: endpoint({
    method: 'DELETE',
    path: '/api/vault/check',
    access: 'admin',
    reply: checkReply,
    summary: 'Stops a running integrity check. Faults found so far are kept.',
  }),
} as const;
