import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { documentLink, linkType } from './rows.ts';
import { id, idParams, idText } from './wire.ts';

export const documentLinks = {
  list: endpoint({
    method: 'GET',
    path: '/api/documents/{id}/links',
    access: { document: 'read' },
    params: idParams,
    reply: z.object({ items: z.array(documentLink) }),
    errors: ['document.not_found'],
    summary:
      'Lists the links of a document in both directions, each with the other document. Links to documents that the ' +
      'caller may not see are left out.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/documents/{id}/link',
    access: { document: 'write' },
    audit: 'document.link',
    params: idParams,
    status: 201,
    body: z.strictObject({ target_document_id: id, link_type: linkType }),
    reply: documentLink,
    errors: ['document.not_found', 'link.self_reference', 'link.exists'],
    summary: 'Links a document to another one. Two documents can have one link of each type, in either direction.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/documents/{id}/links/{link_id}',
    access: { document: 'write' },
    audit: 'document.unlink',
    params: idParams.extend({ link_id: idText }),
    reply: z.object({ ok: z.literal(true), status: z.literal('deleted'), link_id: id }),
    errors: ['document.not_found', 'link.not_found'],
    summary: 'Removes a link, from either of its documents.',
  }),
} as const;
