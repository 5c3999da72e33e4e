import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { contract } from '../../src-shared/contract/index.ts';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { phoneBackups } from '../../src-shared/contract/phone-backups/service.ts';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { sendRequest } from '../support/raw-http.ts';
import { test } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';
import { EXAMPLES } from '../api/examples.ts';

const TOKEN = 'the token of the phone service 7391';
let served: Served, household: Household, owner: Client, port: number;
const it = test.override('serveOptions', {
  env: { VAULT_PIPELINE_WATCH: 'false', SECURITY__API_TOKEN: TOKEN },
});
it.beforeAll(async ({ served: core, household: records }) => {
  served = core;
  household = records;
  owner = household.as('owner');
  port = Number(new URL(served.url).port);
});

describe('a path', () => {
  /** Up, absolute, encoded, of Windows, of Hearth itself, through a link. */
  const PATHS = [
    ...[
      '..',
      '../..',
      '../../etc/passwd',
      'patients/../../x',
      'patients/..',
      './patients',
      'patients/.',
      'patients//x',
    ],
    ...['/etc/passwd', '//etc/passwd', '~/x', 'file:///etc/passwd', 'patients/../vault.db', 'patients/%2e%2e/%2e%2e/x'],
    ...[
      '%2e%2e',
      '..%2f..%2fetc',
      '..\\..\\etc',
      'patients\\..\\..\\x',
      'C:\\Windows',
      'C:/Windows',
      '\\\\host\\share',
    ],
    ...[
      'vault.db',
      'vault.db-wal',
      'secret.key',
      'vault.lock',
      'vault.holder.json',
      'VAULT.DB',
      'tmp',
      'cache',
      'trash',
      'cache/thumbnails',
    ],
    ...[
      'patients/a\u0000.pdf',
      'patients/\u2025/x',
      'patients/．．/x',
      'patients/CON',
      'patients/a.pdf:stream',
      'patients/a. ',
    ],
    ...['patients/elena/out', 'patients/elena/out/passwd', 'patients/elena/database', 'x'.repeat(5000), ''],
  ];

  it('that leaves the vault or names a file of Hearth is neither shown, moved, deleted nor a target', async () => {
    const folder = join(served.vault, 'patients/elena');
    mkdirSync(folder, { recursive: true });
    symlinkSync('/etc', join(folder, 'out'));
    symlinkSync(join(served.vault, 'vault.db'), join(folder, 'database'));
    const own = household.make.looseFile();
    const before = readdirSync(served.vault).sort();
    for (const path of PATHS) {
      const document = household.make.document();
      const replies = await Promise.all([
        owner.get(`/api/vault/tree?path=${encodeURIComponent(path)}`),
        owner.call('DELETE', `/api/vault/file?path=${encodeURIComponent(path)}`),
        owner.post('/api/vault/move', { from_path: path, to_path: 'patients/elena/x.pdf' }),
        owner.post('/api/vault/move', { from_path: own, to_path: path }),
        owner.post(`/api/documents/${document}/relink`, { vault_path: path }),
      ]);
      for (const [index, { status, body }] of replies.entries()) {
        // Without a path, the tree is that of the whole vault.
        if (index === 0 && path === '') continue;
        expect([path.slice(0, 40), index, status >= 400 && status < 500, status]).toEqual([
          path.slice(0, 40),
          index,
          true,
          status,
        ]);
        expect(JSON.stringify(body)).not.toMatch(/root:x:|SQLite format/);
        expect(JSON.stringify(body)).not.toContain(served.vault);
      }
    }
    expect(readdirSync(served.vault).sort()).toEqual(before);
  });
});

describe('a file with active content', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  it.for<[string, string, string]>([
    ['HTML', 'page.html', '<!DOCTYPE html><script>alert(1)</script>'],
    ['HTML named as a PDF', 'page.pdf', '<!DOCTYPE html><script>alert(1)</script>'],
    ['SVG', 'image.svg', svg],
    ['SVG named as an image', 'image.png', svg],
    ['a script', 'run.js', 'alert(1)'],
    ['XML with an entity', 'data.xml', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ['XHTML', 'page.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>'],
    ['a program', 'run.exe', 'MZ\u0090\u0000\u0003'],
    ['a shell script', 'run.pdf', '#!/bin/sh\nrm -rf /'],
    ['a shortcut', 'link.url', '[InternetShortcut]\nURL=file:///etc/passwd'],
  ])('is refused: %s', async ([, name, content]) => {
    const { status, body } = await owner.upload(Buffer.from(content), name, household.patient);
    expect([status, body.code]).toEqual([415, expect.stringMatching(/^upload\.(unsupported_type|type_mismatch)$/)]);
  });
});

describe('a body', () => {
  const send = (
    body: Buffer | string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> =>
    fetch(`${served.url}/api/patients`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        cookie: owner.cookie,
        ...headers,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    }).then(async (reply) => ({ status: reply.status, text: await reply.text() }));

  it.for<[string, () => [Buffer | string, Record<string, string>?]]>([
    ['450,000 brackets', () => ['['.repeat(450_000)]],
    ['450,000 closed brackets', () => ['['.repeat(225_000) + ']'.repeat(225_000)]],
    ['90,000 nested objects', () => ['{"a":'.repeat(90_000) + '1' + '}'.repeat(90_000)]],
    ['two megabytes', () => [JSON.stringify({ display_name: 'x'.repeat(2 ** 21) })]],
    ['a megabyte of zeros, compressed', () => [gzipSync(Buffer.alloc(64 * 2 ** 20)), { 'content-encoding': 'gzip' }]],
    ['an unknown compression', () => ['{}', { 'content-encoding': 'bogus' }]],
    ['UTF-16 that says it is UTF-8', () => [Buffer.from('{"display_name":"x"}', 'utf16le')]],
    ['a prototype', () => ['{"display_name":"x","__proto__":{"role":"admin"}}']],
    ['a constructor', () => ['{"display_name":"x","constructor":{"prototype":{"role":"admin"}}}']],
    ['a field twice, the second of another type', () => ['{"display_name":"x","display_name":{"a":1}}']],
    ['a list of itself', () => [JSON.stringify(Array.from({ length: 1000 }, () => ({ display_name: 'x' })))]],
  ])('of %s is refused', async ([, make]) => {
    const before = household.db.prepare('SELECT count(*) FROM patients').pluck().get();
    const { status, text } = await send(...make());
    expect([400, 413, 415, 422]).toContain(status);
    expect(text).not.toMatch(/node_modules|at .*\.ts/);
    expect(household.db.prepare('SELECT count(*) FROM patients').pluck().get()).toBe(before);
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe('a search', () => {
  const QUERIES = [
    ...[
      '"',
      '""',
      '"""',
      '*',
      '**',
      '^',
      'a*b*',
      '(',
      ')',
      '((((',
      'NEAR(',
      'NEAR(a b, 99999999999)',
      'AND',
      'NOT',
      'a NOT',
    ],
    ...[
      'OR OR',
      '-',
      '--',
      '-a',
      '+a',
      'a:b',
      'text:a',
      'rowid:1',
      'content MATCH 1',
      '{a b}:c',
      '\\',
      '%',
      '_',
      "'",
      "''",
    ],
    ...[
      "' OR 1=1 --",
      "'; DROP TABLE documents; --",
      "' UNION SELECT password_hash FROM users --",
      '1;ATTACH x',
      '\u0000',
    ],
    ...['\ud800', '\u202e', '😀', 'ﷺ', 'x'.repeat(4000), `${'"a" '.repeat(500)}`, 'a '.repeat(2000), '('.repeat(2000)],
    ...[
      'type:',
      'date:..',
      'date:9999..0000',
      'doctor:"',
      'tag:*',
      '<script>',
      '${7*7}',
      '{{7*7}}',
      '../../etc',
      '%00',
    ],
  ];
  const PATHS = ['/api/documents?q=', '/api/documents/suggest?q=', '/api/normalization/diagnoses?search='];

  it('of any text is answered or refused, and shows nothing of other people', async () => {
    const stranger = household.as('editor');
    for (const path of PATHS)
      for (const query of QUERIES) {
        const { status, body } = await stranger.get(path + encodeURIComponent(query.toWellFormed()));
        expect([path, query.slice(0, 40), [200, 400, 422].includes(status), status]).toEqual([
          path,
          query.slice(0, 40),
          true,
          status,
        ]);
        expect(JSON.stringify(body)).not.toMatch(/Quittenbaum|argon2|SQLITE|no such column/);
      }
  });
});

describe('what nobody is shown', () => {
  it('is in no reply to an administrator, in no log and in no copy', async () => {
    const secrets = {
      oidc_client_secret: 'geheim-4711-a',
      ocr_remote_api_key: 'geheim-4711-b',
      google_vision_key: 'geheim-4711-c',
    };
    const keeper = household.as('keeper');
    expect((await keeper.call('PATCH', '/api/settings', secrets)).status).toBe(200);
    const texts: [string, string][] = [];
    for (const [route, endpoint] of Object.values(contract).flatMap((area) =>
      Object.values<Endpoint>(area).map((one): [string, Endpoint] => [`${one.method} ${one.path}`, one]),
    )) {
      if (endpoint.method !== 'GET' || endpoint.reply === 'live') continue;
      const { path } = EXAMPLES[route]?.(household) ?? { path: endpoint.path };
      const reply = await fetch(served.url + path, { headers: { cookie: keeper.cookie }, redirect: 'manual' });
      texts.push([route, Buffer.from(await reply.arrayBuffer()).toString('latin1')]);
    }
    expect(texts.length).toBeGreaterThan(50);
    const hashes = household.db
      .prepare('SELECT password_hash FROM users WHERE password_hash IS NOT NULL')
      .pluck()
      .all();
    const sessions = household.db.prepare('SELECT session_id FROM sessions WHERE revoked_at IS NULL').pluck().all();
    const hidden: [string, string, RegExp][] = [
      ...Object.values(secrets).map((word): [string, string, RegExp] => ['a secret', word, /^$/]),
      // ADR 0063: without hashes, nobody could sign in after a restore.
      ...(hashes as string[]).map((word): [string, string, RegExp] => [
        'a hash',
        word,
        /^GET \/api\/settings\/backup$/,
      ]),
      ...(sessions as string[]).map((word): [string, string, RegExp] => [
        'a session',
        word,
        /^GET \/api\/settings\/sessions$/,
      ]),
      ['the token', TOKEN, /^GET \/api\/phone-service$/],
    ];
    for (const [what, word, allowed] of hidden)
      for (const [route, text] of texts)
        if (!allowed.test(route)) expect([what, route, text.includes(word)]).toEqual([what, route, false]);
    const written = household.db.prepare('SELECT * FROM audit_log').all();
    expect(JSON.stringify(written)).not.toMatch(/geheim-4711|argon2|Quittenbaum/);
  });
});

describe('the phone service', () => {
  it('takes its token in one place only, and the core takes it nowhere', async () => {
    const to = Number(new URL(served.backupsUrl).port);
    const places: Record<string, string>[] = [
      { authorization: `Bearer ${TOKEN}` },
      { cookie: `X-API-Token=${TOKEN}` },
      { 'x-api-token': ` ${TOKEN.slice(0, -1)}` },
      { 'x-api-token': `${TOKEN}, ${TOKEN}` },
      { 'x-api-token': TOKEN.toUpperCase() },
      { 'x-token': TOKEN },
    ];
    for (const { method, path } of Object.values(phoneBackups)) {
      if (path === phoneBackups.healthz.path) continue;
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      for (const headers of places)
        expect([path, (await sendRequest(to, method, address, headers)).status]).toEqual([path, 401]);
      expect((await sendRequest(to, method, `${address}?token=${encodeURIComponent(TOKEN)}`)).status).toBe(401);
    }
    for (const name of ['nobody', 'viewer', 'owner', 'editor'] as const) {
      const headers = { cookie: household.as(name).cookie, 'x-api-token': TOKEN };
      for (const path of ['/api/phone/backups', '/api/phone/devices', '/api/phone-service'])
        expect([name, path, [401, 403, 404].includes((await sendRequest(port, 'GET', path, headers)).status)]).toEqual([
          name,
          path,
          true,
        ]);
    }
  });

  it('is open at its readiness probe and at no other spelling of it', async () => {
    const to = Number(new URL(served.backupsUrl).port);
    for (const path of [
      '/healthz/',
      '/healthz/../backups',
      '//healthz',
      '/healthz%2f..%2fbackups',
      '/HEALTHZ',
      '/healthz;/backups',
      '/backups/healthz',
      '/healthz%00',
      '/healthz?x=/../backups',
    ]) {
      const { status, text } = await sendRequest(to, 'GET', path);
      expect([path, status === 200 ? text : status]).toEqual([path, expect.toSatisfy((seen) => seen !== 500)]);
      if (status === 200) expect(JSON.parse(text)).toEqual({ status: 'ok' });
    }
  });
});
