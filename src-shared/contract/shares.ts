import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorReference } from './errors.ts';
import { flagText, freeText, id, idText, nameText, shownText, timestamp } from './wire.ts';
import { listedDocument } from './share.ts';
import { tunnel } from './tunnel.ts';
import { MAX_SHARED_DOCUMENTS, SHARE_DAYS, TRIAL_MINUTES } from './share-limits.ts';

export { MAX_SHARED_DOCUMENTS, SHARE_DAYS, CODE_MINUTES, IDLE_MINUTES } from './share-limits.ts';

/** What happens to a share outside of the service itself; the audit trail of a share lists these actions. */
export const SHARE_ACTIONS = [
  'otp_request',
  'otp_email_sent',
  'otp_email_failed',
  'otp_email_rate_limited',
  'otp_verify_ok',
  'otp_verify_fail',
  'otp_verify_queued',
  'queue_claim_ok',
  'queue_cancel',
  'view_doc',
  'view_file',
  'view_text',
  'view_file_failed',
  'translate',
  'translate_region_done',
  'logout',
  'session_expired',
  'share.locked',
  'share.session.revoke',
  'share.queue.drop',
  'share.create',
  'share.revoke',
  'share.reopen',
  'share.link.renew',
  'share.documents.add',
  'share.health_link.create',
  'share.health_link.revoke',
  'share.health_link.failed',
  'health_link_open',
  'health_link_file',
  'health_link_wrong_passcode',
  'health_link_locked',
  'share.documents.remove',
  'share.otp.cancel',
] as const;
export type ShareAction = (typeof SHARE_ACTIONS)[number];

export const otpDelivery = z.enum(['manual', 'email']);
/** `locked` shares refuse new codes after too many wrong ones, until they are reopened. */
export const shareStatus = z.enum(['active', 'locked', 'expired', 'revoked']);
export type ShareStatus = z.output<typeof shareStatus>;

/** `waiting`: starts with the next share; `failed`: its port is taken. */
export const shareListenerState = z.enum(['running', 'waiting', 'off', 'failed']);
export type ShareListenerState = z.output<typeof shareListenerState>;

const shareId = z.string().max(100);
const shareParams = z.object({ share_id: shareId });
const rowParams = shareParams.extend({ rowid: idText });
const text = z.string().nullable();

const share = z.object({
  share_id: shareId,
  /** The same as `share_id`. */
  id: shareId,
  /** Null if this computer lacks the key of the vault's links. */
  share_url: text,
  /** The link that was given out has an address under which this computer is not reached any more. */
  link_moved: z.boolean(),
  patient_id: id,
  patient_name: z.string(),
  recipient_label: z.string(),
  recipient_contact: text,
  contact_kind: z.enum(['email', 'phone', 'other']).nullable(),
  otp_delivery: otpDelivery,
  default_ocr_provider_id: text,
  default_llm_provider_id: text,
  status: shareStatus,
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
  created_at: timestamp,
  created_by: id.nullable(),
  created_by_username: text,
  document_count: z.int(),
  document_ids: z.array(id),
  active_session_count: z.int(),
  queued_count: z.int(),
  /** A code waits to be read aloud. */
  has_live_code: z.boolean(),
  /** How often a code opened the share. */
  access_count: z.int(),
  last_accessed_at: timestamp.nullable(),
});
export type Share = z.output<typeof share>;

const activeOtp = z.object({ code: z.string(), expires_at: timestamp, attempts: z.int() }).nullable();
const shareEvent = z.object({
  id,
  action: z.enum(SHARE_ACTIONS),
  document_id: id.nullable(),
  /** The row of the session, never what its cookie contains. */
  session_id: id.nullable(),
  client_ip: text,
  user_agent: text,
  details: z.record(z.string(), z.unknown()).nullable(),
  created_at: timestamp,
});
export type ShareEvent = z.output<typeof shareEvent>;

const seat = z.object({
  rowid: id,
  share_id: shareId,
  created_at: timestamp,
  expires_at: timestamp,
  client_ip: text,
  user_agent: text,
});
const listener = z.object({
  state: shareListenerState,
  port: z.int(),
  /** Address on this computer; null while it does not run. */
  url: text,
  /** Where links lead. */
  public_url: z.string(),
  tunnel,
  /** Until when it runs without an open share; null if it does not. */
  trial_until: timestamp.nullable(),
});
export type ShareService = z.output<typeof listener>;
const ok = z.object({ ok: z.literal(true) });
const manage = { share: 'manage' } as const;
const documentIds = z.array(id).min(1).max(MAX_SHARED_DOCUMENTS);
const documentIdsText = z
  .string()
  .max(MAX_SHARED_DOCUMENTS * 17)
  .transform((ids) => ids.split(','))
  .pipe(z.array(idText).min(1).max(MAX_SHARED_DOCUMENTS));
const providerId = freeText(100).nullish();

export const shares = {
  create: endpoint({
    method: 'POST',
    path: '/api/shares',
    access: { patient: 'manage', from: 'body.patient_id' },
    audit: 'share.create',
    body: z.strictObject({
      patient_id: id,
      document_ids: documentIds,
      recipient_label: nameText,
      recipient_contact: shownText(200)
        .transform((contact) => contact.trim() || null)
        .nullish(),
      otp_delivery: otpDelivery.default('manual'),
      expires_in_days: z.int().min(SHARE_DAYS.min).max(SHARE_DAYS.max).default(SHARE_DAYS.usual),
      default_ocr_provider_id: providerId,
      default_llm_provider_id: providerId,
    }),
    reply: z.object({ share_id: shareId, id: shareId, share_url: z.string(), expires_at: timestamp }),
    status: 201,
    errors: [
      'share.documents_not_shareable',
      'share.email_not_set_up',
      'share.email_invalid',
      'share.name_not_printable',
      'share.watermark_failed',
    ],
    summary:
      'Shares documents of one patient with a recipient outside the household. Administrators may share the documents ' +
      'of every patient, others those of patients whom they own.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/shares',
    access: 'session',
    query: z.object({ patient_id: idText.optional() }),
    reply: z.array(share),
    summary: 'Lists shares, newest first: all for administrators, others see those of patients whom they own.',
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/api/shares/delivery',
    access: 'editor',
    reply: z.object({
      email: z.boolean(),
      translation: z.object({
        /** A model of this computer or its network translates for recipients. */
        home: z.boolean(),
        /** Models on the internet that a share may name; only then do recipients have them translate. */
        services: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    }),
    summary:
      'Tells whether codes can be sent by e-mail, which needs a mail server in the settings, and which models may ' +
      'translate for recipients.',
  }),
  unopenable: endpoint({
    method: 'GET',
    path: '/api/shares/unopenable',
    access: { patient: 'manage', from: 'query.patient_id' },
    query: z.object({ patient_id: idText, document_ids: documentIdsText }),
    reply: z.array(z.object({ document_id: id, failure: errorReference })),
    errors: ['share.documents_not_shareable'],
    summary:
      'Opens the files of documents as for a recipient, and returns those that nobody can be shown, such as files that ' +
      'need a password, with the reason.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}',
    access: manage,
    audit: 'share.revoke',
    params: shareParams,
    reply: ok,
    summary: 'Ends a share with all its sessions and the queue, at once. Revoking it again changes nothing.',
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/shares/{share_id}/reopen',
    access: manage,
    audit: 'share.reopen',
    params: shareParams,
    reply: share,
    errors: ['share.ended'],
    summary: 'Opens a share again that wrong codes have locked, and forgets these codes.',
  }),
  renewLink: endpoint({
    method: 'POST',
    path: '/api/shares/{share_id}/link',
    access: manage,
    audit: 'share.link.renew',
    params: shareParams,
    reply: share,
    errors: ['share.ended'],
    summary:
      'Notes that the recipient gets the link with the address of now, because that of the former one has changed. ' +
      'Otherwise nothing changes.',
  }),
  purge: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/purge',
    access: manage,
    audit: 'share.delete',
    params: shareParams,
    reply: ok,
    summary: 'Ends a share and deletes it with its audit trail; the audit log of the household is kept.',
  }),
  audit: endpoint({
    method: 'GET',
    path: '/api/shares/{share_id}/audit',
    access: manage,
    params: shareParams,
    query: z.object({ include_active_otp: flagText }),
    reply: z.object({
      share,
      audit: z.array(shareEvent),
      /** The same as `audit`. */
      events: z.array(shareEvent),
      active_otp: activeOtp.optional(),
    }),
    summary: 'Returns what happened to a share, newest first and at most 1,000 events; on request with the live code.',
  }),
  activeOtp: endpoint({
    method: 'GET',
    path: '/api/shares/{share_id}/active-otp',
    access: manage,
    params: shareParams,
    reply: z.object({ active_otp: activeOtp }),
    summary: 'Returns the live code of a share, to be read aloud; null without one, and for codes sent by e-mail.',
  }),
  cancelCode: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/active-otp',
    access: manage,
    audit: 'share.otp.cancel',
    params: shareParams,
    reply: z.object({ cancelled: z.boolean() }),
    summary:
      'Makes the live code of a share invalid, also one that was sent by e-mail; recipients may request another one. ' +
      'Without a live code, nothing changes.',
  }),
  documents: endpoint({
    method: 'GET',
    path: '/api/shares/{share_id}/documents',
    // Words of the record, so an administrator needs access to the patient as everywhere else.
    access: { share: 'owner' },
    params: shareParams,
    reply: z.array(listedDocument),
    summary: 'Returns the documents as the recipient sees them.',
  }),
  addDocuments: endpoint({
    method: 'POST',
    path: '/api/shares/{share_id}/documents',
    access: manage,
    audit: 'share.documents.add',
    params: shareParams,
    body: z.strictObject({ document_ids: documentIds }),
    reply: share,
    errors: ['share.documents_not_shareable', 'share.too_many_documents', 'share.ended'],
    summary: 'Adds documents of the same patient to a share.',
  }),
  removeDocument: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/documents/{document_id}',
    access: manage,
    audit: 'share.documents.remove',
    params: shareParams.extend({ document_id: idText }),
    reply: share,
    errors: ['share.ended'],
    summary:
      'Takes a document out of a share at once, also while a recipient reads it; the document itself stays. One that ' +
      'is not in the share changes nothing.',
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/shares/{share_id}/sessions',
    access: manage,
    params: shareParams,
    reply: z.object({
      active: z.array(seat.extend({ last_seen_at: timestamp, is_idle: z.boolean() })),
      queued: z.array(seat.extend({ queue_expires_at: timestamp })),
    }),
    summary: 'Returns who has the share open and who waits; the seat of an idle session can be taken by others.',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/sessions/{rowid}',
    access: manage,
    audit: 'share.session.revoke',
    params: rowParams,
    reply: z.object({ revoked: z.boolean() }),
    summary: 'Ends the session of a recipient at once; one that has ended is not changed.',
  }),
  dropWaiter: endpoint({
    method: 'DELETE',
    path: '/api/shares/{share_id}/queue/{rowid}',
    access: manage,
    audit: 'share.queue.drop',
    params: rowParams,
    reply: z.object({ deleted: z.boolean() }),
    summary: 'Removes somebody from the queue of a share.',
  }),
  listener: endpoint({
    method: 'GET',
    path: '/api/shares/listener',
    access: 'editor',
    reply: listener,
    summary:
      'Reports whether the service for recipients runs, and under which addresses. Whoever manages no open share ' +
      'gets what the settings say.',
  }),
  closeService: endpoint({
    method: 'DELETE',
    path: '/api/shares/listener',
    access: 'admin',
    audit: 'share.service.close',
    reply: z.object({
      /** Sessions of recipients that were ended, and places in queues. */
      sessions: z.int(),
      waiting: z.int(),
      /** The public address that was closed; null if none was open. */
      address: text,
    }),
    summary: 'Ends the tunnel, all sessions of recipients and the service, until it is turned on. Shares stay.',
  }),
  openService: endpoint({
    method: 'POST',
    path: '/api/shares/listener',
    access: 'admin',
    audit: 'share.service.open',
    reply: listener,
    summary:
      `Turns the service on, for ${TRIAL_MINUTES} minutes also without an open share. A tunnel that failed is tried ` +
      'again.',
  }),
} as const;
