import { expect, it } from 'vitest';
import { loginAfter, newDevice } from './network-device.ts';

it.each([
  [{ brightness: 20 }, 'admin', 'before'],
  [{ auth: { user: 'Łucja' } }, 'Łucja', 'before'],
  [{ auth: { user: 'Łucja', pass: 'from now on' } }, 'Łucja', 'from now on'],
  // An empty password keeps the stored one.
  [{ auth: { pass: '' } }, 'admin', 'before'],
])(
  'after %j was written, a device is asked by the user and with the password that it has now',
  (document, ...login) => {
    expect(Object.values(loginAfter(document, newDevice('192.168.1.20', 'before')))).toEqual(login);
  },
);
