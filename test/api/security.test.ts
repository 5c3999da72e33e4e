import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Household } from '../support/household.ts';
import { hasRequirements } from '../support/requirements.ts';
import { sendRequest, type RawReply } from '../support/raw-http.ts';
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

describe('response headers', () => {
  it('protect every response against framing, sniffing, shared caches and injected scripts', async () => {
    const { make } = household;
    const document = make.document();
    for (const path of [
      '/',
      '/health',
      '/api/patients',
      '/api/none',
      `/api/documents/${document}/file`,
      `/api/documents/${document}/thumbnail`,
    ]) {
      const { headers } = await ask('GET', path, { cookie: household.as('owner').cookie });
      expect([
        path,
        headers['x-content-type-options'],
        headers['x-frame-options'],
        headers['referrer-policy'],
        headers['x-powered-by'],
        headers['permissions-policy'],
      ]).toEqual([path, 'nosniff', 'DENY', 'no-referrer', undefined, expect.stringContaining('camera=()')]);
      const policy = String(headers['content-security-policy']);
      if (/thumbnail/.test(path)) expect(policy).toBe("default-src 'none'; sandbox");
      else
        for (const directive of [
          "default-src 'self'",
          "script-src 'self'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
          "form-action 'self'",
        ])
          expect(policy.split(';').map((part) => part.trim())).toContain(directive);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
      expect([path, headers['cache-control']]).toEqual([
        path,
        expect.stringMatching(path.startsWith('/api/documents/') ? /^private, no-cache$/ : /no-store|no-cache/),
      ]);
    }
  });

  it('keep the session cookie from scripts and other sites', async () => {
    const reply = await ask(
      'POST',
      '/api/auth/login',
      {},
      JSON.stringify({ username: 'ann', password: 'correct horse battery' }),
    );
    const [cookie = ''] = reply.headers['set-cookie'] ?? [];
    expect(
      cookie
        .split('; ')
        .slice(1)
        .map((part) => part.toLowerCase()),
    ).toEqual(expect.arrayContaining(['httponly', 'samesite=lax', 'path=/', expect.stringMatching(/^max-age=\d+$/)]));
    expect(cookie).not.toMatch(/domain=|secure/i);
    expect(reply.headers['strict-transport-security']).toBeUndefined();
    const out = await ask('POST', '/api/auth/logout', {
      cookie: cookie.split(';')[0] ?? '',
      'x-requested-with': 'XMLHttpRequest',
    });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^vault_session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i);
  });

  it('require TLS behind a local TLS proxy', async () => {
    const reply = await ask(
      'POST',
      '/api/auth/login',
      { 'x-forwarded-proto': 'https' },
      JSON.stringify({ username: 'ann', password: 'correct horse battery' }),
    );
    expect([reply.headers['set-cookie']?.[0], reply.headers['strict-transport-security']]).toEqual([
      expect.stringMatching(/; Secure/),
      expect.stringMatching(/^max-age=\d{8}/),
    ]);
  });

  it('never contain raw file names', async () => {
    const { make, db } = household;
    const document = make.document();
    for (const name of [
      'a"\r\nSet-Cookie: x=1\r\n.pdf',
      'a\u0000b.pdf',
      '“ü”\u202efdp.exe',
      "a';b.pdf",
      'x'.repeat(255),
      '\ud800.pdf',
      '%0d%0aX: y.pdf',
      '\\"\\.pdf',
    ]) {
      db.prepare('UPDATE documents SET original_filename = ? WHERE id = ?').run(name, document);
      const { status, headers } = await ask('GET', `/api/documents/${document}/file?download=1`, {
        cookie: household.as('owner').cookie,
      });
      expect([status, headers['set-cookie'], headers['x']]).toEqual([200, undefined, undefined]);
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[\w.!~*%-]*$/,
      );
    }
  });
});

describe('a session', () => {
  it("can't be taken over with a changed, foreign, doubled or overlong cookie", async () => {
    const { cookie } = household.as('owner');
    const value = cookie.split('=')[1] ?? '';
    const [id = '', time = '', signature = ''] = value.split('.');
    const forged = [
      `${id}.${time}.`,
      `${id}.${time}`,
      id,
      `${id}.${time}.${signature}x`,
      `${id}x.${time}.${signature}`,
      `${id}.0.${signature}`,
      `.${time}.${signature}`,
      `${id}.${time}.${'A'.repeat(signature.length)}`,
      'undefined',
      '%00',
      '..',
      'a'.repeat(8000),
    ];
    for (const attempt of forged)
      expect([
        attempt.slice(0, 60),
        (await ask('GET', '/api/auth/me', { cookie: `vault_session=${attempt}` })).status,
      ]).toEqual([attempt.slice(0, 60), 401]);
    expect((await ask('GET', '/api/auth/me', { cookie })).status).toBe(200);
    expect((await ask('GET', '/api/auth/me', { authorization: `Bearer ${value}` })).status).toBe(401);
    expect((await ask('GET', `/api/auth/me?vault_session=${value}`)).status).toBe(401);
  });

  it('closes its open streams when it ends', async () => {
    const { make, ids, db } = household;
    const heard = { owner: await listen('owner'), keeper: await listen('keeper') };
    const change = async (): Promise<string> => {
      const document = make.document();
      expect((await household.as('keeper').post(`/api/documents/${document}/mark-reviewed`)).status).toBe(200);
      await expect.poll(() => heard.keeper()).toContain(`"document_id":${document},`);
      return `"document_id":${document},`;
    };
    const first = await change();
    await expect.poll(() => heard.owner()).toContain(first);
    db.prepare('UPDATE sessions SET revoked_at = created_at WHERE user_id = ?').run(ids.owner);
    const [second] = [await change(), await change()];
    expect(heard.owner()).not.toContain(second);
    // A connection that stays open counts against the limit of connections.
    await expect.poll(() => heard.owner()).toMatch(/CLOSED$/);
    expect(heard.keeper()).not.toContain('CLOSED');
  });
});

/** Opens the live stream; answers what was heard so far, and `CLOSED` after its end. */
function listen(name: 'owner' | 'keeper'): Promise<() => string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/pipeline/events',
        headers: { host: `127.0.0.1:${port}`, cookie: household.as(name).cookie },
        agent: false,
      },
      (incoming) => {
        incoming
          .on('error', () => undefined)
          .on('end', () => {
            text += 'CLOSED';
          })
          .on('data', (chunk: Buffer) => {
            text += chunk.toString();
            resolve(() => text);
          });
      },
    )
      .on('error', reject)
      .end();
  });
}

describe('guessing a password', () => {
  const attempt = (username: string, password: string, headers: Record<string, string> = {}): Promise<RawReply> =>
    ask('POST', '/api/auth/login', headers, JSON.stringify({ username, password }));

  it('is limited per name in any spelling and from any claimed address, without affecting others', async () => {
    const spellings = ['victim', 'VICTIM', ' victim ', 'Victim', 'ｖictim'];
    for (const [i, name] of spellings.entries())
      expect((await attempt(name, `wrong password ${i}`, { 'x-forwarded-for': `10.0.0.${i}` })).status).toBe(401);
    const blocked = await attempt('victim', 'wrong password 6', {
      'x-forwarded-for': '10.9.9.9',
      forwarded: 'for=10.8.8.8',
    });
    expect([blocked.status, blocked.code, Number(blocked.headers['retry-after']) > 0]).toEqual([
      429,
      'auth.rate_limited',
      true,
    ]);
    expect((await attempt('ann', 'correct horse battery')).status).toBe(200);
  });

  it('does not reveal whether a user exists', async () => {
    const [known, unknown] = [
      await attempt('ann', 'wrong wrong wrong'),
      await attempt('nobody-here', 'wrong wrong wrong'),
    ];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  });

  it('counts concurrent guesses', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => attempt('parallel', `guess number ${i}`).then((reply) => reply.status)),
    );
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7);
  });

  it('leaves no password in the database or the audit log', async () => {
    await attempt('ann', 'a very unusual guess 4711');
    const rows = household.db.prepare('SELECT * FROM audit_log').all();
    expect(JSON.stringify(rows)).not.toMatch(/unusual guess|correct horse/);
    expect(household.db.prepare('SELECT password_hash FROM users WHERE username = ?').pluck().get('ann')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
  });
});

describe('paths that leave their folder', () => {
  it('are not found in the user interface', async () => {
    for (const path of [
      '/../package.json',
      '/assets/../../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/%2e%2e%5c%2e%2e%5cpackage.json',
      '//etc/passwd',
      '/assets/\u0000x',
      '/.git/config',
      '/index.html/../../../package.json',
      '/vault.db',
      '/secret.key',
    ]) {
      const { status, text } = await ask('GET', encodeURI(path).replaceAll('%25', '%'), {});
      expect(text, path).not.toMatch(/"devDependencies"|root:x:|\[core\]|SQLite format/);
      expect(status).toBeLessThan(500);
    }
  });

  it('are rejected in the vault, as paths, links and special files', async () => {
    const { make } = household;
    const folder = join(served.vault, 'patients/elena-1/2025');
    mkdirSync(folder, { recursive: true });
    if (hasRequirements('links in the vault', { symlinks: true })) {
      symlinkSync('/etc/hostname', join(folder, 'link.pdf'));
      symlinkSync('/etc', join(served.vault, 'patients/elena-1/linked'));
    }
    writeFileSync(join(served.vault, 'secret.pdf'), 'x');
    for (const vault_path of [
      '../../etc/passwd.pdf',
      '/etc/passwd.pdf',
      'patients/../../x.pdf',
      'patients/elena-1/2025/link.pdf',
      'patients/elena-1/linked/hosts.pdf',
      'secret.pdf',
      'vault.db',
      'secret.key',
      'trash/1/0.pdf',
      'tmp/a.pdf',
      'patients\\elena-1\\a.pdf',
      'patients/elena-1/2025',
      'patients/elena-1/2025/a.pdf\u0000.txt',
      './patients/elena-1/2025/a.pdf',
      'C:/a.pdf',
      'patients/elena-1/2025/none.pdf',
    ]) {
      const { status, text } = await ask(
        'POST',
        `/api/documents/${make.document({ file: false })}/relink`,
        { cookie: household.as('owner').cookie, 'x-requested-with': 'XMLHttpRequest' },
        JSON.stringify({ vault_path }),
      );
      expect([vault_path, status >= 400 && status < 500]).toEqual([vault_path, true]);
      expect(text).not.toContain(served.vault);
    }
  });

  it('in the row of a document open no file outside', async () => {
    const { make, db } = household;
    for (const path of ['../outside.pdf', '/etc/hostname', 'patients/elena-1/2025/link.pdf', 'secret.key']) {
      const document = make.document({ file: false });
      db.prepare('UPDATE documents SET file_path = ? WHERE id = ?').run(path, document);
      for (const tail of ['/file', '/thumbnail', '/pages/1/image']) {
        const { status, text } = await ask('GET', `/api/documents/${document}${tail}`, {
          cookie: household.as('owner').cookie,
        });
        expect([path, tail, status >= 400 && status < 500, text.includes(served.vault)]).toEqual([
          path,
          tail,
          true,
          false,
        ]);
      }
      db.prepare('DELETE FROM documents WHERE id = ?').run(document);
    }
  });
});
