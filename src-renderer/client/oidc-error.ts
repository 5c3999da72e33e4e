import { ERRORS, type ErrorCode } from '../../src-shared/contract/errors.ts';
import { ApiError } from './api.ts';

/** Why the sign-in service's way ended here, from the address: `?failed=oidc.name_taken&name=ada`. Null for what is no code of ours. */
export function failureIn({
  failed,
  ...data
}: {
  failed?: string | undefined;
  claim?: string | undefined;
  name?: string | undefined;
}): ApiError | null {
  if (failed === undefined || !Object.hasOwn(ERRORS, failed)) return null;
  const { status, detail } = ERRORS[failed as ErrorCode];
  const values: Record<string, string | undefined> = data;
  return new ApiError(
    status,
    failed as ErrorCode,
    detail.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '?'),
  );
}
