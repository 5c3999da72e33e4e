import { ERRORS, type ErrorCode } from '../../../src-shared/contract/errors.ts';

/** What a person did wrong or cannot have; crosses the API as `{detail, code}`. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly params: Record<string, string | number>;
  readonly issues: { path: string; message: string }[] | undefined;
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      params?: Record<string, string | number>;
      issues?: { path: string; message: string }[];
      retryAfter?: number;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.params = options.params ?? {};
    this.issues = options.issues;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The English sentence with its data filled in. */
  get detail(): string {
    return ERRORS[this.code].detail.replace(/\{(\w+)\}/g, (_, name: string) => String(this.params[name] ?? ''));
  }
}

/** Makes the error of a code: `throw fail('document.not_found')`. */
export const fail = (code: ErrorCode, params?: Record<string, string | number>, cause?: unknown): Failure =>
  new Failure(code, { ...(params && { params }), cause });

/** Errors of the file system that a person can mend; anything else comes back unchanged. */
export function translateFsError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return fail('server.disk_full', undefined, error);
  if (code === 'EFBIG') return fail('upload.too_large', { limit: 'what the file system of the vault can hold' }, error);
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'SQLITE_READONLY')
    return fail('server.read_only', undefined, error);
  return error;
}
