import { z } from 'zod';
import { me } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { id, idText, nameText, timestamp } from './wire.ts';

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);
/** At most 1023 bytes (WebAuthn Level 3, 4). */
const credentialId = base64url(1364);
const transports = z.array(z.string().max(30)).max(10);

/** What every answer of an authenticator has. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
};

const passkey = z.object({
  id,
  name: z.string(),
  /** The host name under which the passkey works. */
  rp_id: z.string(),
  /** Whether the passkey is copied between devices, as by a password manager. */
  synced: z.boolean(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type Passkey = z.output<typeof passkey>;

const passkeyParams = z.object({ passkey_id: idText });

/** Sign-in with passkeys (WebAuthn Level 3), beside the password and the sign-in service. */
export const passkeys = {
  available: endpoint({
    method: 'GET',
    path: '/api/auth/passkeys/available',
    access: 'public',
    reply: z.object({ available: z.boolean() }),
    summary: 'Reports whether anybody has a passkey for the host name of this request.',
  }),
  challenge: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/sign-in/options',
    access: 'public',
    reply: z.object({
      challenge: z.string(),
      timeout: z.int(),
      rpId: z.string(),
      userVerification: z.literal('required'),
    }),
    errors: ['passkey.address_without_name'],
    summary: 'Returns a challenge, valid once and for five minutes, as options for `navigator.credentials.get`.',
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/sign-in',
    access: 'public',
    audit: 'login',
    body: z.strictObject({
      ...credential,
      response: z.strictObject({
        clientDataJSON: base64url(4000),
        authenticatorData: base64url(4000),
        signature: base64url(8000),
        userHandle: base64url(100),
      }),
    }),
    reply: me,
    errors: ['passkey.address_without_name', 'passkey.not_accepted', 'auth.rate_limited'],
    summary: 'Signs in with the answer of a passkey and sets the session cookie.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/auth/passkeys',
    access: 'session',
    reply: z.object({ items: z.array(passkey) }),
    summary: 'Lists the passkeys of the caller.',
  }),
  creationOptions: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/options',
    access: 'session',
    body: z.strictObject({ current_password: z.string().max(1000).optional() }),
    reply: z.object({
      challenge: z.string(),
      timeout: z.int(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
      excludeCredentials: z.array(
        z.object({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() }),
      ),
      authenticatorSelection: z.object({
        residentKey: z.literal('required'),
        requireResidentKey: z.literal(true),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
    }),
    errors: ['passkey.address_without_name', 'passkey.too_many', 'password.incorrect', 'auth.rate_limited'],
    summary:
      'Returns a challenge, valid once and for five minutes, as options for `navigator.credentials.create`. An account ' +
      'with a password needs `current_password`.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'session',
    audit: 'user.passkey.create',
    body: z.strictObject({
      name: nameText,
      credential: z.strictObject({
        ...credential,
        response: z.strictObject({
          clientDataJSON: base64url(4000),
          attestationObject: base64url(20_000),
          transports: transports.optional(),
        }),
      }),
    }),
    reply: passkey,
    status: 201,
    errors: ['passkey.address_without_name', 'passkey.not_accepted', 'passkey.already_registered', 'passkey.too_many'],
    summary: 'Stores a new passkey of the caller.',
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/auth/passkeys/{passkey_id}',
    access: 'session',
    audit: 'user.passkey.update',
    params: passkeyParams,
    body: z.strictObject({ name: nameText }),
    reply: passkey,
    errors: ['passkey.not_found'],
    summary: 'Renames a passkey of the caller.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/passkeys/{passkey_id}',
    access: 'session',
    audit: 'user.passkey.delete',
    params: passkeyParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: ['passkey.not_found'],
    summary: 'Removes a passkey of the caller: it no longer signs in.',
  }),
} as const;
