import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * A real OpenID Connect provider on loopback: any name signs in with any password. What it says of people is the test's
 * to choose.
 */
export interface SignInService {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claims by the name that was typed. */
  people: Record<string, Record<string, unknown>>;
  /** How long a code is good for, in seconds. */
  codeSeconds: number;
  close(): Promise<void>;
}

export async function startSignInService(redirectUri: string): Promise<SignInService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: SignInService = {
    issuer,
    clientId: 'hearth',
    clientSecret: 'the-secret-of-hearth',
    people: {},
    codeSeconds: 60,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: service.clientId,
        client_secret: service.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email'] },
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
    ttl: {
      AuthorizationCode: () => service.codeSeconds,
      AccessToken: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, ...service.people[sub] }),
    }),
  });
  server.on('request', provider.callback());
  return service;
}
