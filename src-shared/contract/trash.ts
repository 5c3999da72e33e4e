import { z } from 'zod';
import { documentIdentity } from './document-naming.ts';
import { endpoint } from './endpoint.ts';
import { id, idParams, timestamp } from './wire.ts';

/** Days for which deleted items, and merges of names, can be undone. */
export const TRASH_DAYS = 30;

/** Kinds of items that can be restored. */
export const TRASH_KINDS = [
  'document',
  'patient',
  'file',
  'event',
  'lab_result',
  'encounter',
  'medication',
  'vaccination',
  'name',
] as const;

const trashItem = z.object({
  id,
  kind: z.enum(TRASH_KINDS),
  label: z.string(),
  /** What names a deleted document; null for other items. */
  document: documentIdentity.nullable(),
  patient_id: id.nullable(),
  deleted_at: timestamp,
  undo_until: timestamp,
  size: z.int(),
});
export const trash = {
  list: endpoint({
    method: 'GET',
    path: '/api/trash',
    access: 'session',
    reply: z.object({ items: z.array(trashItem) }),
    summary: 'Lists deleted items that can be restored.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/trash/{id}/restore',
    access: { trash: 'write' },
    audit: 'trash.restore',
    params: idParams,
    reply: z.object({
      ok: z.literal(true),
      document_ids: z.array(id),
      /** Imaging studies that came back beside another one of their UID, because it lacks some of their files. */
      separate_studies: z.array(id),
      not_restored: z.array(
        z.object({
          document_id: id,
          original_filename: z.string(),
          reason: z.literal('content_present'),
          trash_id: id,
        }),
      ),
    }),
    errors: ['trash.not_found', 'trash.path_conflict'],
    summary:
      'Restores a deleted item. Documents of an event or patient whose content was uploaded again stay in the ' +
      'trash as items of their own. A study that was filed again is united with the restored one if it has all its ' +
      'files.',
  }),
  purge: endpoint({
    method: 'DELETE',
    path: '/api/trash/{id}',
    access: { trash: 'owner' },
    audit: 'trash.purge',
    params: idParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['trash.not_found'],
    summary: 'Deletes an item permanently.',
  }),
} as const;
