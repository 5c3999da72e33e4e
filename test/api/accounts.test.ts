import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.remove());

describe('accounts', () => {
  const admin = (): Client => new Client(served.url);

  it('reports that the core runs and needs setup', async () => {
    expect((await admin().get('/health')).body).toEqual({ status: 'ok', mode: 'core' });
    expect((await admin().get('/api/setup/status')).body).toMatchObject({
      needs_setup: true,
      vault_path: served.vault,
    });
    expect((await admin().get('/api/documents')).status).toBe(401);
  });

  it('refuses weak passwords and creates the administrator once', async () => {
    const weak = await admin().post('/api/setup/complete', {
      username: 'ann',
      password: 'passwordpassword',
      patient_name: 'Elena Keller',
    });
    expect([weak.status, weak.body.code]).toEqual([422, 'password.weak']);
    const short = await admin().post('/api/setup/complete', {
      username: 'ann',
      password: 'short',
      patient_name: 'Elena Keller',
    });
    expect([short.status, short.body.issues[0].path]).toEqual([422, 'body.password']);
    const person = admin();
    expect((await person.setup()).status).toBe(200);
    expect(person.cookie).toMatch(/^vault_session=/);
    expect((await admin().setup()).body.code).toBe('setup.already_completed');
    expect((await admin().get('/api/setup/status')).body).toEqual({ needs_setup: false });
  });

  it('signs in and out, and revokes at once', async () => {
    const person = admin();
    expect((await person.post('/api/auth/login', { username: 'ANN', password: 'correct horse battery' })).status).toBe(
      200,
    );
    expect((await person.get('/api/auth/me')).body).toMatchObject({
      username: 'ann',
      role: 'admin',
      patients: [{ slug: 'elena-keller', role: 'owner' }],
    });
    const { cookie } = person;
    expect((await person.post('/api/auth/logout')).status).toBe(200);
    person.cookie = cookie;
    expect((await person.get('/api/auth/me')).status).toBe(401);
  });

  it('rejects forged, foreign and bare requests', async () => {
    const person = admin();
    await person.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    const forged = new Client(served.url);
    forged.cookie = person.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await forged.get('/api/auth/me')).status).toBe(401);
    expect(
      (await person.call('POST', '/api/patients', { display_name: 'X Y' }, { origin: 'https://evil.example' })).body
        .code,
    ).toBe('request.cross_site');
    expect(
      (await person.call('POST', '/api/patients', { display_name: 'X Y' }, { 'X-Requested-With': '' })).status,
    ).toBe(403);
    const login = await fetch(`${served.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: '{}',
    });
    expect(login.status).toBe(403);
  });

  it('sends headers against framing, sniffing and injected scripts', async () => {
    const { headers } = await admin().get('/');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('limits a user name after five failed logins', async () => {
    const guess = () => admin().post('/api/auth/login', { username: 'nobody', password: 'wrong wrong wrong' });
    for (let i = 0; i < 5; i += 1) expect((await guess()).status).toBe(401);
    const blocked = await guess();
    expect([blocked.status, blocked.body.code]).toEqual([429, 'auth.rate_limited']);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(200);
    expect((await admin().post('/api/auth/login', { username: 'ann', password: 'correct horse battery' })).status).toBe(
      200,
    );
  });

  it('limits an address that tries many names; successful logins neither count nor reset the limit', async () => {
    const other = await serve();
    try {
      const login = (username: string, password = 'wrong wrong wrong') =>
        new Client(other.url).post('/api/auth/login', { username, password });
      await new Client(other.url).setup();
      for (let n = 0; n < 29; n += 1) expect((await login(`guess-${n}`)).status).toBe(401);
      for (let n = 0; n < 3; n += 1) expect((await login('ann', 'correct horse battery')).status).toBe(200);
      expect((await login('guess-29')).status).toBe(401);
      const blocked = await login('guess-30');
      expect([blocked.status, blocked.body.code, Number(blocked.headers.get('retry-after')) > 200]).toEqual([
        429,
        'auth.rate_limited',
        true,
      ]);
      expect((await login('ann', 'correct horse battery')).status).toBe(429);
    } finally {
      await other.remove();
    }
  }, 60_000);

  it('stores patients under slugs that keep every letter', async () => {
    const person = admin();
    await person.post('/api/auth/login', { username: 'ann', password: 'correct horse battery' });
    const slugs: string[] = [];
    for (const display_name of ['Jürg Käser', 'Jürg Käser', 'Élodie Œuvray', '../../etc', 'CON'])
      slugs.push((await person.post('/api/patients', { display_name })).body.slug);
    expect(slugs.slice(0, 3)).toEqual(['juerg-kaeser', 'juerg-kaeser-2', 'elodie-oeuvray']);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]+$/);
    expect(slugs[4]).not.toBe('con');
    const [first] = (await person.get('/api/patients')).body;
    expect((await person.call('PATCH', `/api/patients/${first.id}`, { sex: 'Q' })).status).toBe(422);
    expect((await person.call('PATCH', `/api/patients/${first.id}`, { date_of_birth: '2024-02-30' })).status).toBe(422);
    expect((await person.call('PATCH', `/api/patients/${first.id}`, { sex: 'F' })).body.sex).toBe('F');
    expect((await person.get('/api/patients/999')).status).toBe(404);
  });
});
