import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

let served: Served, admin: Client;
const PASSWORD = 'correct horse battery';
beforeAll(async () => {
  served = await serve();
  admin = new Client(served.url);
  await admin.setup();
});
afterAll(() => served.remove());

interface Row {
  session_id: string;
  is_current: boolean;
  revoked_at: string | null;
  user_agent: string;
}
const rows = async (query: string = ''): Promise<Row[]> =>
  (await admin.get(`/api/settings/sessions${query}`)).body.items;
const signIn = async (userAgent: string): Promise<Client> => {
  const client = new Client(served.url);
  await client.call('POST', '/api/auth/login', { username: 'ann', password: PASSWORD }, { 'user-agent': userAgent });
  return client;
};

describe('sessions', () => {
  it('are listed with user and address, the current one marked', async () => {
    await signIn('phone');
    const all = await rows();
    expect(all).toHaveLength(2);
    expect(all.filter((row) => row.is_current)).toHaveLength(1);
    expect(all).toContainEqual({
      session_id: expect.any(String),
      user_id: 1,
      username: 'ann',
      display_name: 'ann',
      role: 'admin',
      created_at: expect.any(String),
      last_active_at: expect.any(String),
      expires_at: expect.any(String),
      ip_address: '127.0.0.1',
      user_agent: 'phone',
      revoked_at: null,
      is_current: false,
    });
  });

  it('end when an administrator revokes them', async () => {
    const phone = await signIn('other phone');
    const row = (await rows()).find(({ user_agent }) => user_agent === 'other phone');
    expect((await admin.call('DELETE', `/api/settings/sessions/${row?.session_id}`)).body).toEqual({ ok: true });
    const answer = await phone.get('/api/documents');
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.required']);
    expect((await rows()).some(({ session_id }) => session_id === row?.session_id)).toBe(false);
    expect(
      (await rows('?include_revoked=true')).find(({ session_id }) => session_id === row?.session_id)?.revoked_at,
    ).toEqual(expect.any(String));
    expect((await admin.call('DELETE', `/api/settings/sessions/${row?.session_id}`)).status).toBe(200);
    expect((await admin.call('DELETE', '/api/settings/sessions/none')).body.code).toBe('session.not_found');
  });

  it("can't be opened with the listed id without a signature", async () => {
    const thief = new Client(served.url);
    thief.cookie = `vault_session=${(await rows())[0]?.session_id}`;
    expect((await thief.get('/api/auth/me')).status).toBe(401);
  });

  it('can be ended by their own user', async () => {
    const other = await signIn('second');
    const { body } = await other.get('/api/settings/sessions');
    const own = body.items.find((row: Row) => row.is_current);
    expect((await other.call('DELETE', `/api/settings/sessions/${own.session_id}`)).status).toBe(200);
    expect((await other.get('/api/auth/me')).status).toBe(401);
  });
});

describe('the audit log', () => {
  const list = async (query: string) => (await admin.get(`/api/settings/audit-log?${query}`)).body;

  it('records who ended which session', async () => {
    const { items, total } = await list('action=session.revoke');
    expect(total).toBe(3);
    expect(items[0]).toEqual({
      id: expect.any(Number),
      user_id: 1,
      username: 'ann',
      action: 'session.revoke',
      resource_type: 'session',
      resource_id: expect.any(String),
      details: null,
      ip_address: '127.0.0.1',
      created_at: expect.any(String),
    });
  });

  it('is filtered and paged, newest first', async () => {
    const { items, total } = await list('limit=500');
    expect(items.map((entry: { id: number }) => entry.id)).toEqual(
      items.map((entry: { id: number }) => entry.id).sort((a: number, b: number) => b - a),
    );
    expect((await list('limit=2&offset=1')).items).toEqual(items.slice(1, 3));
    expect((await list('action=login,setup.complete')).total).toBe(
      items.filter((entry: { action: string }) => ['login', 'setup.complete'].includes(entry.action)).length,
    );
    expect((await list('user_id=1')).total).toBe(
      items.filter((entry: { user_id: number | null }) => entry.user_id === 1).length,
    );
    const day = items[0].created_at.slice(0, 10);
    expect((await list(`date_from=${day}&date_to=${day}`)).total + (await list('date_to=2000-01-01')).total).toBe(
      total,
    );
    for (const bad of ['limit=501', 'limit=0', 'offset=-1', 'user_id=x', 'date_from=2024-02-31'])
      expect((await admin.get(`/api/settings/audit-log?${bad}`)).status).toBe(422);
  });

  it('records failed logins without the attempted name', async () => {
    await new Client(served.url).post('/api/auth/login', { username: 'my-secret-typed-here', password: 'x' });
    const { items } = await list('action=http.error');
    expect(items[0]).toMatchObject({
      user_id: null,
      resource_type: 'login',
      details: { code: 'auth.invalid_credentials' },
    });
    expect(JSON.stringify(items)).not.toContain('my-secret');
  });
});

describe('the log', () => {
  it('contains no names of people or files', async () => {
    const { body: patient } = await admin.post('/api/patients', { display_name: 'Xaver Verborgen' });
    await admin.upload(Buffer.from('%PDF-1.7 broken'), 'verborgen.pdf', patient.id);
    mkdirSync(join(served.vault, 'inbox', patient.slug), { recursive: true });
    writeFileSync(join(served.vault, 'inbox', patient.slug, 'verborgen.pdf'), '%PDF-1.7 broken');
    const logs = async (): Promise<{ level: string }[]> => (await admin.get('/api/settings/logs')).body.logs;
    await expect.poll(async () => (await logs()).some(({ level }) => level === 'warn')).toBe(true);
    expect(JSON.stringify(await logs()).toLowerCase()).not.toContain('verborgen');
  });

  it('shows its last lines by level and module', async () => {
    const { logs, total, modules } = (await admin.get('/api/settings/logs')).body;
    expect(logs[0]).toEqual({ time: expect.any(String), level: 'info', module: 'core', message: 'started' });
    expect([total, modules]).toEqual([logs.length, expect.arrayContaining(['core'])]);
    expect((await admin.get('/api/settings/logs?level=ERROR')).body.logs).toEqual([]);
    expect((await admin.get('/api/settings/logs?level=error,info&module=core&limit=1')).body.logs).toHaveLength(1);
    for (const bad of ['level=loud', 'limit=0', 'limit=99999'])
      expect((await admin.get(`/api/settings/logs?${bad}`)).status).toBe(422);
  });
});
