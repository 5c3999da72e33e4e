/** @module-tag long */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { sendBytes, sendRequest } from '../support/raw-http.ts';
import { Recipient } from '../support/recipient.ts';
import { letter } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

/** What attackers send below the level of HTTP libraries, and what goes on while access ends or a process restarts. */

const ENV = {
  VAULT_PIPELINE_WATCH: 'false',
  VAULT_SHARE_LISTEN: 'always',
  VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
};

let household: Household, owner: Client, port: number, second: Served, secondPort: number;
const it = test.override('serveOptions', { env: ENV });
const startSecond = async (vault: string): Promise<void> => {
  second = await serve({ vault, args: ['--mode', 'share'], env: ENV });
  secondPort = Number(new URL(second.url).port);
};
it.beforeAll(async ({ served, household: records }) => {
  [household, owner] = [records, records.as('owner')];
  port = Number(new URL(served.shareUrl ?? '').port);
  await startSecond(served.vault);
});
it.afterAll(() => second.stop());

const linesOf = (reply: string): string[] => reply.match(/HTTP\/1\.1 \d{3} /g) ?? [];

describe('a connection', () => {
  it('does not change from HTTP to something else, nor to another host', async () => {
    const { cookie } = household.make.recipient(household.make.share());
    const upgrade = await sendBytes(
      port,
      'GET /api/share/me HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n' +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${cookie}\r\n\r\n`,
    );
    expect(linesOf(upgrade)).not.toContainEqual(expect.stringContaining(' 101 '));
    for (const target of ['127.0.0.1:22', 'localhost:80', '169.254.169.254:80'])
      expect(
        linesOf(await sendBytes(port, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)),
      ).not.toContainEqual(expect.stringMatching(/ 2\d\d /));
    const h2 = await sendBytes(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(linesOf(h2)).not.toContainEqual(expect.stringMatching(/ 2\d\d /));
  });

  it('carries nothing over from one request to the next', async () => {
    const share = household.make.share();
    const { cookie } = household.make.recipient(share);
    const page = `/api/share/documents/${share.document}`;
    const host = 'Host: 127.0.0.1\r\n';
    const reply = await sendBytes(
      port,
      `GET ${page} HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n\r\n` +
        `GET ${page} HTTP/1.1\r\n${host}\r\n` +
        `POST /none HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nGET /` +
        `GET ${page} HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}\r\n\r\n` +
        `GET /api/patients HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    const [allowed, nobody, ...others] = linesOf(reply).map((line) => line.split(' ')[1]);
    // The connection may end before the last one.
    expect([allowed, nobody, [...new Set(others)]]).toEqual(['200', '401', ['404']]);
  });

  it('gets neither parts of files nor the word that they are unchanged', async () => {
    const share = household.make.share();
    const { cookie } = household.make.recipient(share);
    for (const path of ['', '/file', '/pages/1/text'])
      for (const headers of [
        { range: 'bytes=0-10' },
        { 'if-none-match': '*' },
        { range: 'bytes=5-,0-1', 'if-range': '"x"' },
      ] as Record<string, string>[]) {
        const address = `/api/share/documents/${share.document}${path}`;
        const { status, headers: got } = await sendRequest(port, 'GET', address, { cookie, ...headers });
        expect([path, headers, status, got['etag'], got['content-range'], got['cache-control']]).toEqual([
          ...[path, headers, 200, undefined, undefined, 'no-store'],
        ]);
      }
  });
});

/** A file that is being sent by the process in share mode: 40 pages, of which one has arrived. */
async function openStream(): Promise<{ share: ReturnType<Household['make']['share']>; incoming: IncomingMessage }> {
  const { make, vault, db } = household;
  const share = make.share();
  const pages = Array.from({ length: 40 }, (_, n) => [{ text: `Page ${n}`, y: 100 }]);
  writeFileSync(join(vault, make.pathOf(share.document)), await letter(pages));
  db.prepare('UPDATE documents SET page_count = 40 WHERE id = ?').run(share.document);
  const { cookie } = make.recipient(share);
  const path = `/api/share/documents/${share.document}/file`;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port: secondPort, host: '127.0.0.1', path, headers: { cookie } }, resolve).on('error', reject).end();
  });
  expect(incoming.statusCode).toBe(200);
  await once(incoming, 'data');
  incoming.pause();
  return { share, incoming };
}

describe('a file that a second process sends', () => {
  it.for([
    ['the share is revoked', (id: string) => `/api/shares/${id}`],
    [
      'its document is taken out of the share',
      (id: string, document: number) => `/api/shares/${id}/documents/${document}`,
    ],
    ['everything about the share is deleted', (id: string) => `/api/shares/${id}/purge`],
  ] as const)('stops in the middle when %s in the first', async ([, pathOf]) => {
    const { share, incoming } = await openStream();
    const broken = once(incoming, 'error');
    if (pathOf(share.id, 0).endsWith('/purge')) await owner.call('DELETE', `/api/shares/${share.id}`);
    const { status } = await owner.call('DELETE', pathOf(share.id, share.document));
    expect(status).toBeLessThan(300);
    incoming.resume();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});

describe('after a restart', () => {
  it('wrong passcodes of a SMART Health Link still count', async ({ served }) => {
    const link = household.make.healthLink(household.make.share(), { passcode_hash: 'c2FsdA.aGFzaA', tries_left: 3 });
    let addresses = 0;
    const guess = async (): Promise<unknown[]> => {
      const device = new Recipient(second.url, `198.51.100.${(addresses += 1)}`);
      const { status, body } = await device.post(`/api/share/shl/${link.token}`, { recipient: 'x', passcode: 'wrong' });
      return [status, body.remainingAttempts];
    };
    expect(await guess()).toEqual([401, 2]);
    await second.stop();
    await startSecond(served.vault);
    expect(await guess()).toEqual([401, 1]);
    await second.stop('SIGKILL');
    await startSecond(served.vault);
    expect([await guess(), (await guess())[0]]).toEqual([[401, 0], 404]);
  });

  it('wrong codes still count, a locked share stays locked, and sessions go on where the cookie is right', async ({
    served,
  }) => {
    const share = household.make.share();
    const { cookie } = household.make.recipient(share);
    const locked = household.make.share({ failed_codes: 15 });
    const device = new Recipient(second.url, '198.51.100.77');
    const guess = (link: string) => device.post(`/api/share/${link}/verify-otp`, { code: '000000' });
    for (let n = 0; n < 5; n += 1) expect((await guess(share.token)).status).toBe(401);
    expect((await guess(share.token)).status).toBe(429);
    await second.stop();
    await startSecond(served.vault);
    const again = new Recipient(second.url, '198.51.100.77');
    expect((await again.post(`/api/share/${share.token}/verify-otp`, { code: '000000' })).status).toBe(429);
    expect((await again.post(`/api/share/${locked.token}/verify-otp`, { code: '000000' })).status).toBe(401);
    expect((await sendRequest(secondPort, 'GET', '/api/share/me', { cookie })).status).toBe(200);
    await owner.call('DELETE', `/api/shares/${share.id}`);
    expect((await sendRequest(secondPort, 'GET', '/api/share/me', { cookie })).status).toBe(401);
  });
});
