import { ERRORS } from '../../src-shared/contract/error-codes.ts';
import type { ErrorCode } from '../../src-shared/contract/errors.ts';
import { ApiError } from './api.ts';

/**
 * An error code that was stored, as the error that a call would have thrown; `otherwise` for a code of another
 * version.
 */
export function storedFailure(code: string, otherwise: ErrorCode): ApiError {
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : otherwise;
  return new ApiError(ERRORS[known].status, known);
}
