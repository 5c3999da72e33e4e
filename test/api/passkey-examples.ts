import { at, type Make } from './example-makers.ts';

const WITHOUT_NAME = 'passkey.address_without_name';
const CREDENTIAL = { id: 'YWJj', rawId: 'YWJj', type: 'public-key' };

/** Calls about passkeys. They name the address 127.0.0.1, for which browsers make none; passkeys.test.ts uses a name. */
export const PASSKEY_EXAMPLES: Record<string, Make> = {
  'GET /api/auth/passkeys/available': at('/api/auth/passkeys/available'),
  'POST /api/auth/passkeys/sign-in/options': () => ({
    path: '/api/auth/passkeys/sign-in/options',
    answers: WITHOUT_NAME,
  }),
  'POST /api/auth/passkeys/sign-in': () => ({
    path: '/api/auth/passkeys/sign-in',
    body: {
      ...CREDENTIAL,
      response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
    },
    answers: WITHOUT_NAME,
  }),
  'GET /api/auth/passkeys': at('/api/auth/passkeys'),
  'POST /api/auth/passkeys/options': () => ({
    path: '/api/auth/passkeys/options',
    body: { current_password: 'correct horse battery' },
    answers: WITHOUT_NAME,
  }),
  'POST /api/auth/passkeys': () => ({
    path: '/api/auth/passkeys',
    body: {
      name: 'Laptop',
      credential: {
        ...CREDENTIAL,
        response: { clientDataJSON: 'e30', attestationObject: 'AAAA', transports: ['usb'] },
      },
    },
    answers: WITHOUT_NAME,
  }),
  'PATCH /api/auth/passkeys/{passkey_id}': ({ make }) => ({
    path: `/api/auth/passkeys/${make.passkey()}`,
    body: { name: 'Phone' },
  }),
  'DELETE /api/auth/passkeys/{passkey_id}': ({ make }) => ({ path: `/api/auth/passkeys/${make.passkey()}` }),
};
