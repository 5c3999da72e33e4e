import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import { sendBytes, sendRequest } from '../support/raw-http.ts';
import { onePage } from '../support/broken-files.ts';
import { test as base } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served, household: Household, port: number, phonePort: number;

const MAX_CONNECTIONS = 8;
const test = base.override('serveOptions', {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_REQUEST_TIMEOUT: '1',
    VAULT_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  },
});

test.beforeAll(async ({ served: core, household: records }) => {
  served = core;
  household = records;
  [port = 0, phonePort = 0] = [served.url, served.backupsUrl].map((url) => Number(new URL(url).port));
});

interface Connection {
  socket: Socket;
  /** What the server wrote until it closed the connection. */
  end: Promise<string>;
}

function open(to: number, text = ''): Connection {
  const socket = connect(to, '127.0.0.1', () => socket.write(text));
  let reply = '';
  socket.on('data', (chunk) => (reply += chunk.toString())).on('error', () => undefined);
  return { socket, end: once(socket, 'close').then(() => reply) };
}

const head = (path: string, more: string[] = []): string =>
  [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1`, 'X-Requested-With: XMLHttpRequest', ...more, '', ''].join('\r\n');
const json = (path: string, cookie = ''): string =>
  `${head(path, ['Content-Type: application/json', 'Content-Length: 1000000', `Cookie: ${cookie}`])}{"username":"a`;

const file = onePage(Buffer.from('0 0 m 9 9 l S'), '');
const upload = (cookie: string): [begin: string, rest: Buffer] => {
  const before = '--x\r\nContent-Disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n';
  const after = '\r\n--x--\r\n';
  const length = before.length + file.length + after.length;
  const type = 'Content-Type: multipart/form-data; boundary=x';
  const path = `/api/documents/upload?patient_id=${household.patient}`;
  return [
    `${head(path, [type, `Content-Length: ${length}`, `Cookie: ${cookie}`, 'Connection: close'])}${before}`,
    Buffer.concat([file, Buffer.from(after)]),
  ];
};

it('ends slow bodies of everybody, while uploads of people who signed in may go on', async () => {
  const { cookie } = household.as('owner');
  const [begin, rest] = upload(cookie);
  const [strangersBegin] = upload('');
  const honest = open(port, begin);
  const slow = {
    'a stranger who signs in': open(port, json('/api/auth/login')),
    'a stranger who uploads': open(port, strangersBegin),
    'somebody who signed in': open(port, json('/api/patients', cookie)),
    'the phone-backup service': open(phonePort, json('/backups/refresh')),
    'a body without a length': open(
      port,
      `${head('/api/auth/login', ['Content-Type: application/json', 'Transfer-Encoding: chunked'])}5\r\n{"use\r\n`,
    ),
  };
  for (const [name, { end }] of Object.entries(slow)) {
    const reply = await end;
    expect([name, reply.split('\r\n')[0]]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 4(08|01) /)]);
    expect([name, /x-content-type-options: nosniff/i.test(reply)]).toEqual([name, true]);
  }
  honest.socket.write(rest);
  expect(await honest.end).toMatch(/^HTTP\/1\.1 201 /);
});

it('replies in its own form to a request that took too long', async () => {
  const reply = await open(port, json('/api/auth/login')).end;
  expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'request.timed_out' });
});

it('keeps a connection whose bodies are complete', async () => {
  const body = JSON.stringify({ username: 'nobody', password: 'wrong' });
  const request = head('/api/auth/login', ['Content-Type: application/json', `Content-Length: ${body.length}`]) + body;
  const kept = open(port, request);
  await once(kept.socket, 'data');
  await open(port, json('/api/auth/login')).end;
  kept.socket.write(request.replace('Content-Type', 'Connection: close\r\nContent-Type'));
  expect((await kept.end).match(/HTTP\/1\.1 401/g)).toHaveLength(2);
});

it.each<[string, () => number]>([
  ['the API', () => port],
  ['the phone-backup service', () => phonePort],
])('limits the connections to %s, and serves again when one ends', async (_name, to) => {
  const open8 = Array.from({ length: MAX_CONNECTIONS }, () => open(to()));
  await Promise.all(open8.map(({ socket }) => once(socket, 'connect')));
  const path = to() === port ? '/health' : '/healthz';
  expect(await sendBytes(to(), `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).toBe('');
  for (const { socket } of open8) socket.destroy();
  await expect
    .poll(() =>
      sendRequest(to(), 'GET', path).then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(200);
});

it('sends its security headers with every refusal, also of requests that Node itself rejects', async () => {
  const requests = {
    'a foreign host': 'GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'no host': 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n',
    'a broken line': 'GET\r\n\r\n',
    'two lengths': 'POST /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'endless headers': `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    'an unknown expectation': 'GET /api/none HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: cake\r\nConnection: close\r\n\r\n',
  };
  for (const to of [port, phonePort])
    for (const [name, bytes] of Object.entries(requests)) {
      const reply = await sendBytes(to, bytes);
      expect([name, reply.split('\r\n')[0]]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)]);
      for (const header of [/x-content-type-options: nosniff/i, /content-security-policy: default-src/i])
        expect([name, header.test(reply)]).toEqual([name, true]);
      expect(reply).toMatch(/referrer-policy: no-referrer/i);
      expect(JSON.parse(reply.slice(reply.indexOf('{')))).toMatchObject({ code: expect.any(String) });
    }
});
