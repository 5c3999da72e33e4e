import { fillIn, type AnyErrorParams } from '../../../src-shared/contract/error-text.ts';
import { ERRORS, type ErrorBody, type ErrorCode, type ErrorParams } from '../../../src-shared/contract/errors.ts';
import type { FieldError } from '../../../src-shared/contract/field-errors.ts';

/** Parameters that never contain personal data. A name, an entry or an extension in a file name may. */
const LOGGABLE_PARAMS = new Set(['limit', 'minutes', 'page', 'pages', 'megapixels', 'field', 'claim', 'actual']);

/** An expected error; the API sends it as `{detail, code}`. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly params: AnyErrorParams;
  readonly issues: FieldError[] | undefined;
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      params?: AnyErrorParams;
      issues?: FieldError[];
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

  /** The English text with its parameters filled in. */
  get detail(): string {
    return fillIn(ERRORS[this.code].detail, this.params);
  }

  /** The parameters without personal data. */
  get loggableParams(): AnyErrorParams {
    return Object.fromEntries(Object.entries(this.params).filter(([name]) => LOGGABLE_PARAMS.has(name)));
  }

  /** Code and English text without personal data, for logs and the terminal. */
  get description(): string {
    const hidden = Object.fromEntries(Object.keys(this.params).map((name) => [name, '…']));
    return `${fillIn(ERRORS[this.code].detail, { ...hidden, ...this.loggableParams })} (${this.code})`;
  }

  /** What is sent to the client: code, text and data, never a stack, path or statement. */
  get body(): ErrorBody {
    const { detail, code, params, issues } = this;
    return { detail, code, ...(Object.keys(params).length > 0 && { params }), ...(issues && { issues }) };
  }
}

/** The arguments of `fail` after the code: the parameters of its text, if any, and the cause. */
type FailArguments<Code extends ErrorCode> = [keyof ErrorParams<Code>] extends [never]
  ? [params?: undefined, cause?: unknown]
  : [params: ErrorParams<Code>, cause?: unknown];

/** Creates the error of a code: `throw fail('document.page_not_found', { page: 3 })`. */
export const fail = <Code extends ErrorCode>(code: Code, ...[params, cause]: FailArguments<Code>): Failure =>
  new Failure(code, { ...(params && { params }), cause });

/** Translates file-system errors that users can fix; returns any other error unchanged. */
export function translateFsError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return fail('server.disk_full', undefined, error);
  if (code === 'EFBIG') return fail('upload.too_large_for_disk', undefined, error);
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'SQLITE_READONLY')
    return fail('server.read_only', undefined, error);
  return error;
}
