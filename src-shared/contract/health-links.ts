import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorBody } from './errors.ts';
import { MAX_SHARED_DOCUMENTS, SHARE_DAYS } from './shares.ts';
import { freeText, id, shownText, timestamp } from './wire.ts';
import { HEALTH_LINK_PATH } from './share-limits.ts';

export { MAX_PASSCODE_TRIES } from './share-limits.ts';

export const PASSCODE_LENGTH = { min: 6, max: 100 } as const;
/** A reader shows the label of a link before it opens it (HL7 STU 1: at most 80 characters). */
export const MAX_LINK_LABEL = 80;
const HOURS_OF_DAY = 24;
export const LINK_HOURS = { min: 1, max: SHARE_DAYS.max * HOURS_OF_DAY } as const;

/**
 * - `making`: its files are being drawn and encrypted, so it opens nothing yet; `failed`: they could not be made
 * - `used`: it was for one use; `locked`: too many wrong passcodes; `changed`: one of its documents has left the share
 * - `moved`: its address leads here no more, because the service has another one
 * - `paused`: its share is locked; `expired` and `revoked`: it has ended, or its share has
 */
export const healthLinkStatus = z.enum([
  'making',
  'failed',
  'active',
  'used',
  'locked',
  'changed',
  'moved',
  'paused',
  'expired',
  'revoked',
]);
export type HealthLinkStatus = z.output<typeof healthLinkStatus>;

const linkId = z.string().max(100);
const shareParams = z.object({ share_id: z.string().max(100) });

const healthLink = z.object({
  link_id: linkId,
  label: z.string(),
  status: healthLinkStatus,
  has_passcode: z.boolean(),
  /** Wrong passcodes that are still allowed; null without a passcode. */
  tries_left: z.int().nullable(),
  is_one_time: z.boolean(),
  document_count: z.int(),
  document_ids: z.array(id),
  /** Of all encrypted files together; null until they are made. */
  size: z.int().nullable(),
  opened_count: z.int(),
  last_opened_at: timestamp.nullable(),
  expires_at: timestamp,
  created_at: timestamp,
  /** Pages that are drawn, while it is being made. */
  progress: z.object({ pages_done: z.int(), pages_total: z.int() }).nullable(),
  /** Why it could not be made, and with which document. */
  failure: errorBody.omit({ issues: true }).extend({ document_id: id.nullable() }).nullable(),
});
export type HealthLinkRow = z.output<typeof healthLink>;

/** SMART Health Links of a share: a form of it for programs. */
export const healthLinks = {
  create: endpoint({
    method: 'POST',
    path: '/api/shares/{share_id}/health-links',
    // Whoever has the link reads the documents, so an administrator needs access to the patient as everywhere else.
    access: { share: 'owner' },
    audit: 'share.health_link.create',
    params: shareParams,
    body: z.strictObject({
      /** All documents of the share if it is missing. */
      document_ids: z.array(id).min(1).max(MAX_SHARED_DOCUMENTS).optional(),
      passcode: freeText(PASSCODE_LENGTH.max).min(PASSCODE_LENGTH.min).nullish(),
      /** It ends with the share at the latest. */
      expires_in_hours: z.int().min(LINK_HOURS.min).max(LINK_HOURS.max).nullish(),
      is_one_time: z.boolean().default(false),
      label: shownText(MAX_LINK_LABEL).default(''),
      /** A link of the share that ends when this one is made: one whose address has changed. */
      replaces: linkId.nullish(),
    }),
    reply: healthLink.extend({
      /** `shlink:/…` with the key, which is in no other reply and is not stored. */
      link: z.string(),
    }),
    status: 201,
    errors: [
      'share.ended',
      'share.documents_not_shareable',
      'health_link.not_found',
      'health_link.too_many',
      'health_link.address_too_long',
      'server.stopping',
    ],
    summary:
      'Makes a SMART Health Link (HL7 STU 1) with the documents of a share. The reply is the only one with the link; ' +
      'it opens once its files are made, which takes minutes for hundreds of pages.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/shares/{share_id}/health-links',
    access: { share: 'manage' },
    params: shareParams,
    reply: z.array(healthLink),
    summary: 'Lists the SMART Health Links of a share without what opens them, newest first.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/health-links/{link_id}',
    access: { share: 'manage' },
    audit: 'share.health_link.revoke',
    params: shareParams.extend({ link_id: linkId }),
    reply: z.object({ ok: z.literal(true) }),
    errors: ['health_link.not_found'],
    summary: 'Ends a SMART Health Link at once, also while it is being made. Ending it again changes nothing.',
  }),
} as const;

const manifestFile = z.object({
  contentType: z.string(),
  lastUpdated: z.string(),
  embedded: z.string().optional(),
  location: z.string().optional(),
});

/**
 * What programs of others call to open a SMART Health Link, only on the service for recipients. The standard decides
 * about paths, fields and replies.
 * @see HL7 SMART Health Cards and Links STU 1, "SMART Health Link Manifest Request"
 */
export const healthLinkReader = {
  manifest: endpoint({
    method: 'POST',
    path: `${HEALTH_LINK_PATH}/{link}`,
    access: 'public',
    inShareMode: true,
    anyOrigin: true,
    params: z.object({ link: z.string().max(100) }),
    body: z.object({
      /** Who asks, in words of the reader. */
      recipient: z.string().min(1).max(1000),
      passcode: z.string().max(1000).optional(),
      embeddedLengthMax: z.int().min(0).optional(),
    }),
    reply: z.object({
      status: z.literal('finalized').optional(),
      files: z.array(manifestFile).optional(),
      /** Of a wrong or missing passcode, with the status 401. */
      remainingAttempts: z.int().optional(),
    }),
    status: ({ remainingAttempts }: { remainingAttempts?: number }) => (remainingAttempts === undefined ? 200 : 401),
    statuses: [200, 401],
    errors: ['request.not_found', 'auth.rate_limited', 'share.too_many_requests'],
    summary: 'Returns the encrypted files of a SMART Health Link, or where they are.',
  }),
  file: endpoint({
    method: 'GET',
    path: `${HEALTH_LINK_PATH}/files/{location}`,
    access: 'public',
    inShareMode: true,
    anyOrigin: true,
    params: z.object({ location: z.string().max(300) }),
    reply: 'bytes',
    errors: ['request.not_found', 'auth.rate_limited'],
    summary: 'Returns an encrypted file (a JWE) of a SMART Health Link, for an hour after its manifest.',
  }),
} as const;
