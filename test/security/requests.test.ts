import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { sendBytes, sendRequest } from '../support/raw-http.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import { serve, type Served } from '../support/serve.ts';

/**
 * The attacks of the security review that held, as tests. What other files prove is not repeated here:
 *
 * | area | file |
 * |---|---|
 * | authorization, each endpoint × nine callers | test/api/access-matrix.test.ts |
 * | ids of others in paths, bodies, queries | test/api/access-references.test.ts, access-to-names-and-lists.test.ts |
 * | own account, roles, deleted users | test/api/users.test.ts |
 * | live stream after sign-out | test/api/security.test.ts |
 * | CSRF by Origin, rebinding by Host, malformed requests | test/api/security-requests.test.ts; more forms here |
 * | forged session cookies, guesses at passwords | test/api/security.test.ts, sign-in.test.ts |
 * | OpenID Connect | test/api/oidc.test.ts, test/e2e/oidc.test.ts, providers.test.ts |
 * | paths and links | test/api/security.test.ts, vault-tree.test.ts; more spellings in content.test.ts |
 * | archives, restore | archives.test.ts, restore.test.ts, test/api/bad-input-archives-and-images.test.ts |
 * | file content, images, PDFs | test/api/bad-input-files.test.ts, bombs.test.ts; HTML and scripts in content.test.ts |
 * | injection into parameters | test/api/contract.test.ts; search in content.test.ts |
 * | slow requests, connections, headers of refusals | slow-requests.test.ts |
 * | phone service | test/phone-backups/service.test.ts; other places for its token in content.test.ts |
 * | share mode | test/api/share-mode.test.ts |
 * | service for recipients of shares | shares.test.ts, shares-codes.test.ts, shares-timing.deep.test.ts |
 */

let served: Served, household: Household, port: number, phonePort: number;
const it = test.override('serveOptions', WITHOUT_INBOX);
it.beforeAll(async ({ served: core, household: records }) => {
  served = core;
  household = records;
  [port = 0, phonePort = 0] = [served.url, served.backupsUrl].map((url) => Number(new URL(url).port));
});

const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1] ?? 0);
const changes = (): unknown => household.db.prepare('SELECT count(*) FROM patients').pluck().get();

describe('a foreign host name', () => {
  const HOSTS = [
    'evil.example:8070',
    'LOCALHOST.evil.example',
    'localhost@evil.example',
    'evil.example#127.0.0.1',
    'evil.example?127.0.0.1',
    'evil.example/127.0.0.1',
    'evil.example\\127.0.0.1',
    '127.0.0.1,evil.example',
    '127.0.0.1%2eevil.example',
    '127.0.0.1.',
    '127.1',
    '127.0.0.2',
    '0.0.0.0',
    '0',
    '017700000001',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    'localhost:80:80',
    'localhost:',
    'localhost:port',
    'localhost:123456',
    '“localhost”',
  ];

  it.for(HOSTS)('%s is refused by both listeners', async (host) => {
    for (const to of [port, phonePort])
      for (const line of ['GET /health HTTP/1.1', 'GET /healthz HTTP/1.1', 'GET /api/auth/me HTTP/1.1']) {
        const cookie = `Cookie: ${household.as('owner').cookie}`;
        const reply = await sendBytes(to, `${line}\r\nHost: ${host}\r\n${cookie}\r\nConnection: close\r\n\r\n`);
        expect([line, [400, 421].includes(statusOf(reply))]).toEqual([line, true]);
        expect(reply).not.toMatch(/"status":|owner-user/);
      }
  });

  it.for([
    'GET http://evil.example/api/auth/me HTTP/1.1',
    'GET //evil.example/api/auth/me HTTP/1.1',
    'GET /\\evil.example/api/auth/me HTTP/1.1',
    'GET * HTTP/1.1',
    'GET api/auth/me HTTP/1.1',
    'GET /api/auth/me HTTP/1.0',
    'CONNECT 127.0.0.1:22 HTTP/1.1',
    'TRACE /api/auth/me HTTP/1.1',
    'PRI * HTTP/2.0',
    'GET /api/auth/me HTTP/9.9',
    'get /api/auth/me HTTP/1.1',
  ])('is refused with the request line “%s”', async (line) => {
    const cookie = `Cookie: ${household.as('owner').cookie}`;
    const reply = await sendBytes(port, `${line}\r\nHost: evil.example\r\n${cookie}\r\nConnection: close\r\n\r\n`);
    expect([0, 400, 404, 405, 421, 505]).toContain(statusOf(reply));
    expect(reply).not.toContain('owner-user');
  });
});

describe('a smuggled request', () => {
  const hidden = (cookie: string): string =>
    `DELETE /api/patients/${household.otherPatient} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Requested-With: XMLHttpRequest\r\n` +
    `Cookie: ${cookie}\r\n\r\n`;

  it.for<[string, (body: string) => string]>([
    [
      'length and chunks',
      (body) => `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${body}`,
    ],
    ['two lengths', (body) => `Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a folded encoding', (body) => `Transfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${body}`],
    ['an unknown encoding', (body) => `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${body}`],
    ['an endless chunk size', (body) => `Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n${body}`],
    ['a bare line feed', (body) => `Content-Length: 0\nX: y\n\n${body}`],
  ])('behind %s is not carried out', async ([, rest]) => {
    const body = hidden(household.as('other').cookie);
    const head = `POST /api/auth/logout HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Requested-With: XMLHttpRequest\r\n`;
    const before = changes();
    expect(statusOf(await sendBytes(port, head + rest(body)))).toBeGreaterThanOrEqual(400);
    expect(changes()).toBe(before);
  });
});

describe('a page of another site', () => {
  const form = (type: string) => ({ 'content-type': type, cookie: household.as('owner').cookie });
  const body = JSON.stringify({ display_name: 'Foreign' });
  const FORMS: [string, () => Record<string, string>][] = [
    ['an empty origin', () => ({ ...form('application/json'), origin: '' })],
    ['a doubled origin', () => ({ ...form('application/json'), origin: 'http://127.0.0.1, http://evil.example' })],
    ['an origin with a user', () => ({ ...form('application/json'), origin: `http://127.0.0.1:${port}@evil.example` })],
    ['the name localhost for 127.0.0.1', () => ({ ...form('application/json'), origin: `http://localhost:${port}` })],
    ['a page of this computer', () => ({ ...form('application/json'), origin: 'file://' })],
    ['a method override', () => ({ ...form('text/plain'), 'x-http-method-override': 'PUT' })],
    ['text that is JSON', () => ({ ...form('text/plain;application/json') })],
    ['a form', () => ({ ...form('application/x-www-form-urlencoded') })],
    ['no content type', () => ({ cookie: household.as('owner').cookie })],
    ['same-site', () => ({ ...form('application/json'), 'sec-fetch-site': 'same-site' })],
    [
      'a navigation',
      () => ({ ...form('application/json'), 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    ],
  ];

  it.for(FORMS)('changes nothing with %s', async ([, headers]) => {
    const before = changes();
    for (const more of [{}, { 'x-requested-with': '' }] as Record<string, string>[]) {
      const reply = await sendRequest(port, 'POST', '/api/patients', { ...headers(), ...more }, body);
      expect([400, 403]).toContain(reply.status);
    }
    expect(changes()).toBe(before);
  });

  it('changes nothing by GET, by a method in the address or in a form field', async () => {
    const before = changes();
    const { cookie } = household.as('other');
    const path = `/api/patients/${household.otherPatient}`;
    for (const query of ['?_method=DELETE', '?method=delete', ''])
      expect((await sendRequest(port, 'GET', path + query, { cookie })).status).toBeLessThan(500);
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await sendRequest(port, 'POST', path, headers, '_method=DELETE')).status).toBeGreaterThanOrEqual(400);
    expect(changes()).toBe(before);
  });

  it('uploads no file by a form', async () => {
    const documents = (): unknown => household.db.prepare('SELECT count(*) FROM documents').pluck().get();
    const before = documents();
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\r\n--b--\r\n';
    const path = `/api/documents/upload?patient_id=${household.patient}`;
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const headers = { ...form('multipart/form-data; boundary=b'), ...(origin !== undefined && { origin }) };
      expect((await sendRequest(port, 'POST', path, headers, part)).code).toBe('request.cross_site');
    }
    expect(documents()).toBe(before);
  });
});

describe('cookies', () => {
  it('of one purpose are worth nothing for another, and doubled ones give no more', async () => {
    const { cookie } = household.as('owner');
    const value = cookie.split('=')[1] ?? '';
    const login = await fetch(`${served.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ann', password: 'correct horse battery' }),
    });
    const device = login.headers.getSetCookie().find((one) => one.startsWith('vault_device=')) ?? '';
    const refused = [
      `vault_session=${device.split(/[=;]/)[1]}`,
      `vault_sign_in=${value}`,
      `vault_device=${value}`,
      `vault_session=junk; vault_session=${value}`,
      `vault_session="${value}x"`,
      `Vault_Session=${value}`,
      `vault_session=${'x'.repeat(10_000)}`,
    ];
    for (const one of refused)
      expect([one.slice(0, 30), (await sendRequest(port, 'GET', '/api/auth/me', { cookie: one })).status]).toEqual([
        one.slice(0, 30),
        401,
      ]);
    expect((await sendRequest(port, 'GET', '/api/auth/me', { cookie })).status).toBe(200);
  });
});

describe('the first start', () => {
  it('makes one administrator, whoever else tries at the same time or later', async () => {
    const fresh = await serve(WITHOUT_INBOX);
    try {
      const setUp = (n: number) =>
        new Client(fresh.url).post('/api/setup/complete', {
          username: `admin${n}`,
          password: 'correct horse battery',
          patient_name: `Patient ${n}`,
        });
      const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => setUp(n)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(400)].sort());
      expect((await setUp(99)).body.code).toBe('setup.already_completed');
    } finally {
      await fresh.remove();
    }
  });
});

it('Hearth serves on after connections that say nothing or break off', async () => {
  const sockets = Array.from({ length: 200 }, (_, n) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(n % 2 === 0 ? 'POST /api/auth/login HTTP/1.1\r\nHost: 127' : '');
    return socket;
  });
  expect((await sendRequest(port, 'GET', '/health')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect((await sendRequest(port, 'GET', '/health')).status).toBe(200);
});
