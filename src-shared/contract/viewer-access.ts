import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idText, shownText, timestamp } from './wire.ts';

/** Scheme, host and port of a page, as browsers send it in `Origin`. */
const origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/);

const viewerAccess = z.object({
  id,
  /** What the user calls it, such as the name of the viewer. */
  name: z.string(),
  /** Pages of these origins may use the token. Programs outside of a browser need none. */
  origins: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type ViewerAccess = z.output<typeof viewerAccess>;

/** Tokens with which imaging viewers read the studies that a user may see. */
export const viewerAccesses = {
  list: endpoint({
    method: 'GET',
    path: '/api/viewer-access',
    access: 'session',
    reply: z.object({
      items: z.array(viewerAccess),
      /** The address that viewers need. */
      address: z.string(),
    }),
    summary: 'Lists the tokens for imaging viewers that the caller has made, without the tokens themselves.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/viewer-access',
    access: 'session',
    audit: 'imaging.viewer_access.create',
    body: z.strictObject({ name: shownText(100), origins: z.array(origin).max(10).default([]) }),
    reply: viewerAccess.extend({
      /** Shown once: only its hash is stored. */
      token: z.string(),
    }),
    status: 201,
    errors: ['dicomweb.too_many_tokens'],
    summary: 'Makes a token with which an imaging viewer on this computer reads the studies that the caller may see.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/viewer-access/{access_id}',
    access: 'session',
    audit: 'imaging.viewer_access.revoke',
    params: z.object({ access_id: idText }),
    reply: z.object({ status: z.literal('revoked') }),
    errors: ['dicomweb.token_not_found'],
    summary: 'Revokes a token at once.',
  }),
} as const;
