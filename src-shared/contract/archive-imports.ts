import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorBody } from './errors.ts';
import { refusal } from './field-errors.ts';
import { freeText, id, idParams, timestamp, wholeText } from './wire.ts';
import { IMPORT_KINDS, IMPORT_STATUSES, IMPORT_ITEM_STATUSES, IMPORT_ITEM_KINDS } from './import-kinds.ts';

export { IMPORT_KINDS, IMPORT_ITEM_STATUSES } from './import-kinds.ts';

const itemStatus = z.enum(IMPORT_ITEM_STATUSES);

const archiveImport = z.object({
  id,
  kind: z.enum(IMPORT_KINDS),
  /** Full path on this computer. */
  source: z.string(),
  patient_id: id,
  status: z.enum(IMPORT_STATUSES),
  /** Why it failed. */
  error_code: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  /** Numbers of items by status. */
  counts: z.record(itemStatus, z.int()),
  /** Values of Apple Health that will be, or were, added to the trends. */
  values: z.int(),
});
export type ArchiveImport = z.output<typeof archiveImport>;

const importItem = z.object({
  id,
  /** Path within the archive. */
  name: z.string(),
  kind: z.enum(IMPORT_ITEM_KINDS),
  status: itemStatus,
  /** Why it is refused or left out. */
  code: errorBody.shape.code.nullable(),
  params: errorBody.shape.params,
  /** The first document that it became, or that it is a copy of, if the caller may see it. */
  document_id: id.nullable(),
  /** Documents or values that it holds. */
  count: z.int(),
});
export type ImportItem = z.output<typeof importItem>;

const path = freeText(2000)
  .transform((text) => text.trim())
  .refine((text) => text !== '', refusal('field.required'));
const one = { access: 'admin', params: idParams, reply: archiveImport } as const;

/** Imports of existing archives that are on the computer which keeps the vault. */
export const archiveImports = {
  list: endpoint({
    method: 'GET',
    path: '/api/imports',
    access: 'admin',
    reply: z.object({ items: z.array(archiveImport) }),
    summary: 'Lists the imports into records that the caller may change, newest first.',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/imports',
    access: 'admin',
    audit: 'import.create',
    status: 201,
    body: z.strictObject({ path, patient_id: id }),
    reply: archiveImport,
    errors: [
      'patient.not_found',
      'auth.read_only',
      'import.path_invalid',
      'import.source_missing',
      'import.source_unreadable',
      'import.source_inside',
    ],
    summary:
      'Looks through a folder or file of this computer and says what it would add to a patient’s record: folders, ' +
      'an export of paperless-ngx, or one of Apple Health. Nothing is stored before the import is run, and the ' +
      'source is never changed.',
  }),
  get: endpoint({
    ...one,
    method: 'GET',
    path: '/api/imports/{id}',
    errors: ['import.not_found'],
    summary: 'Returns an import.',
  }),
  items: endpoint({
    method: 'GET',
    path: '/api/imports/{id}/items',
    access: 'admin',
    params: idParams,
    query: z.object({
      status: itemStatus.optional(),
      limit: wholeText(1, 500).default(100),
      offset: wholeText(0, 10_000_000).default(0),
    }),
    reply: z.object({ items: z.array(importItem), total: z.int() }),
    errors: ['import.not_found'],
    summary: 'Lists the items of an import in the order of the archive.',
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/imports/{id}/report',
    access: 'admin',
    params: idParams,
    reply: 'bytes',
    errors: ['import.not_found'],
    summary: 'Downloads what became of each item as CSV.',
  }),
  run: endpoint({
    ...one,
    method: 'POST',
    path: '/api/imports/{id}/run',
    audit: 'import.run',
    status: 202,
    errors: ['import.not_found', 'import.not_ready'],
    summary: 'Stores what the preview found; goes on with an import that was stopped.',
  }),
  stop: endpoint({
    ...one,
    method: 'POST',
    path: '/api/imports/{id}/stop',
    errors: ['import.not_found'],
    summary: 'Stops an import after the item that is being stored.',
  }),
  undo: endpoint({
    ...one,
    method: 'POST',
    path: '/api/imports/{id}/undo',
    audit: 'import.undo',
    status: 202,
    errors: ['import.not_found', 'import.not_ready'],
    summary:
      'Moves the documents of an import to the trash and removes the values that it added, unless somebody changed ' +
      'them. Imaging studies that got other images since stay.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/imports/{id}',
    access: 'admin',
    params: idParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['import.not_found', 'import.not_ready'],
    summary: 'Forgets an import that does not run. What it stored stays.',
  }),
} as const;
