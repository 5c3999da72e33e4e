import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

const GOOD = 'heather on the north slope';
let served: Served, admin: Client;
const idOf: Record<string, number> = {};

beforeAll(async () => {
  served = await serve();
  admin = new Client(served.url);
  await admin.setup();
  idOf['ann'] = (await admin.get('/api/auth/me')).body.id;
});
afterAll(() => served.remove());

const signIn = async (username: string, password: string = GOOD): Promise<Client> => {
  const client = new Client(served.url);
  await client.post('/api/auth/login', { username, password });
  return client;
};
const isIn = async (client: Client): Promise<boolean> => (await client.get('/api/auth/me')).status === 200;
const create = (username: string, more: Record<string, unknown> = {}) =>
  admin.post('/api/settings/users', { username, password: GOOD, ...more });
const patch = (who: Client, name: string, body: unknown) =>
  who.call('PATCH', `/api/settings/users/${idOf[name] ?? 999}`, body);

describe('accounts of other users', () => {
  it('are created as editors without patients', async () => {
    const { status, body } = await create('ben', { display_name: 'Ben Keller' });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        username: 'ben',
        display_name: 'Ben Keller',
        role: 'editor',
        created_at: expect.any(String),
        has_password: true,
        has_oidc: false,
        last_active_at: null,
      },
    ]);
    idOf['ben'] = body.id;
    const ben = await signIn('ben');
    expect((await ben.get('/api/auth/me')).body).toMatchObject({ role: 'editor', patients: [] });
    expect((await ben.get('/api/patients/1')).status).toBe(403);
    expect((await create('vera', { role: 'viewer' })).body).toMatchObject({ role: 'viewer', display_name: 'vera' });
    idOf['vera'] = (await admin.get('/api/settings/users')).body.find(
      (user: { username: string }) => user.username === 'vera',
    ).id;
  });

  it.each([
    ['a name that is taken, in other letters', { username: 'BEN' }, 409, 'user.name_taken'],
    ['a short password', { username: 'x1', password: 'short' }, 422, 'request.invalid'],
    ['a common password', { username: 'x1', password: 'passwordpassword' }, 422, 'password.weak'],
    ['the own name as password', { username: 'christopher', password: 'christopher1234' }, 422, 'password.weak'],
    ['a name with blanks', { username: 'a b' }, 422, 'request.invalid'],
    ['an unknown role', { username: 'x1', role: 'owner' }, 422, 'request.invalid'],
    ['an unknown field', { username: 'x1', is_admin: true }, 422, 'request.invalid'],
  ])('rejects %s', async (_what, { username, ...more }, status, code) => {
    const answer = await create(username, more);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('are for administrators only', async () => {
    const ben = await signIn('ben');
    const asked = [
      ben.get('/api/settings/users'),
      ben.get('/api/settings/access'),
      ben.post('/api/settings/users', { username: 'eve', password: GOOD }),
      ben.call('DELETE', `/api/settings/users/${idOf['vera']}`),
      patch(ben, 'vera', { display_name: 'V' }),
      ben.post(`/api/settings/users/${idOf['ben']}/access`, { patient_id: 1, role: 'owner' }),
      ben.get('/api/settings'),
      ben.get('/api/settings/sessions'),
      ben.get('/api/settings/audit-log'),
      ben.get('/api/settings/logs'),
      ben.get('/api/settings/prompts'),
    ];
    for (const { status, body } of await Promise.all(asked))
      expect([status, body.code]).toEqual([403, 'auth.forbidden']);
  });

  it('never show a password or its hash', async () => {
    const text = JSON.stringify([
      (await admin.get('/api/settings/users')).body,
      (await admin.get('/api/settings/access')).body,
      (await admin.get('/api/settings/audit-log')).body,
    ]);
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(GOOD);
  });
});

describe('changes of an account', () => {
  it('lets users change their name, and their password with the current one', async () => {
    const ben = await signIn('ben');
    expect((await patch(ben, 'ben', { display_name: 'Benjamin' })).body.display_name).toBe('Benjamin');
    expect((await patch(ben, 'ben', { role: 'admin' })).status).toBe(403);
    expect((await patch(ben, 'ben', { password: 'moss under the old oak' })).body.code).toBe('password.incorrect');
    expect((await patch(ben, 'ben', { password: 'moss under the old oak', current_password: 'no' })).body.code).toBe(
      'password.incorrect',
    );
    expect((await patch(ben, 'ben', { password: 'moss under the old oak', current_password: GOOD })).status).toBe(200);
    expect(await isIn(ben)).toBe(true);
    expect(await isIn(await signIn('ben', 'moss under the old oak'))).toBe(true);
    expect((await new Client(served.url).post('/api/auth/login', { username: 'ben', password: GOOD })).status).toBe(
      401,
    );
  });

  it('ends every session after a password reset by an administrator', async () => {
    const [one, two] = [await signIn('ben', 'moss under the old oak'), await signIn('ben', 'moss under the old oak')];
    expect([await isIn(one), await isIn(two)]).toEqual([true, true]);
    expect((await patch(admin, 'ben', { password: GOOD })).status).toBe(200);
    expect([await isIn(one), await isIn(two)]).toEqual([false, false]);
    expect(await isIn(await signIn('ben'))).toBe(true);
  });

  it('ends only the other sessions after the user changes the password', async () => {
    const elsewhere = await signIn('ann', 'correct horse battery');
    const current_password = 'correct horse battery';
    expect((await patch(admin, 'ann', { password: `${current_password} staple`, current_password })).status).toBe(200);
    expect([await isIn(admin), await isIn(elsewhere)]).toEqual([true, false]);
  });

  it('asks administrators for the present password before they change their own', async () => {
    const password = 'moss under the old oak';
    for (const proof of [{}, { current_password: 'not this one' }]) {
      const { status, body } = await patch(admin, 'ann', { password, ...proof });
      expect([status, body.code]).toEqual([403, 'password.incorrect']);
    }
    expect(await isIn(await signIn('ann', 'correct horse battery staple'))).toBe(true);
    expect((await patch(admin, 'ann', { display_name: 'Ann' })).status).toBe(200);
  });

  it('applies another role at once', async () => {
    const vera = await signIn('vera');
    expect((await vera.post('/api/patients', { display_name: 'X Y' })).body.code).toBe('auth.read_only');
    await patch(admin, 'vera', { role: 'admin' });
    expect((await vera.get('/api/settings/users')).status).toBe(200);
    await patch(admin, 'vera', { role: 'viewer' });
    expect((await vera.get('/api/settings/users')).status).toBe(403);
  });

  it("keeps the last administrator, and doesn't let users remove themselves", async () => {
    expect((await patch(admin, 'ann', { role: 'editor' })).body.code).toBe('user.last_admin');
    const own = await admin.call('DELETE', `/api/settings/users/${idOf['ann']}`);
    expect([own.status, own.body.code]).toEqual([400, 'user.cannot_delete_self']);
    await patch(admin, 'vera', { role: 'admin' });
    const vera = await signIn('vera');
    const races = await Promise.all([patch(admin, 'vera', { role: 'editor' }), patch(vera, 'ann', { role: 'editor' })]);
    expect(races.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)]);
    const { body } = await ((await isAdmin(admin)) ? admin : vera).get('/api/settings/users');
    expect(body.filter((user: { role: string }) => user.role === 'admin')).toHaveLength(1);
    if (!(await isAdmin(admin))) await patch(vera, 'ann', { role: 'admin' });
    await patch(admin, 'vera', { role: 'viewer' });
  });

  it('returns 404 for unknown users', async () => {
    for (const answer of [
      await admin.call('PATCH', '/api/settings/users/999', { display_name: 'X' }),
      await admin.call('DELETE', '/api/settings/users/999'),
      await admin.get('/api/settings/users/999/access'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'user.not_found']);
  });
});
const isAdmin = async (client: Client): Promise<boolean> => (await client.get('/api/auth/me')).body.role === 'admin';

describe('access to patients', () => {
  const grants = (name: string) => `/api/settings/users/${idOf[name]}/access`;

  it('is granted, changed and revoked, with effect at once', async () => {
    const ben = await signIn('ben');
    const given = await admin.post(grants('ben'), { patient_id: 1, role: 'viewer' });
    expect([given.status, given.body]).toEqual([
      200,
      [{ id: 1, slug: 'elena-keller', display_name: 'Elena Keller', role: 'viewer' }],
    ]);
    expect((await ben.get('/api/patients/1')).body).toMatchObject({ role: 'viewer' });
    expect((await ben.call('PATCH', '/api/patients/1', { sex: 'F' })).body.code).toBe('auth.read_only');
    await admin.post(grants('ben'), { patient_id: 1, role: 'owner' });
    expect((await ben.call('PATCH', '/api/patients/1', { sex: 'F' })).status).toBe(200);
    expect((await admin.get(grants('ben'))).body).toHaveLength(1);
    expect((await admin.call('DELETE', `${grants('ben')}/1`)).body).toEqual({ ok: true });
    expect((await ben.get('/api/patients/1')).status).toBe(403);
    const again = await admin.call('DELETE', `${grants('ben')}/1`);
    expect([again.status, again.body.code]).toEqual([404, 'access.not_found']);
  });

  it('rejects unknown patients and roles', async () => {
    expect((await admin.post(grants('ben'), { patient_id: 99, role: 'owner' })).body.code).toBe('patient.not_found');
    expect((await admin.post(grants('ben'), { patient_id: 1, role: 'admin' })).status).toBe(422);
  });

  it('shows administrators the names of patients but not their records', async () => {
    const { body: made } = await (await signIn('ben')).post('/api/patients', { display_name: 'Jonas Keller' });
    const { body } = await admin.get('/api/settings/access');
    expect(body.patients.map((patient: { display_name: string }) => patient.display_name)).toEqual([
      'Elena Keller',
      'Jonas Keller',
    ]);
    expect(body.grants).toContainEqual({ user_id: idOf['ben'], patient_id: made.id, role: 'owner' });
    expect((await admin.get(`/api/patients/${made.id}`)).status).toBe(403);
  });
});

describe('removing a user', () => {
  it('ends sessions and grants, and keeps the data that the user added', async () => {
    const ben = await signIn('ben');
    await admin.post(`/api/settings/users/${idOf['ben']}/access`, { patient_id: 1, role: 'owner' });
    expect((await admin.call('DELETE', `/api/settings/users/${idOf['ben']}`)).body).toEqual({ ok: true });
    expect(await isIn(ben)).toBe(false);
    const { body } = await admin.get('/api/settings/access');
    expect(body.grants.filter((grant: { user_id: number }) => grant.user_id === idOf['ben'])).toEqual([]);
    expect(body.patients).toHaveLength(2);
    expect((await new Client(served.url).post('/api/auth/login', { username: 'ben', password: GOOD })).status).toBe(
      401,
    );
  });
});
