import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { PHONE_PREFIX, phoneBackups } from '../../src-shared/contract/phone-backups/service.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { SECRET } from '../support/household-scope.ts';
import { enter, Recipient, type OpenShare } from '../support/recipient.ts';
import { sendBytes, sendRequest, type RawReply } from '../support/raw-http.ts';
import { test } from '../support/fixtures.ts';
import { EXAMPLES } from '../api/examples.ts';

/** What strangers and recipients find at the service for recipients of shares, as it runs beside the household's own. */

let household: Household, owner: Client, url: string, port: number;
const it = test.override('serveOptions', {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_SHARE_LISTEN: 'always',
    VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
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
const NOT_FOUND = /^\{"detail":"This address does not exist[^"]*","code":"request\.not_found"\}$/;
const ROUTES = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area));
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'] as const;

/** What the reply to an address that does not exist looks like: the same for all. */
function expectNothing(label: string, { status, text, headers }: RawReply, method: string): void {
  expect([label, status]).toEqual([label, 404]);
  if (method !== 'HEAD') expect([label, NOT_FOUND.test(text)]).toEqual([label, true]);
  expect([label, headers['allow'], headers['set-cookie'], headers['cache-control']]).toEqual([
    label,
    undefined,
    undefined,
    'no-store',
  ]);
}

describe('strangers find', () => {
  it('no endpoint of the household, by any method and with any cookie', async () => {
    const share = madeShare();
    const cookies = {
      nobody: '',
      'an administrator': household.as('keeper').cookie,
      'a recipient': household.make.recipient(share).cookie,
    };
    const paths = new Set(
      ROUTES.filter(({ inShareMode }) => !inShareMode).map(
        ({ method, path }) => EXAMPLES[`${method} ${path}`]!(household).path,
      ),
    );
    for (const { path } of Object.values<Endpoint>(phoneBackups))
      for (const prefix of [PHONE_PREFIX, '']) paths.add(prefix + path.replace(/\{\w+\}/g, 'x'));
    let calls = 0;
    for (const path of paths)
      for (const [name, cookie] of Object.entries(cookies))
        for (const method of name === 'an administrator' ? METHODS : (['GET', 'POST', 'DELETE'] as const)) {
          const headers = { 'x-requested-with': 'XMLHttpRequest', ...(cookie && { cookie }) };
          expectNothing(`${name}: ${method} ${path}`, await sendRequest(port, method, path, headers), method);
          calls += 1;
        }
    expect(calls).toBeGreaterThan(1000);
  });

  it('no other method at the addresses that exist', async () => {
    const served = ROUTES.filter(({ inShareMode }) => inShareMode);
    expect(served.length).toBeGreaterThan(10);
    for (const path of new Set(served.map((one) => one.path))) {
      const own = served.filter((one) => one.path === path).map(({ method }) => method as string);
      if (own.includes('GET')) own.push('HEAD');
      for (const method of METHODS.filter((one) => !own.includes(one)))
        expectNothing(
          `${method} ${path}`,
          await sendRequest(port, method, path.replace(/\{\w+\}/g, '1'), { 'x-requested-with': 'XMLHttpRequest' }),
          method,
        );
    }
  });

  it('no page, file or folder of the household', async () => {
    for (const path of [
      '/',
      '/index.html',
      '/login',
      '/documents',
      '/assets/index.js',
      '/share',
      '/share/assets/../index.html',
      '/share/assets/%2e%2e/%2e%2e/renderer/index.html',
      '/share/%2e%2e%2fpackage.json',
      '//api/patients',
      '/API/patients',
      '/api/share/../patients',
      '/api/share/%2e%2e/patients',
      '/api//share/me/..',
      '/.git/config',
      '/vault.db',
      '/secret.key',
      'http://127.0.0.1/api/patients',
    ])
      expectNothing(path, await sendRequest(port, 'GET', path), 'GET');
  });

  it('nothing under another host name', async () => {
    const share = madeShare();
    const { cookie } = household.make.recipient(share);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '169.254.169.254',
      '127.0.0.1.nip.io',
      'localhost.',
      '[::2]',
      'a b',
    ])
      for (const path of ['/health', '/api/share/me', `/api/share/${share.token}/info`])
        expectNothing(`${host} ${path}`, await sendRequest(port, 'GET', path, { host, cookie }), 'GET');
    for (const lines of ['Host: 127.0.0.1\r\nHost: evil.example', 'X-Host: 127.0.0.1', 'Host: ']) {
      const reply = await sendBytes(port, `GET /health HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);
      expect([lines, reply.split('\r\n')[0]]).toEqual([lines, 'HTTP/1.1 404 Not Found']);
    }
    // A header that names another address than the request line counts for nothing.
    for (const name of ['X-Forwarded-Host', 'X-Original-URL', 'X-Rewrite-URL', 'X-HTTP-Method-Override', 'Forwarded']) {
      const headers = { [name]: name === 'X-HTTP-Method-Override' ? 'DELETE' : '/api/patients' };
      expect([name, (await sendRequest(port, 'GET', '/health', headers)).text]).toEqual([
        name,
        '{"status":"ok","mode":"share"}',
      ]);
    }
  });
});

describe('a recipient reads', () => {
  it('no document outside of the share, by any id', async () => {
    const [share, other] = [madeShare(), madeShare()];
    const { cookie } = household.make.recipient(share);
    const { make, patient, otherPatient } = household;
    make.use(otherPatient);
    const foreign = make.document();
    make.use(patient);
    const outside = [other.document, make.document(), foreign, 99_999_999];
    const answers = new Set<string>();
    for (const id of outside)
      for (const [method, tail, body] of [
        ['GET', '', ''],
        ['GET', '/file', ''],
        ['POST', '/translate-region', '{"page":1,"bbox":{"x":0,"y":0,"w":1,"h":1}}'],
        ['POST', '/translate', '{}'],
      ] as const) {
        const reply = await sendRequest(
          port,
          method,
          `/api/share/documents/${id}${tail}`,
          { cookie, origin: url },
          body,
        );
        answers.add(`${reply.status} ${reply.code}`);
      }
    expect([...answers].filter((answer) => !/^404 (document|request)\.not_found$/.test(answer))).toEqual([]);
    for (const id of [
      '0',
      '-1',
      '1e3',
      `${share.document}.0`,
      `%20${share.document}`,
      `${share.document}%00`,
      '../me',
      '..%2f..%2fpatients',
      "1'OR'1'='1",
      '9'.repeat(400),
    ]) {
      const { status } = await sendRequest(port, 'GET', `/api/share/documents/${id}`, { cookie });
      expect([id, [400, 404, 422].includes(status)]).toEqual([id, true]);
    }
  });

  it('nothing with a cookie that is not its own, changed, old, used up or doubled', async () => {
    const [share, ended] = [madeShare(), household.make.share({ revoked_at: '2026-01-15T08:00:00' })];
    const good = household.make.recipient(share);
    const [name, value = ''] = good.cookie.split('=');
    const [secret = '', time = '', signature = ''] = value.split('.');
    const place = household.make.waiter(share).cookie.split('=')[1] ?? '';
    const flipped = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    const old = household.make.recipient(share, { expires_at: '2026-01-15T08:00:00' });
    const loggedOut = household.make.recipient(share, { ended_at: '2026-01-15T08:00:00' });
    const over = household.make.share({ expires_at: '2026-01-15T08:00:00' });
    const refused: Record<string, string> = {
      'no cookie': '',
      'a changed secret': `${name}=${flipped(secret)}.${time}.${signature}`,
      'a changed time': `${name}=${secret}.${flipped(time)}.${signature}`,
      'a changed signature': `${name}=${secret}.${time}.${flipped(signature)}`,
      'no signature': `${name}=${secret}`,
      'an empty part': `${name}=${secret}.${time}.`,
      'the place in the queue': `${name}=${place}`,
      'an expired session': old.cookie,
      'an ended session': loggedOut.cookie,
      'a session of a revoked share': household.make.recipient(ended).cookie,
      'a session of an expired share': household.make.recipient(over).cookie,
      'two cookies': `${good.cookie}; ${household.make.recipient(madeShare()).cookie}`,
      'another name': good.cookie.replace('vault_share', 'Vault_Share'),
      'the session of a user': household.as('keeper').cookie.replace('vault_session', 'vault_share'),
      'an overlong one': `${name}=${'x'.repeat(10_000)}`,
    };
    for (const [what, cookie] of Object.entries(refused)) {
      const { status, code } = await sendRequest(port, 'GET', '/api/share/me', cookie ? { cookie } : {});
      expect([what, status, code]).toEqual([what, 401, 'share.session_ended']);
    }
    expect((await sendRequest(port, 'GET', '/api/share/me', { cookie: good.cookie })).status).toBe(200);
  });

  it('nothing of another share with the cookie of one', async () => {
    const [share, other] = [madeShare(), madeShare()];
    const { cookie } = household.make.recipient(share);
    const me = await sendRequest(port, 'GET', '/api/share/me', { cookie });
    expect(JSON.parse(me.text).documents.map(({ id }: { id: number }) => id)).toEqual([share.document]);
    expect((await sendRequest(port, 'GET', `/api/share/documents/${other.document}`, { cookie })).status).toBe(404);
  });

  it('nothing of the household’s own API, where a user is nobody to the share', async ({ served }) => {
    const core = Number(new URL(served.url).port);
    const { cookie } = household.make.recipient(madeShare());
    const asUser = cookie.replace('vault_share', 'vault_session');
    for (const one of [cookie, asUser, `${cookie}; ${asUser}`])
      for (const path of ['/api/patients', '/api/auth/me', '/api/shares', '/api/settings'])
        expect([one.slice(0, 20), path, (await sendRequest(core, 'GET', path, { cookie: one })).status]).toEqual([
          one.slice(0, 20),
          path,
          401,
        ]);
    const { cookie: user } = household.as('keeper');
    expect((await sendRequest(core, 'GET', '/api/share/me', { cookie: user })).code).toBe('share.session_ended');
  });

  it('nothing without a line in the audit trail, also with ranges and odd headers', async () => {
    const share = madeShare();
    const { cookie } = household.make.recipient(share);
    const lines = (): unknown =>
      household.db
        .prepare("SELECT count(*) FROM share_audit WHERE share_id = ? AND action IN ('view_doc', 'view_file')")
        .pluck()
        .get(share.id);
    const paths = ['', '/file', '/pages/1/image'].map((tail) => `/api/share/documents/${share.document}${tail}`);
    let expected = 0;
    for (const path of paths)
      for (const [name, value] of [
        ['range', 'bytes=1-'],
        ['range', 'bytes=-1'],
        ['if-range', 'x'],
      ] as const) {
        const { status, text } = await sendRequest(port, 'GET', path, { cookie, [name]: value });
        expected += 1;
        expect([path, status, text.length > 100, lines()]).toEqual([path, 200, true, expected]);
      }
  });

  it('nothing after leaving, with the cookie from before', async () => {
    const share = madeShare();
    const doctor = device();
    await enter(owner, doctor, share);
    const { cookie } = doctor;
    await doctor.post('/api/share/logout');
    for (const path of ['/api/share/me', `/api/share/documents/${share.document}`])
      expect((await sendRequest(port, 'GET', path, { cookie })).status).toBe(401);
  });
});

describe('a link for health apps', () => {
  const at = ({ token }: { token: string }): string => `/api/share/shl/${token}`;
  const manifest = JSON.stringify({ recipient: 'Praxis', embeddedLengthMax: 0 });

  it('leaves only ciphertext in the vault, and its key and address nowhere', async () => {
    const share = madeShare();
    const { body } = await owner.post(`/api/shares/${share.id}/health-links`, { passcode: 'Wegwarte 17' });
    const rows = async () => (await owner.get(`/api/shares/${share.id}/health-links`)).body;
    await expect.poll(async () => (await rows())[0].status).toBe('active');
    const payload = JSON.parse(Buffer.from(body.link.split('/')[1], 'base64url').toString()) as Record<string, string>;
    const { key = '', url: address = '' } = payload;
    const folder = join(household.vault, 'cache/health-links', body.link_id);
    const secrets = {
      key,
      'bytes of the key': Buffer.from(key, 'base64url').toString('latin1'),
      address: address.split('/').at(-1) ?? '',
      passcode: 'Wegwarte 17',
    };
    household.db.sqlite.pragma('wal_checkpoint(FULL)');
    for (const file of readdirSync(household.vault, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      const bytes = readFileSync(path, 'latin1');
      for (const [what, secret] of Object.entries(secrets))
        expect([path, what, bytes.includes(secret)]).toEqual([path, what, false]);
      if (!path.startsWith(folder)) continue;
      const decoded = bytes.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      for (const word of [SECRET, 'Elena', 'Patient', 'resourceType', '%PDF'])
        expect([path, word, decoded.join().includes(word)]).toEqual([path, word, false]);
    }
    expect(readdirSync(folder)).toEqual(['0.jwe']);
    const listed = JSON.stringify(await rows());
    for (const secret of [...Object.values(secrets), 'shlink:']) expect(listed).not.toContain(secret);
  });

  it('is the only thing that pages of other sites may call', async () => {
    const share = madeShare();
    const link = household.make.healthLink(share);
    const origin = { origin: 'https://viewer.example', host: `127.0.0.1:${port}` };
    const preflight = { ...origin, 'access-control-request-method': 'POST' };
    for (const [path, method] of [
      [at(link), 'POST'],
      ['/api/share/shl/unknown', 'POST'],
      ['/api/share/shl/files/unknown', 'GET'],
    ] as const) {
      const { status, headers, text } = await sendRequest(port, 'OPTIONS', path, preflight);
      expect([
        path,
        status,
        text,
        headers['access-control-allow-origin'],
        headers['access-control-allow-methods'],
      ]).toEqual([path, 204, '', '*', method]);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    for (const path of [
      ...new Set(ROUTES.map((route) => route.path.replace(/\{\w+\}/g, '1'))),
      ...[
        '/',
        '/health',
        `/share/${share.token}`,
        '/api/share/shl',
        '/api/share/shl/',
        `${at(link)}/x`,
        '/api/nothing',
      ],
    ]) {
      const reply = await sendRequest(port, 'OPTIONS', path, preflight);
      expectNothing(`OPTIONS ${path}`, reply, 'OPTIONS');
      expect([path, reply.headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
    const opened = await sendRequest(port, 'POST', at(link), origin, manifest);
    expect([opened.status, opened.headers['access-control-allow-origin'], opened.headers['set-cookie']]).toEqual([
      ...[200, '*', undefined],
    ]);
    // A page of another site reads nothing else, and can't change anything.
    const other = await sendRequest(port, 'POST', `/api/share/${share.token}/request-otp`, origin);
    expect([other.status, other.code, other.headers['access-control-allow-origin']]).toEqual([
      ...[403, 'request.cross_site', undefined],
    ]);
  });

  it('is not served at the address of the household', async ({ served }) => {
    const core = Number(new URL(served.url).port);
    const link = household.make.healthLink(madeShare());
    for (const method of ['POST', 'OPTIONS'] as const) {
      const { status, headers } = await sendRequest(
        core,
        method,
        at(link),
        { 'x-requested-with': 'XMLHttpRequest' },
        manifest,
      );
      expect([method, status, headers['access-control-allow-origin']]).toEqual([method, 404, undefined]);
    }
  });

  it('gives out its files only where its manifest says, for an hour, and none of another link', async () => {
    const [link, other] = [household.make.healthLink(madeShare()), household.make.healthLink(madeShare())];
    const { body } = await device().call('POST', at(link), JSON.parse(manifest));
    const location = new URL(body.files[0].location).pathname;
    const [value = '', time = '', signature = ''] = location.split('/').at(-1)?.split('.') ?? [];
    const fetched = (file: string): Promise<RawReply> => sendRequest(port, 'GET', `/api/share/shl/files/${file}`);
    expect((await fetched(`${value}.${time}.${signature}`)).status).toBe(200);
    const hourAgo = (Number.parseInt(time, 36) - 3601).toString(36);
    for (const file of [
      `${other.id}~0.${time}.${signature}`,
      `${link.id}~1.${time}.${signature}`,
      `${value}.${hourAgo}.${signature}`,
      `${value}.${time}.`,
      `${value}.${time}.${signature}x`,
      `${link.id}~0`,
      `..%2f..%2fvault.db`,
      link.id,
      '0.jwe',
    ])
      expectNothing(file, await fetched(file), 'GET');
  });
});
