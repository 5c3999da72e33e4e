import { ERRORS } from '../../src-shared/contract/error-codes.ts';
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
  if (failed === undefined || !Object.hasOwn(ERRORS, failed)) return null;
  const code = failed as ErrorCode;
  return new ApiError(ERRORS[code].status, code, { claim, name });
}
