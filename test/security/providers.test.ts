import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect } from 'vitest';
import { startLyingService, type LyingService } from '../fakes/lying-sign-in-service.ts';
import { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served, admin: Client, service: LyingService, honest: LyingService['description'];

const it = test.override('serveOptions', WITHOUT_INBOX);
it.beforeAll(async ({ served: core }) => {
  served = core;
  admin = new Client(served.url);
  await admin.setup();
  service = await startLyingService();
  honest = { ...service.description };
  const settings = { oidc_enabled: true, oidc_provider_url: service.issuer, oidc_client_id: 'hearth' };
  await admin.call('PATCH', '/api/settings', settings);
});
afterEach(() => {
  service.description = { ...honest };
});
afterAll(() => service?.close());

/** The outcomes of the test in the settings and of a sign-in with the present description of the provider. */
async function outcomes(): Promise<unknown[]> {
  // A change of settings makes Hearth read the description again.
  await admin.call('PATCH', '/api/settings', { oidc_scopes: `openid x${(scopes += 1)}` });
  const { body } = await admin.post('/api/settings/oidc/test');
  const reply = await new Client(served.url).get('/api/auth/oidc/login');
  return [body.ok, body.error ?? null, reply.status, reply.body.code ?? null];
}
let scopes = 0;

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'end_session_endpoint'];
const ADDRESSES = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://id.example/authorize',
  'http://192.168.1.1/authorize',
  'https://169.254.169.254/token',
  'http://[fe80::1]/token',
  'https://user:word@id.example/',
  '/authorize',
  '',
];

it.for(ENDPOINTS)('a provider with a strange %s is refused by the test and by a sign-in', async (name) => {
  for (const address of ADDRESSES) {
    service.description = { ...honest, [name]: address };
    expect([address, ...(await outcomes())]).toEqual([
      address,
      false,
      'oidc.provider_unreachable',
      502,
      'oidc.provider_unreachable',
    ]);
  }
});

it('a provider whose reply is longer than any honest one is left before its end', async () => {
  let isOpen = true;
  let sent = 0;
  const piece = Buffer.alloc(2 ** 16, ' ');
  const endless = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const send = (): void => {
      do sent += piece.length;
      while (isOpen && res.write(piece));
      if (isOpen) res.once('drain', send);
    };
    res.once('close', () => {
      isOpen = false;
    });
    send();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  await admin.call('PATCH', '/api/settings', { oidc_provider_url: `http://127.0.0.1:${port}` });
  const reply = await new Client(served.url).get('/api/auth/oidc/login');
  expect([reply.status, reply.body.code]).toEqual([502, 'oidc.provider_unreachable']);
  // A megabyte is read, and the buffers of the system hold some more; within the time limit it would be gigabytes.
  expect(sent).toBeLessThan(64 * 2 ** 20);
  endless.close();
  await admin.call('PATCH', '/api/settings', { oidc_provider_url: service.issuer });
});

it('a provider whose endpoints are on other hosts or missing where they may be is accepted', async () => {
  expect(await outcomes()).toEqual([true, null, 302, null]);
  service.description = { ...honest, authorization_endpoint: 'https://login.example/authorize' };
  delete service.description['userinfo_endpoint'];
  expect(await outcomes()).toEqual([true, null, 302, null]);
});

it('a setting takes no address of cloud metadata and no plain HTTP to the internet', async () => {
  const addresses = [
    'http://169.254.169.254',
    'http://0xa9fea9fe/',
    'http://[fe80::1]',
    'http://0.0.0.0',
    'http://8.8.8.8',
  ];
  for (const name of ['ocr_remote_url', 'llm_vision_ollama_url', 'oidc_provider_url'])
    for (const address of addresses) {
      const { status, body } = await admin.call('PATCH', '/api/settings', { [name]: address });
      expect([name, address, status, body.code]).toEqual([name, address, 422, 'request.invalid']);
    }
  for (const address of ['http://127.0.0.1:11434', 'http://192.168.1.20:11434', 'https://ocr.example'])
    expect((await admin.call('PATCH', '/api/settings', { ocr_remote_url: address })).status).toBe(200);
});

it('who reads the token for phone backups is in the audit log', async () => {
  const before = (await admin.get('/api/settings/audit-log?action=token.view')).body.total;
  const { body } = await admin.get('/api/phone-service');
  expect(body.api_token).toMatch(/./);
  const log = (await admin.get('/api/settings/audit-log?action=token.view')).body;
  expect([before, log.total, log.items[0].username]).toEqual([0, 1, 'ann']);
  expect(JSON.stringify(log)).not.toContain(body.api_token);
});
