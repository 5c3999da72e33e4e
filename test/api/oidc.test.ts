import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startLyingService, type LyingService, type Token } from '../fakes/lying-sign-in-service.ts';
import { Client, type Answer } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

const CALLBACK = '/api/auth/oidc/callback';
let served: Served, admin: Client, service: LyingService;

const set = (patch: Record<string, unknown>) => admin.call('PATCH', '/api/settings', patch);
test.beforeAll(async ({ served: core }) => {
  served = core;
  admin = new Client(served.url);
  await admin.setup();
  service = await startLyingService();
  await set({
    oidc_enabled: true,
    oidc_provider_url: service.issuer,
    oidc_client_id: 'hearth',
    oidc_client_secret: 'top secret/+',
  });
});
beforeEach(() => Object.assign(service, { lie: (token: Token) => token, answer: null, userinfo: { sub: 'ada' } }));
afterAll(async () => {
  await service?.close();
});

/** To the service and back, as a browser would walk. */
async function walk(change: { state?: string } = {}): Promise<Answer<{ code?: string }> & { person: Client }> {
  const person = new Client(served.url);
  const away = await person.get('/api/auth/oidc/login?next=/documents');
  expect(away.status).toBe(302);
  const { searchParams } = new URL(away.headers.get('location') ?? '');
  service.nonce = searchParams.get('nonce') ?? '';
  const back = await person.get(`${CALLBACK}?code=x&state=${change.state ?? searchParams.get('state')}`);
  return { ...back, person };
}
const claim =
  (more: Record<string, unknown>) =>
  (token: Token): Token => ({ ...token, claims: { ...token.claims, ...more } });

describe('an identity provider', () => {
  it('is called with PKCE, state, nonce and client authentication', async () => {
    const away = await new Client(served.url).get('/api/auth/oidc/login');
    const { origin, pathname, searchParams } = new URL(away.headers.get('location') ?? '');
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
      `${service.issuer}/authorize`,
      {
        client_id: 'hearth',
        response_type: 'code',
        redirect_uri: served.url + CALLBACK,
        scope: 'openid profile email',
        state: expect.stringMatching(/^[\w-]{40,}$/),
        nonce: expect.stringMatching(/^[\w-]{40,}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      },
    ]);
    expect(away.headers.get('set-cookie')).toMatch(
      /^vault_sign_in=[^;]+; Max-Age=600; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax$/,
    );
    const { status, headers, person } = await walk();
    expect([status, headers.get('location')]).toEqual([302, '/documents']);
    expect(service.asked?.body.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
    expect(service.asked?.body.get('redirect_uri')).toBe(served.url + CALLBACK);
    // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
    expect(Buffer.from(service.asked?.authorization?.replace('Basic ', '') ?? '', 'base64').toString()).toBe(
      'hearth:top+secret%2F%2B',
    );
    person.cookie =
      headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('vault_session='))
        ?.split(';')[0] ?? '';
    expect((await person.get('/api/auth/me')).body).toMatchObject({
      username: 'ada',
      role: 'editor',
      has_password: false,
      has_oidc: true,
    });
  });

  it.each<[string, () => void]>([
    [
      'the nonce of another sign-in',
      () => {
        service.lie = claim({ nonce: 'other' });
      },
    ],
    [
      'no nonce',
      () => {
        service.lie = claim({ nonce: undefined });
      },
    ],
    [
      'a token for another program',
      () => {
        service.lie = claim({ aud: 'another' });
      },
    ],
    [
      'a token of another issuer',
      () => {
        service.lie = claim({ iss: 'https://evil.example' });
      },
    ],
    [
      'a token that has run out',
      () => {
        service.lie = claim({ exp: 1_000_000 });
      },
    ],
    [
      'a token without an end',
      () => {
        service.lie = claim({ exp: undefined });
      },
    ],
    [
      'a token without a person',
      () => {
        service.lie = claim({ sub: undefined });
      },
    ],
    [
      'a token signed with another key',
      () => {
        service.lie = (token) => ({ ...token, key: service.otherKey });
      },
    ],
    [
      'a token signed with an unknown key',
      () => {
        service.lie = (token) => ({ ...token, header: { alg: 'RS256', kid: 'other' }, key: service.otherKey });
      },
    ],
    [
      'a token that is not signed',
      () => {
        service.lie = (token) => ({ ...token, header: { alg: 'none' }, key: null });
      },
    ],
    [
      'details of another person',
      () => {
        service.userinfo = { sub: 'eve', preferred_username: 'ann' };
      },
    ],
    [
      'no ID token',
      () => {
        service.answer = { status: 200, type: 'application/json', body: '{"access_token":"a","token_type":"Bearer"}' };
      },
    ],
  ])('that sends %s logs nobody in', async (_what, prepare) => {
    prepare();
    const { status, body, headers } = await walk();
    expect([status, body.code]).toEqual([401, 'oidc.invalid_token']);
    expect(headers.get('set-cookie')).not.toContain('vault_session');
  });

  it.each<[string, LyingService['answer'], number, string]>([
    [
      'knows the code no more',
      { status: 400, type: 'application/json', body: '{"error":"invalid_grant"}' },
      400,
      'oidc.state_expired',
    ],
    [
      'does not know us',
      {
        status: 401,
        type: 'application/json',
        body: '{"error":"invalid_client","error_description":"<b>secret</b> is wrong"}',
      },
      502,
      'oidc.invalid_client',
    ],
    ['speaks HTML', { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' }, 502, 'oidc.provider_unreachable'],
    [
      'breaks down',
      { status: 500, type: 'text/plain', body: 'at Object.<anonymous> (/srv/app.js)' },
      502,
      'oidc.provider_unreachable',
    ],
    [
      'speaks half a sentence',
      { status: 200, type: 'application/json', body: '{"access_token":' },
      502,
      'oidc.provider_unreachable',
    ],
  ])('that %s has its own error', async (_what, answer, status, code) => {
    service.answer = answer;
    const reply = await walk();
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(JSON.stringify(reply.body)).not.toMatch(/<b>|app\.js|Welcome/);
  });

  it('is rejected without the state of this browser', async () => {
    expect((await walk({ state: 'other' })).body.code).toBe('oidc.state_mismatch');
    const forged = new Client(served.url);
    const state = { state: 'mine', nonce: 'n', verifier: 'v', next: '/', linkUserId: 1 };
    forged.cookie = `vault_sign_in=${Buffer.from(JSON.stringify(state)).toString('base64url')}.x.y`;
    expect((await forged.get(`${CALLBACK}?code=x&state=mine`)).body.code).toBe('oidc.state_mismatch');
  });

  it('never redirects to a foreign page', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const person = new Client(served.url);
      const away = await person.get(`/api/auth/oidc/login?next=${encodeURIComponent(next)}`);
      const { searchParams } = new URL(away.headers.get('location') ?? '');
      service.nonce = searchParams.get('nonce') ?? '';
      expect((await person.get(`${CALLBACK}?code=x&state=${searchParams.get('state')}`)).headers.get('location')).toBe(
        '/',
      );
    }
  });

  it('is rejected when its issuer differs', async () => {
    const { issuer } = service.description;
    service.description['issuer'] = 'https://evil.example';
    await set({ oidc_scopes: 'openid profile' });
    const answer = await new Client(served.url).get('/api/auth/oidc/login');
    expect([answer.status, answer.body.code]).toEqual([502, 'oidc.provider_unreachable']);
    service.description['issuer'] = issuer;
    expect((await walk()).status).toBe(302);
  });

  it('is linked only by a request of our own pages', async () => {
    expect((await new Client(served.url).post('/api/auth/oidc/link')).status).toBe(401);
    expect((await admin.call('POST', '/api/auth/oidc/link', {}, { origin: 'https://evil.example' })).body.code).toBe(
      'request.cross_site',
    );
    expect((await admin.call('DELETE', '/api/auth/oidc/link')).body).toEqual({ ok: true });
    const { headers } = await walk();
    const ada = new Client(served.url);
    ada.cookie =
      headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('vault_session='))
        ?.split(';')[0] ?? '';
    const only = await ada.call('DELETE', '/api/auth/oidc/link');
    expect([only.status, only.body.code]).toEqual([409, 'oidc.no_password']);
  });
});
