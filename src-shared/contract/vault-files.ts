import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, timestamp, wholeText } from './wire.ts';

const vaultPath = z.string().min(1).max(4096);

/**
 * What an entry of the vault is to Hearth. Of a folder: null.
 * - `document`: the file of a document
 * - `imaging`: part of an imaging study
 * - `waiting`: lies in the inbox and will be taken in
 * - `foreign`: belongs to no row
 */
export const ENTRY_STATES = ['document', 'imaging', 'waiting', 'foreign'] as const;

const entry = z
  .object({
    name: z.string(),
    type: z.enum(['dir', 'file']),
    path: z.string(),
    /** Bytes; of a folder those of every file below it that the caller may see. */
    size: z.int(),
    state: z.enum(ENTRY_STATES).nullable(),
    document_id: id.nullable(),
    /** The document's own name. */
    document_name: z.string().nullable(),
    /** Files below a folder, and how many of them are foreign; 1 and 0 or 1 for a file. */
    files: z.int(),
    foreign: z.int(),
    /** True for a folder whose children are left out because of `depth`. */
    more: z.boolean(),
    /** May the caller move and delete it? Folders that Hearth needs stay. */
    writable: z.boolean(),
    get children() {
      return z.array(entry);
    },
    // An address of its own, so that the reference to itself holds inside of another document (JSON Schema 2020-12, 8.2.1).
  })
  .meta({ $id: 'urn:hearth:vault-entry' });
export type VaultEntry = z.output<typeof entry>;

export const FAULT_KINDS = ['missing', 'changed', 'foreign', 'doubled', 'lost_trash', 'database'] as const;

const fault = z.object({
  kind: z.enum(FAULT_KINDS),
  /** Null where the caller may not see whose it is; of the database: what SQLite says. */
  path: z.string().nullable(),
  document_id: id.nullable(),
  /** The document that has this very content. */
  same_as: id.nullable(),
});
export type VaultFault = z.output<typeof fault>;

const check = z.object({
  id,
  status: z.enum(['running', 'done', 'cancelled']),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  /** Documents that were compared, of how many. */
  documents: z.int(),
  total: z.int(),
  /** Files that are as they were stored, and their bytes. */
  files: z.int(),
  bytes: z.int(),
  fault_count: z.int(),
  faults: z.array(fault),
});
export type VaultCheck = z.output<typeof check>;

const checkReply = z.object({
  check: check.nullable(),
  /** When every file was last found whole. */
  last_whole_at: timestamp.nullable(),
});

export type CheckState = z.output<typeof checkReply>;

export const vault = {
  tree: endpoint({
    method: 'GET',
    path: '/api/vault/tree',
    access: 'session',
    query: z.object({ path: vaultPath.optional(), depth: wholeText(1, 100).default(100) }),
    reply: entry,
    errors: ['vault.outside', 'vault.not_found'],
    summary:
      'Folders and files of the vault that the caller may see, with sizes and what belongs to no row; `depth` says how many levels are sent.',
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
      'vault.outside',
      'vault.not_found',
      'vault.fixed',
      'vault.part_of_study',
      'auth.forbidden',
      'auth.read_only',
      'document.busy',
    ],
    summary: 'Moves a file to the trash, with its document where it has one; can be undone for 30 days.',
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/vault/move',
    access: 'editor',
    audit: 'vault.move',
    body: z.strictObject({ from_path: vaultPath, to_path: vaultPath }),
    reply: z.object({ status: z.literal('moved'), from: z.string(), to: z.string(), affected_documents: z.array(id) }),
    errors: [
      'vault.outside',
      'vault.not_found',
      'vault.fixed',
      'vault.into_itself',
      'vault.part_of_study',
      'vault.other_patient',
      'auth.forbidden',
      'auth.read_only',
      'document.busy',
    ],
    summary:
      'Moves or renames a file or folder; the paths of documents, studies and series follow in the same step. Onto a folder means into it; a taken name gets -2, -3 and so on.',
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/vault/check',
    access: 'session',
    reply: checkReply,
    summary: 'The last comparison of all files with what was stored: its progress, and what it found.',
  }),
  startCheck: endpoint({
    method: 'POST',
    path: '/api/vault/check',
    access: 'admin',
    audit: 'vault.verify',
    status: 202,
    reply: checkReply,
    summary: 'Compares every file with what was stored, in the background; a running comparison goes on.',
  }),
  stopCheck: endpoint({
    method: 'DELETE',
    path: '/api/vault/check',
    access: 'admin',
    reply: checkReply,
    summary: 'Ends a running comparison; what it found so far stays.',
  }),
} as const;
