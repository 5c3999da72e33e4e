import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Kinds of records that belong to a patient; `params.id` of an endpoint, or the field in `from`, identifies one. Shares
 * have `params.share_id`.
 */
export type Subject =
  | 'patient'
  | 'document'
  | 'trash'
  | 'event'
  | 'lab_result'
  | 'encounter'
  | 'medication'
  | 'vaccination'
  | 'imaging_study'
  | 'share';

/**
 * Rights on a patient's data: read, write, or own (delete the patient); `manage` is for owners and for administrators,
 * who manage the shares of every patient.
 */
export type Need = 'read' | 'write' | 'owner' | 'manage';

/**
 * Who may call an endpoint, checked in one place before the handler runs.
 * - `public`: anyone; `session`: any signed-in user; `editor`: a signed-in user who may edit; `admin`: administrators
 * - `admin-or-self`: administrators, and the user in `params.id`
 * - `{document: 'write'}`: signed in, with that right on the patient of the document in `params.id`
 * - `token`: programs with the API token, and administrators; `unlocked`: the same, with a session of the phone backup
 *   in `params.backup_id`
 * - `viewer`: an imaging viewer on this computer with a token of a user
 * - `recipient`: whoever opened a share; users of the household are nobody there
 * - with `from`, the id is in that field of query or body; no check when the field is optional and missing
 */
export type Access =
  | 'public'
  | 'session'
  | 'editor'
  | 'admin'
  | 'admin-or-self'
  | 'token'
  | 'unlocked'
  | 'viewer'
  | 'recipient'
  | SubjectAccess;
export type SubjectAccess = { [K in Subject]?: Need } & { from?: `query.${string}` | `body.${string}` };

/** Actions of the audit log. */
export const AUDIT_ACTIONS = [
  'login',
  'logout',
  'document.create',
  'document.update',
  'document.delete',
  'document.reprocess',
  'document.download',
  'patient.create',
  'patient.update',
  'patient.delete',
  'settings.update',
  'user.create',
  'user.update',
  'user.delete',
  'user.passkey.create',
  'user.passkey.update',
  'user.passkey.delete',
  'access.grant',
  'access.revoke',
  'http.error',
  'document.translate',
  'document.trial',
  'document.translation_delete',
  'document.link',
  'document.unlink',
  'event.create',
  'event.update',
  'event.delete',
  'event.link',
  'event.unlink',
  'lab_result.create',
  'lab_result.update',
  'lab_result.delete',
  'encounter.create',
  'encounter.update',
  'encounter.delete',
  'medication.create',
  'medication.update',
  'medication.delete',
  'vaccination.create',
  'vaccination.update',
  'vaccination.delete',
  'imaging.download',
  'imaging.link',
  'imaging.unlink',
  'imaging.report',
  'imaging.detach_report',
  'imaging.update',
  'imaging.mark',
  'imaging.unmark',
  'imaging.export',
  'imaging.viewer_access.create',
  'imaging.viewer_access.revoke',
  'imaging.viewer_read',
  'name.update',
  'name.delete',
  'name.merge',
  'name.unmerge',
  'vault.delete',
  'vault.move',
  'vault.verify',
  'vault.switch',
  'vault.lock',
  'vault.encrypt',
  'vault.decrypt',
  'vault.switch_undone',
  'vault.password',
  'vault.recovery_key',
  'vault.keychain_on',
  'vault.keychain_off',
  'backup.create',
  'backup.download',
  'backup.delete',
  'backup.restore',
  'import.create',
  'import.run',
  'import.undo',
  'prompt.update',
  'prompt.reset',
  'session.revoke',
  'setup.complete',
  'token.view',
  'trash.restore',
  'trash.purge',
  'otp_request',
  'otp_verify_ok',
  'otp_verify_fail',
  'view_doc',
  'view_file',
  'view_text',
  'translate',
  'session_expired',
  'view_file_failed',
  'translate_region_done',
  'otp_email_sent',
  'otp_email_failed',
  'otp_email_rate_limited',
  'otp_verify_queued',
  'queue_claim_ok',
  'queue_cancel',
  'share.session.revoke',
  'share.queue.drop',
  'share.create',
  'share.revoke',
  'share.locked',
  'share.reopen',
  'share.link.renew',
  'share.delete',
  'share.documents.add',
  'share.health_link.create',
  'share.health_link.revoke',
  'share.health_link.failed',
  'health_link_open',
  'health_link_file',
  'health_link_wrong_passcode',
  'health_link_locked',
  'share.service.open',
  'share.service.close',
  'share.tunnel.open',
  'share.tunnel.close',
  'share.documents.remove',
  'share.otp.cancel',
  'assistant.allow',
  'assistant.revoke',
  'assistant.read',
  'assistant.refused',
  'ticker.configure',
  'ticker.update',
  'ticker.source',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces: `/api/documents/{id}`. */
  path: string;
  access: Access;
  /** Written to the audit log after success; `params.id` becomes the resource id. */
  audit?: AuditAction;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The request is `multipart/form-data` with one file in this field; with a `body`, it may be JSON instead. */
  file?: string;
  /**
   * A schema that strips unknown fields; `bytes` (ranges, ETag), `live` (server-sent events), `empty` (204) or
   * `redirect` (302).
   */
  reply: z.ZodType | 'bytes' | 'live' | 'empty' | 'redirect';
  /** For a `redirect`: the page that shows a failure, with `?failed=code`; programs get the error itself. */
  failTo?: string;
  /**
   * What a client that accepts `text/event-stream` gets while the reply is made: events `part`, and the reply as the
   * event `reply`. A stream that ends without it has failed.
   */
  parts?: z.ZodType;
  /** HTTP status of success, or a function if it depends on the reply. Default 200. */
  status?: number | ((reply: never) => number);
  /** All values of such a function. Default 200 and 201. */
  statuses?: readonly number[];
  /** Error codes that the handler itself returns, in addition to those implied by `access` and the schemas. */
  errors?: readonly ErrorCode[];
  /** Mounted in share mode as well. */
  inShareMode?: true;
  /**
   * Pages of every origin may call it and read the reply (CORS), because its callers are programs of others. No cookie
   * counts.
   */
  anyOrigin?: true;
  /** Callers with a cookie need no proof of same origin (sign-in and setup, which have no session yet). */
  csrfExempt?: true;
  /** One sentence for the API reference. */
  summary: string;
}

/** The query of an endpoint without parameters. */
export const NO_QUERY = z.strictObject({});

/**
 * Declares an endpoint; the `const` parameter keeps path and schemas literal, so that router and client infer types
 * from it. Its query refuses unknown parameters unless it is declared with a `catchall`.
 */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  const { query } = declaration;
  return query && !query.def.catchall ? { ...declaration, query: query.strict() } : declaration;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Unparsed<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input of a handler. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Parsed<E['body']>;
};

/** The return value of a JSON handler: the wire shape before the schema strips it. */
export type ReplyInput<E extends Endpoint> = E['reply'] extends z.ZodType ? z.input<E['reply']> : undefined;

/** The result for the client. */
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined;

type RequiredArgument<K extends string, V> = V extends undefined ? { [P in K]?: undefined } : { [P in K]: V };
type OptionalArgument<K extends string, V> = V extends undefined ? { [P in K]?: undefined } : { [P in K]?: V };

/** Arguments of a client call: parameters and body are required where declared, the query is optional. */
export type CallArguments<E extends Endpoint> = RequiredArgument<'params', Unparsed<E['params']>> &
  OptionalArgument<'query', Unparsed<E['query']>> &
  RequiredArgument<'body', Unparsed<E['body']>>;
