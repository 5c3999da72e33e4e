import { ERROR_STATUSES } from '../../src-shared/contract/generated/error-statuses.ts';
import type { ErrorCode } from '../../src-shared/contract/errors.ts';
import { ApiError } from './api.ts';

/**
 * An error code that was stored, as the error that a call would have thrown; `otherwise` for a code of another
 * version.
 */
export function storedFailure(code: string, otherwise: ErrorCode): ApiError {
  const known = Object.hasOwn(ERROR_STATUSES, code) ? (code as ErrorCode) : otherwise;
  return new ApiError(ERROR_STATUSES[known], known);
}
