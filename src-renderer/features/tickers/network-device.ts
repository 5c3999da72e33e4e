import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { ApiError } from '../../client/api.ts';

/** A device that the page asks; the password is in memory only. */
export interface NetworkDevice {
  address: string;
  password: string;
}

/** A failed call as the page words failures. */
export function referenceOf(error: unknown): ErrorReference | null {
  if (error === null) return null;
  return error instanceof ApiError && error.code !== 'network'
    ? ({ code: error.code, params: error.params } as ErrorReference)
    : { code: 'ticker.device_silent' };
}
