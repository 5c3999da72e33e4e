import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Kinds of records that belong to a patient; `params.id` of an endpoint, or the field in `from`, identifies one. */
export type Subject =
  | 'patient'
  | 'document'
  | 'trash'
  | 'event'
  | 'lab_result'
  | 'encounter'
  | 'medication'
  | 'vaccination';

/** Rights on a patient's data: read, write, or own (share, delete the patient). */
export type Need = 'read' | 'write' | 'owner';

/**
 * Who may call an endpoint, checked in one place before the handler runs.
 * - `public`: anyone; `session`: any signed-in user; `editor`: a signed-in user who may edit; `admin`: administrators
 * - `admin-or-self`: administrators, and the user in `params.id`
 * - `{document: 'write'}`: signed in, with that right on the patient of the document in `params.id`
 * - `token`: programs with the API token, and administrators; `unlocked`: the same, with a session of the phone backup
 *   in `params.backup_id`
 * - with `from`, the id is in that field of query or body; no check when the field is optional and missing
 */
export type Access = 'public' | 'session' | 'editor' | 'admin' | 'admin-or-self' | 'token' | 'unlocked' | SubjectAccess;
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
  'access.grant',
  'access.revoke',
  'http.error',
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
  'name.update',
  'name.delete',
  'name.merge',
  'name.unmerge',
  'vault.delete',
  'vault.move',
  'vault.verify',
  'backup.create',
  'backup.download',
  'backup.delete',
  'backup.restore',
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
  'translate',
  'session_expired',
  'share.session.revoke',
  'share.queue.drop',
  'share.create',
  'share.revoke',
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
  /** The request is `multipart/form-data` with one file in this field. */
  file?: string;
  /**
   * A schema that strips unknown fields; `bytes` (ranges, ETag), `live` (server-sent events), `empty` (204) or
   * `redirect` (302).
   */
  reply: z.ZodType | 'bytes' | 'live' | 'empty' | 'redirect';
  /** For a `redirect`: the page that shows a failure, with `?failed=code`; programs get the error itself. */
  failTo?: string;
  /** HTTP status of success, or a function if it depends on the reply. Default 200. */
  status?: number | ((reply: never) => number);
  /** Error codes that the handler itself returns, in addition to those implied by `access` and the schemas. */
  errors?: readonly ErrorCode[];
  /** Mounted in share mode as well. */
  inShareMode?: true;
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
