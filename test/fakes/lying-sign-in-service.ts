import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes into an ID token, and which key signs it. */
export interface Token {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  key: KeyObject | null;
}

/** A sign-in service that keeps to the protocol as far as the test lets it. */
export interface LyingService {
  issuer: string;
  /** The nonce that the next ID token must carry to be honest. */
  nonce: string;
  lie: (token: Token) => Token;
  /** The token endpoint's own words instead of tokens. */
  answer: { status: number; type: string; body: string } | null;
  userinfo: Record<string, unknown>;
  description: Record<string, unknown>;
  otherKey: KeyObject;
  /** What the token endpoint was sent last. */
  asked: { body: URLSearchParams; authorization: string | undefined } | null;
  close(): Promise<void>;
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt({ header, claims, key }: Token): string {
  const body = `${base64url(header)}.${base64url(claims)}`;
  return `${body}.${key ? createSign('RSA-SHA256').update(body).sign(key).toString('base64url') : ''}`;
}

export async function startLyingService(): Promise<LyingService> {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ];
  const send = (res: ServerResponse, body: unknown): void =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.url === '/.well-known/openid-configuration') return send(res, service.description);
      if (req.url === '/jwks')
        return send(res, {
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
        });
      if (req.url === '/userinfo') return send(res, service.userinfo);
      service.asked = {
        body: new URLSearchParams(Buffer.concat(chunks).toString()),
        authorization: req.headers.authorization,
      };
      if (service.answer)
        return res.writeHead(service.answer.status, { 'content-type': service.answer.type }).end(service.answer.body);
      const now = Math.floor(Date.now() / 1000);
      const honest: Token = {
        header: { alg: 'RS256', kid: 'own' },
        claims: {
          iss: service.issuer,
          sub: 'ada',
          aud: 'hearth',
          nonce: service.nonce,
          iat: now,
          exp: now + 300,
          preferred_username: 'ada',
        },
        key: own.privateKey,
      };
      send(res, { access_token: 'token', token_type: 'Bearer', id_token: jwt(service.lie(honest)) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: LyingService = {
    issuer,
    nonce: '',
    lie: (token) => token,
    answer: null,
    userinfo: { sub: 'ada' },
    otherKey: other.privateKey,
    asked: null,
    description: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return service;
}
