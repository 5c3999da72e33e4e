import { describe, expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import { sendBytes, sendRequest, type RawReply } from '../support/raw-http.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served, household: Household, port: number;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ served: core, household: records }) => {
  served = core;
  household = records;
  port = Number(new URL(served.url).port);
});

type RequestArguments = Parameters<typeof sendRequest> extends [number, ...infer Rest] ? Rest : never;
const ask = (...rest: RequestArguments): Promise<RawReply> => sendRequest(port, ...rest);

const raw = (bytes: string): Promise<string> => sendBytes(port, bytes);

const patientBody = (name: string): string => JSON.stringify({ display_name: name });

const patients = (): number => household.db.prepare('SELECT count(*) FROM patients').pluck().get() as number;

describe('a foreign name (DNS rebinding)', () => {
  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1 evil.example',
    '[::1].evil.example',
    '0x7f.1',
    '2130706433',
    'localhost.',
  ])('“%s” is rejected everywhere', async (host) => {
    for (const path of ['/', '/health', '/api/auth/me', '/assets/x.js', '/api/pipeline/events']) {
      const reply = await ask('GET', path, { host, cookie: household.as('owner').cookie });
      expect([400, 421], `${host} ${path}`).toContain(reply.status);
      expect(reply.text).not.toContain('owner-user');
    }
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('“%s” is this computer', async (host) => {
    expect((await ask('GET', '/health', { host: `${host}:${port}` })).status).toBe(200);
  });

  it('is rejected as a second Host, a forwarded host or an absolute URL', async () => {
    expect(
      await raw(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 (400|421)/);
    expect(
      await raw('GET http://127.0.0.1/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 421/);
    expect(
      await raw(
        'GET /health HTTP/1.1\r\nX-Forwarded-Host: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 421/);
    expect(await raw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await raw('GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 (400|421)/);
  });
});

describe('a foreign page (CSRF, CORS)', () => {
  const own = (): string => `http://127.0.0.1:${port}`;

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another program of this computer', { origin: 'http://127.0.0.1:1' }],
    ['this computer by another name', { origin: 'http://localhost:1' }],
    ['a file or a sandboxed frame', { origin: 'null' }],
    ['nonsense', { origin: 'not a url' }],
    ['an address with our host in its path', { origin: 'https://evil.example/127.0.0.1' }],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
    ['a cookie alone', {}],
    ['a wrong header', { 'x-requested-with': 'fetch' }],
    ['the right header from another site', { origin: 'https://evil.example', 'x-requested-with': 'XMLHttpRequest' }],
  ])('changes nothing as %s', async (_name, headers) => {
    const before = patients();
    const reply = await ask(
      'POST',
      '/api/patients',
      { cookie: household.as('owner').cookie, ...(headers as Record<string, string>) },
      patientBody('Foreign'),
    );
    expect([reply.status, reply.code, patients()]).toEqual([403, 'request.cross_site', before]);
  });

  it.each(['XMLHttpRequest', 'xmlhttprequest', 'XmlHttpRequest'])(
    'differs from a program that sends %s, which is accepted',
    async (word) => {
      const { status } = await ask(
        'POST',
        '/api/patients',
        { cookie: household.as('owner').cookie, 'x-requested-with': word },
        patientBody(`By ${word}`),
      );
      expect(status).toBe(201);
    },
  );

  it('changes nothing by a form, which browsers send without CORS', async () => {
    const before = patients();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      const reply = await ask(
        'POST',
        '/api/patients',
        { cookie: household.as('owner').cookie, 'x-requested-with': 'XMLHttpRequest', 'content-type': type },
        patientBody('Form'),
      );
      expect([type, reply.status >= 400, patients()]).toEqual([type, true, before]);
    }
  });

  it("can't log users in or out", async () => {
    const credentials = JSON.stringify({ username: 'ann', password: 'correct horse battery' });
    expect((await ask('POST', '/api/auth/login', { origin: 'https://evil.example' }, credentials)).code).toBe(
      'request.cross_site',
    );
    const { cookie } = household.as('owner');
    expect((await ask('POST', '/api/auth/logout', { cookie, origin: 'https://evil.example' })).code).toBe(
      'request.cross_site',
    );
    expect((await ask('GET', '/api/auth/me', { cookie })).status).toBe(200);
  });

  it.each([
    ['our own page', () => ({ origin: own() })],
    ['our own page, by what the browser says', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['a program with our header', () => ({ 'x-requested-with': 'XMLHttpRequest' })],
  ])('may be %s', async (name, headers) => {
    expect(
      (
        await ask(
          'POST',
          '/api/patients',
          { cookie: household.as('owner').cookie, ...(headers() as Record<string, string>) },
          patientBody(name),
        )
      ).status,
    ).toBe(201);
  });

  it('reads nothing, because no response allows another origin', async () => {
    for (const [method, path] of [
      ['OPTIONS', '/api/patients'],
      ['GET', '/api/patients'],
      ['GET', '/health'],
      ['GET', '/'],
    ] as const) {
      const { status, headers } = await ask(method, path, {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-requested-with',
        cookie: household.as('owner').cookie,
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect([path, headers['cross-origin-resource-policy'], method === 'OPTIONS' && status < 400]).toEqual([
        path,
        'same-origin',
        false,
      ]);
    }
  });
});

describe('malformed requests', () => {
  it.each([
    ['a broken line', 'GET\r\n\r\n'],
    [
      'two lengths',
      `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'length and chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nTransfer-Encoding: ' +
        'chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header without end', `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a method of its own', 'BREW /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'],
  ])('%s are rejected, and the core keeps running', async (_name, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect((await ask('GET', '/health')).status).toBe(200);
  });

  it('reveal nothing about the machine', async () => {
    const replies = [
      await raw('GET\r\n\r\n'),
      await raw(`GET /${'%'.repeat(10)} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
      (await ask('TRACE', '/health', { cookie: 'vault_session=secret' })).text,
    ];
    for (const text of replies)
      expect(text).not.toMatch(/node_modules|express|Node\.js|\bat \w+ \(|vault_session=secret/i);
  });
});
