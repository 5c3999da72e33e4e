import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { ApiError } from '../../client/api.ts';

/** Who asks a device; in memory only. */
export interface DeviceLogin {
  user: string;
  password: string;
}

/** A device that the page asks. */
export interface NetworkDevice extends DeviceLogin {
  address: string;
}

/** A device that was not asked yet, with the user that the firmware has at first. */
export const newDevice = (address: string, password = ''): NetworkDevice => ({ address, user: 'admin', password });

/** What a device asks for after these settings were written: the user or password among them, otherwise as before. */
export function loginAfter(document: object, { user, password }: DeviceLogin): DeviceLogin {
  const [newUser, newPassword] = [valueAt(document, 'auth.user'), valueAt(document, 'auth.pass')];
  return {
    user: typeof newUser === 'string' ? newUser : user,
    password: typeof newPassword === 'string' && newPassword !== '' ? newPassword : password,
  };
}

/** A failed call as the page words failures. */
export function referenceOf(error: unknown): ErrorReference | null {
  if (error === null) return null;
  return error instanceof ApiError && error.code !== 'network'
    ? ({ code: error.code, params: error.params } as ErrorReference)
    : { code: 'ticker.device_silent' };
}
