import { ERROR_STATUSES } from '../../src-shared/contract/generated/error-statuses.ts';
import type { ErrorCode } from '../../src-shared/contract/errors.ts';
import { ApiError } from './api.ts';

/** The sign-in error in the URL, such as `?failed=oidc.name_taken&name=ada`; null for an unknown code. */
export function oidcError({
  failed,
  claim = '?',
  name = '?',
}: {
  failed?: string | undefined;
  claim?: string | undefined;
  name?: string | undefined;
}): ApiError | null {
  if (failed === undefined || !Object.hasOwn(ERROR_STATUSES, failed)) return null;
  const code = failed as ErrorCode;
  return new ApiError(ERROR_STATUSES[code], code, { claim, name });
}
