import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { enter, readCode, Recipient, type OpenShare } from '../support/recipient.ts';
import { sendBytes, sendRequest, type RawReply } from '../support/raw-http.ts';
import { test } from '../support/fixtures.ts';

/** Attacks on the codes, limits and cookies of the service for recipients of shares, and odd requests to it. */

let household: Household, owner: Client, url: string, port: number;
const it = test.override('serveOptions', {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_SHARE_LISTEN: 'always',
    VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
    VAULT_REQUEST_TIMEOUT: '2',
  },
});
it.beforeAll(async ({ served, household: records }) => {
  household = records;
  owner = household.as('owner');
  url = served.shareUrl ?? '';
  port = Number(new URL(url).port);
});

let addresses = 0;
const device = (): Recipient => {
  addresses += 1;
  return new Recipient(url, `198.${18 + (addresses % 2)}.${addresses % 250}.${(addresses * 7) % 250}`);
};
const madeShare = (): OpenShare & { document: number } => household.make.share();

describe('codes', () => {
  it('are guessed in vain: a share locks after 15 wrong ones, from however many addresses', async () => {
    const share = madeShare();
    let guesses = 0;
    const forgetHour = (): void =>
      void household.db
        .prepare("UPDATE share_attempts SET created_at = strftime('%Y-%m-%dT%H:%M:%S', created_at, '-61 minutes')")
        .run();
    for (let hour = 0; hour < 6; hour += 1) {
      const code = await readCode(owner, device(), share).catch(() => '');
      for (let n = 0; code !== '' && n < 8; n += 1) {
        const wrong = code === '000000' ? '111111' : '000000';
        const { status } = await device().post(`/api/share/${share.token}/verify-otp`, { code: wrong });
        expect([401, 429]).toContain(status);
        if (status === 401) guesses += 1;
      }
      forgetHour();
      if ((await owner.get(`/api/shares/${share.id}/audit`)).body.share.status === 'locked') break;
    }
    const { body } = await owner.get(`/api/shares/${share.id}/audit`);
    expect(body.share.status).toBe('locked');
    const compared = household.db
      .prepare('SELECT sum(attempts) FROM share_codes WHERE share_id = ?')
      .pluck()
      .get(share.id) as number;
    const hit = 60 / 1e6;
    console.info(
      `guesses: ${guesses} sent, ${compared} compared with a live code until the lock; probability of a hit ` +
        `${(compared / 1e6).toExponential(1)} at once, ${hit.toExponential(1)} if right codes are between them`,
    );
    expect(compared).toBeLessThanOrEqual(15);
    expect(hit).toBeLessThan(1e-4);
    // Its owner opens it again; nobody else can.
    expect((await household.as('viewer').post(`/api/shares/${share.id}/reopen`)).status).toBe(403);
    expect((await owner.post(`/api/shares/${share.id}/reopen`)).body.status).toBe('active');
    expect((await enter(owner, device(), share)).status).toBe(200);
  });

  it('from one address stop after five wrong ones, and the share stays open for others', async () => {
    const share = madeShare();
    const attacker = device();
    const code = await readCode(owner, attacker, share);
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const reply = await attacker.post(`/api/share/${share.token}/verify-otp`, {
        code: code === '000000' ? '111111' : '000000',
      });
      statuses.push(reply.status);
      if (reply.status === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await enter(owner, device(), share)).status).toBe(200);
  });

  it('have one answer for a wrong code, an unknown link and every state of a share', async () => {
    const { make } = household;
    const ended = '2026-01-15T08:00:00';
    const links = {
      'a link that never was': 'A'.repeat(43),
      'an odd link': '..%2f..%2fapi%2fpatients',
      'a share without a code': make.share().token,
      'a revoked share': make.share({ revoked_at: ended }).token,
      'an expired share': make.share({ expires_at: ended }).token,
      'a locked share': make.share({ failed_codes: 15 }).token,
    };
    const share = make.share();
    const code = await readCode(owner, device(), share);
    const answers = new Set<string>();
    const shape = ({ status, headers, text }: RawReply): string => {
      const { date: _date, ...rest } = headers;
      return JSON.stringify([status, text, Object.entries(rest).sort()]);
    };
    const body = JSON.stringify({ code: code === '000000' ? '111111' : '000000' });
    for (const token of [...Object.values(links), share.token])
      answers.add(
        shape(
          await sendRequest(
            port,
            'POST',
            `/api/share/${token}/verify-otp`,
            { 'x-forwarded-for': device().address },
            body,
          ),
        ),
      );
    expect([...answers]).toHaveLength(1);
    const requests = new Set<string>();
    const infos = new Set<string>();
    for (const token of Object.values(links)) {
      const headers = { 'x-forwarded-for': device().address };
      requests.add(shape(await sendRequest(port, 'POST', `/api/share/${token}/request-otp`, headers)));
      infos.add(shape(await sendRequest(port, 'GET', `/api/share/${token}/info`, headers)));
    }
    expect([[...requests].map((one) => one.slice(0, 8)), infos.size]).toEqual([['[204,"",'], 1]);
  });

  it('of one share open no other', async () => {
    const [share, other] = [madeShare(), madeShare()];
    const code = await readCode(owner, device(), share);
    await readCode(owner, device(), other);
    const crossed = await device().post(`/api/share/${other.token}/verify-otp`, { code });
    const live = (await owner.get(`/api/shares/${other.id}/active-otp`)).body.active_otp;
    if (live.code !== code) expect(crossed.body.code).toBe('share.code_wrong');
  });

  it('give one seat to fifty devices that enter the right one at the same time', async () => {
    const share = madeShare();
    const code = await readCode(owner, device(), share);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => device().post(`/api/share/${share.token}/verify-otp`, { code })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(0);
    expect((await owner.get(`/api/shares/${share.id}/sessions`)).body.active).toHaveLength(1);
  });
});

describe('limits', () => {
  it('count the address of the connection unless it comes from a proxy that the household trusts', async () => {
    const admin = household.as('admin');
    await admin.call('PATCH', '/api/settings', { share_trusted_proxy: '' });
    household.db.prepare('DELETE FROM share_attempts').run();
    try {
      const share = madeShare();
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        const headers = {
          'x-forwarded-for': `203.0.113.${n}`,
          'x-real-ip': `203.0.113.${n}`,
          forwarded: `for=203.0.113.${n}`,
          'cf-connecting-ip': `203.0.113.${n}`,
        };
        const reply = await sendRequest(
          port,
          'POST',
          `/api/share/${share.token}/verify-otp`,
          headers,
          '{"code":"000000"}',
        );
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      await expect
        .poll(() =>
          household.db.prepare('SELECT DISTINCT client_ip FROM share_audit WHERE share_id = ?').pluck().all(share.id),
        )
        .toEqual(['127.0.0.1']);
    } finally {
      household.db.prepare('DELETE FROM share_attempts').run();
      await admin.call('PATCH', '/api/settings', { share_trusted_proxy: null });
    }
  });

  it('count the last address that a trusted proxy reports, whatever a client wrote before it', async () => {
    const share = madeShare();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${n}, 192.0.2.44` };
      statuses.push(
        (await sendRequest(port, 'POST', `/api/share/${share.token}/verify-otp`, headers, '{"code":"000000"}')).status,
      );
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('requests', () => {
  it('from other sites change nothing, except to leave', async () => {
    const share = madeShare();
    const { cookie } = household.make.recipient(share);
    const foreign = { cookie, origin: 'https://evil.example' };
    for (const [method, path] of [
      ['POST', '/api/share/claim'],
      ['POST', '/api/share/heartbeat'],
      ['POST', `/api/share/${share.token}/request-otp`],
      ['DELETE', '/api/share/queue'],
    ] as const) {
      expect([path, (await sendRequest(port, method, path, foreign)).code]).toEqual([path, 'request.cross_site']);
      expect([path, (await sendRequest(port, method, path, { cookie })).code]).toEqual([path, 'request.cross_site']);
    }
    // A page that is closed sends no headers with its last request.
    expect((await sendRequest(port, 'POST', '/api/share/logout', { cookie })).status).toBe(200);
    expect((await sendRequest(port, 'GET', '/api/share/me', { cookie })).status).toBe(401);
  });

  it('that are too large, too slow or ambiguous are refused', async () => {
    const share = madeShare();
    const path = `/api/share/${share.token}/verify-otp`;
    const large = JSON.stringify({ code: '123456', more: 'x'.repeat(20_000) });
    expect((await sendRequest(port, 'POST', path, {}, large)).status).toBe(413);
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    for (const bytes of [
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      `${head}Content-Length: +2\r\n\r\n{}`,
      `${head}X: ${'x'.repeat(70_000)}\r\n\r\n`,
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX : 1\r\n\r\n`,
      `GET /health\r\n\r\n`,
    ]) {
      const reply = await sendBytes(port, bytes);
      expect([bytes.slice(-60), reply.split('\r\n')[0], reply.match(/HTTP\/1\.1/g)?.length ?? 0]).toEqual([
        bytes.slice(-60),
        expect.stringMatching(/^(HTTP\/1\.1 4\d\d .*)?$/),
        expect.toBeOneOf([0, 1]),
      ]);
    }
    const slow = await sendBytes(port, `${head}Content-Length: 1000\r\n\r\n{"code":`);
    expect(slow.split('\r\n')[0]).toMatch(/^HTTP\/1\.1 408 /);
    const sockets = Array.from({ length: 200 }, (_, n) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(n % 2 === 0 ? head : 'GET /hea');
      return socket;
    });
    expect((await sendRequest(port, 'GET', '/health')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('with odd values in every place are answered without a failure', async () => {
    const share = madeShare();
    const { cookie } = household.make.recipient(share);
    const odd = [
      '..%2f..%2fetc%2fpasswd',
      '%00',
      '%ff',
      "'--",
      '%E2%80%AE',
      '%2e%2e',
      '%25%32%65',
      '{}',
      '[object%20Object]',
      '__proto__',
    ];
    for (const value of odd)
      for (const [method, path] of [
        ['GET', `/api/share/${value}/info`],
        ['POST', `/api/share/${value}/request-otp`],
        ['GET', `/api/share/documents/${value}`],
        ['GET', `/share/${value}`],
        ['GET', `/api/share/me?${value}=${value}`],
      ] as const) {
        const { status, text } = await sendRequest(port, method, path, {
          cookie,
          origin: url,
          'x-forwarded-for': device().address,
        });
        expect([path, status < 500]).toEqual([path, true]);
        expect(text).not.toMatch(/node_modules|SQLITE|\/home\/|\/tmp\//);
      }
  });

  it('are never answered from a cache, and no answer may be kept', async () => {
    const share = madeShare();
    const { cookie } = household.make.recipient(share);
    for (const path of [
      '/health',
      '/api/share/me',
      `/api/share/documents/${share.document}`,
      `/api/share/${share.token}/info`,
      '/api/none',
    ]) {
      const headers = { cookie, 'if-none-match': '*', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' };
      const reply = await sendRequest(port, 'GET', path, headers);
      expect([
        path,
        reply.status === 304,
        reply.headers['cache-control'],
        reply.headers['etag'],
        reply.headers['last-modified'],
      ]).toEqual([path, false, 'no-store', undefined, undefined]);
      expect([
        path,
        reply.headers['referrer-policy'],
        reply.headers['x-robots-tag'],
        reply.headers['x-powered-by'],
      ]).toEqual([path, 'no-referrer', 'noindex, nofollow', undefined]);
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('leave neither links nor codes in the log', async () => {
    const share = madeShare();
    const code = await readCode(owner, device(), share);
    await device().post(`/api/share/${share.token}/verify-otp`, { code });
    const { body } = await household.as('admin').get('/api/settings/logs?limit=2000');
    const log = JSON.stringify(body);
    for (const text of [share.token, code]) expect(log.includes(text)).toBe(false);
  });
});
