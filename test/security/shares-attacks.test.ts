/** @module-tag long */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { sendRequest, type RawReply } from '../support/raw-http.ts';
import { readCode, Recipient } from '../support/recipient.ts';
import { serve, type Served } from '../support/serve.ts';

/** What strangers and recipients try at once, in two processes, or with odd spellings. */

const ENV = {
  VAULT_PIPELINE_WATCH: 'false',
  VAULT_SHARE_LISTEN: 'always',
  VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
};

let household: Household, owner: Client, url: string, port: number, second: Served;
const it = test.override('serveOptions', { env: ENV });
it.beforeAll(async ({ served, household: records }) => {
  [household, owner, url] = [records, records.as('owner'), served.shareUrl ?? ''];
  port = Number(new URL(url).port);
  second = await serve({ vault: served.vault, args: ['--mode', 'share'], env: ENV });
});
it.afterAll(() => second.stop());

let addresses = 0;
/** A device of its own network, at one of the two processes. */
function device(door = url): Recipient {
  addresses += 1;
  return new Recipient(door, `198.${18 + (addresses % 2)}.${addresses % 250}.${(addresses * 7) % 250}`);
}
const statusesOf = (replies: readonly { status: number }[]): Record<number, number> =>
  replies.reduce<Record<number, number>>((all, { status }) => ({ ...all, [status]: (all[status] ?? 0) + 1 }), {});

const NOT_FOUND = /^\{"detail":"This address does not exist[^"]*","code":"request\.not_found"\}$/;
function expectNothing(label: string, { status, text }: RawReply): void {
  expect([label, status, NOT_FOUND.test(text)]).toEqual([label, 404, true]);
}

describe('strangers learn', () => {
  it('nothing that tells an address which exists from others, whatever body is sent and however it is spelled', async () => {
    const json = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' };
    for (const path of ['/api/patients', '/api/documents/upload', '/api/shares', '/none', '/share/x/y', '/health/'])
      for (const [what, headers, body] of [
        ['a malformed body', json, '{"a":'],
        ['a large body', json, JSON.stringify({ a: 'x'.repeat(200_000) })],
        ['an unknown charset', { ...json, 'content-type': 'application/json; charset=x-none' }, '{}'],
        ['an unknown encoding', { ...json, 'content-encoding': 'x-none' }, '{}'],
        ['no JSON', { ...json, 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
      ] as const)
        expectNothing(`${path} ${what}`, await sendRequest(port, 'POST', path, headers, body));
    const { token } = household.make.share();
    for (const path of [
      ...['/health/', '/HEALTH', '/Api/Share/Me', '/api/share/me/', `/api/share/${token}/INFO`, `/Share/${token}`],
      ...[`/share/${token}/`, '/api/share/%ff/info', '/api/share/%/info', '/share/%', '/share/assets/%', '/share/%ff'],
      ...['/share/assets/%00', '/share/assets/..%2f..%2fpackage.json', '/share/assets/'],
    ])
      expectNothing(path, await sendRequest(port, 'GET', path));
  });

  it('not that they have requested too many codes: the thirtieth request has the answer of the first', async () => {
    const { token } = household.make.share();
    const insistent = device();
    for (const link of [token, 'A'.repeat(43)]) {
      const shapes = new Set<string>();
      for (let n = 0; n < 30; n += 1) {
        const { status, text, headers } = await insistent.post(`/api/share/${link}/request-otp`);
        shapes.add(JSON.stringify([status, text, headers['retry-after']]));
      }
      expect([...shapes]).toEqual(['[204,"",null]']);
    }
    const issued = household.db
      .prepare('SELECT count(*) FROM share_codes JOIN shares USING (share_id) WHERE token_hash = ?')
      .pluck();
    const hash = createHash('sha256').update(token).digest('base64url');
    await expect.poll(() => issued.get(hash)).toBe(6);
  });

  it('no more from a body that grows when it is unpacked', async () => {
    const { token } = household.make.share();
    const { cookie } = household.make.recipient(household.make.share());
    for (const path of [`/api/share/${token}/verify-otp`, '/api/share/shl/none']) {
      const reply = await new Promise<number>((resolve, reject) => {
        const headers = {
          host: `127.0.0.1:${port}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          cookie,
        };
        request({ port, host: '127.0.0.1', method: 'POST', path, headers: { ...headers, origin: url } }, (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode ?? 0);
        })
          .on('error', reject)
          .end(gzipSync(Buffer.alloc(20_000_000, ' ')));
      });
      expect([path, reply]).toEqual([path, 413]);
    }
  });
});

describe('at the same time', () => {
  it('fifty right codes at two processes give one seat', async () => {
    const share = household.make.share();
    const code = await readCode(owner, device(), share);
    const path = `/api/share/${share.token}/verify-otp`;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => device(n % 2 === 0 ? url : second.url).post(path, { code })),
    );
    const statuses = statusesOf(replies);
    expect([statuses[200], statuses[202], statuses[500]]).toEqual([1, undefined, undefined]);
    expect(household.db.prepare('SELECT count(*) FROM share_sessions WHERE share_id = ?').pluck().get(share.id)).toBe(
      1,
    );
  });

  it('wrong codes at two processes are compared no more often than at one', async () => {
    const share = household.make.share();
    const code = await readCode(owner, device(), share);
    const wrong = code === '000000' ? '111111' : '000000';
    const path = `/api/share/${share.token}/verify-otp`;
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => device(n % 2 === 0 ? url : second.url).post(path, { code: wrong })),
    );
    expect(statusesOf(replies)).toEqual({ 401: 10, 429: 30 });
    const compared = household.db
      .prepare('SELECT sum(attempts) FROM share_codes WHERE share_id = ?')
      .pluck()
      .get(share.id);
    expect(compared).toBe(5);
  });

  it('forty waiters who ask for a seat that becomes free get one', async () => {
    const share = household.make.share();
    const { rowid } = household.make.recipient(share);
    const cookies = Array.from({ length: 40 }, () => household.make.waiter(share).cookie);
    await owner.call('DELETE', `/api/shares/${share.id}/sessions/${rowid}`);
    const replies = await Promise.all(
      cookies.map((cookie, n) =>
        sendRequest(n % 2 === 0 ? port : Number(new URL(second.url).port), 'POST', '/api/share/claim', {
          ...{ cookie, 'x-requested-with': 'XMLHttpRequest' },
        }),
      ),
    );
    expect(statusesOf(replies)).toEqual({ 200: 1, 202: 39 });
  });

  it('thirty programs that open a link for one use get it once', async () => {
    const link = household.make.healthLink(household.make.share(), { uses_left: 1 });
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        device(n % 2 === 0 ? url : second.url).post(`/api/share/shl/${link.token}`, { recipient: 'Praxis' }),
      ),
    );
    expect(statusesOf(replies)).toEqual({ 200: 1, 404: 29 });
  });

  it('a session gets twelve pages, and others are served when it leaves', async () => {
    const share = household.make.share();
    const greedy = household.make.recipient(share);
    const page = `/api/share/documents/${share.document}/pages/1/image`;
    const asked = Array.from({ length: 40 }, () => sendRequest(port, 'GET', page, { cookie: greedy.cookie }));
    const statuses = statusesOf(await Promise.all(asked));
    expect(statuses[200]).toBeGreaterThanOrEqual(12);
    expect(statuses[429]).toBeGreaterThanOrEqual(1);
    expect(Object.keys(statuses)).toEqual(['200', '429']);
    // Those who left do not count any more, and nothing is drawn for them.
    for (let n = 0; n < 60; n += 1) {
      const leaving = request({ port, host: '127.0.0.1', path: page, headers: { cookie: greedy.cookie } });
      leaving.on('error', () => undefined).end();
      setTimeout(() => leaving.destroy(), 20);
    }
    await expect
      .poll(async () => (await sendRequest(port, 'GET', page, { cookie: greedy.cookie })).status, { timeout: 20_000 })
      .toBe(200);
  });
});
