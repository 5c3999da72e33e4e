import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import { createPasskeyDevice, type PasskeyDevice } from '../support/passkey-device.ts';

const PASSWORD = 'correct horse battery';
const OPTIONS = '/api/auth/passkeys/options';
const CHALLENGE = '/api/auth/passkeys/sign-in/options';
const SIGN_IN = '/api/auth/passkeys/sign-in';
let url: string, origin: string, admin: Client;

test.beforeAll(async ({ served }) => {
  // Browsers make passkeys for names only.
  url = served.url.replace('127.0.0.1', 'localhost');
  ({ origin } = new URL(url));
  admin = new Client(url);
  await admin.setup();
});

interface Place {
  origin?: string;
  rpId?: string;
  challenge?: string;
}
async function register(device: PasskeyDevice, { by = admin, place = {} as Place, lies = {}, name = 'Laptop' } = {}) {
  const options = await by.post(OPTIONS, { current_password: PASSWORD });
  expect(options.status).toBe(200);
  const { challenge, rp, user } = options.body;
  const credential = device.register({ challenge, origin, rpId: rp.id, ...place }, user.id, lies);
  return { ...(await by.post('/api/auth/passkeys', { name, credential })), options: options.body, credential };
}
/** A passkey that works. */
async function registered(name?: string) {
  const device = createPasskeyDevice();
  const { status, body, options } = await register(device, { ...(name !== undefined && { name }) });
  expect(status).toBe(201);
  return { device, id: body.id as number, handle: options.user.id as string };
}
async function newChallenge(): Promise<string> {
  return (await new Client(url).post(CHALLENGE)).body.challenge as string;
}
async function signIn(device: PasskeyDevice, lies = {}, place: Place = {}) {
  const person = new Client(url);
  const body = device.answer({ challenge: await newChallenge(), origin, rpId: 'localhost', ...place }, lies);
  return { ...(await person.post(SIGN_IN, body)), person, sent: body };
}
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const REFUSED = [401, 'passkey.not_accepted'];

describe('a passkey', () => {
  it('is added with the password, listed, and signs in', async () => {
    const { device, id } = await registered('Phone');
    const [listed] = (await admin.get('/api/auth/passkeys')).body.items;
    expect(listed).toMatchObject({ id, name: 'Phone', rp_id: 'localhost', synced: true, last_used_at: null });
    expect((await new Client(url).get('/api/auth/passkeys/available')).body).toEqual({ available: true });
    const { status, person } = await signIn(device);
    expect(status).toBe(200);
    expect((await person.get('/api/auth/me')).body.username).toBe('ann');
    const [used] = (await admin.get('/api/auth/passkeys')).body.items;
    expect(used.last_used_at).toMatch(/^\d{4}-/);
    const { items } = (await admin.get('/api/settings/audit-log?action=login&limit=1')).body;
    expect(items[0]).toMatchObject({ username: 'ann', details: { with: 'passkey' } });
  });

  it('is not added without the password', async () => {
    for (const body of [{}, { current_password: 'wrong horse battery' }])
      expect(outcome(await admin.post(OPTIONS, body))).toEqual([403, 'password.incorrect']);
  });

  it('is asked for under the same handle, and not for a device that has one', async () => {
    const first = await registered();
    const { options } = await register(createPasskeyDevice());
    expect(options.user.id).toBe(first.handle);
    expect(options.excludeCredentials).toContainEqual({
      id: first.device.id,
      type: 'public-key',
      transports: ['internal', 'hybrid'],
    });
    expect(outcome(await register(first.device))).toEqual([409, 'passkey.already_registered']);
  });

  it('is renamed and removed by its user only', async () => {
    const { device, id } = await registered();
    await admin.post('/api/settings/users', { username: 'bob', password: PASSWORD, role: 'admin' });
    const bob = new Client(url);
    await bob.post('/api/auth/login', { username: 'bob', password: PASSWORD });
    const path = `/api/auth/passkeys/${id}`;
    expect(outcome(await bob.call('PATCH', path, { name: 'Mine' }))).toEqual([404, 'passkey.not_found']);
    expect(outcome(await bob.call('DELETE', path))).toEqual([404, 'passkey.not_found']);
    expect((await bob.get('/api/auth/passkeys')).body.items).toEqual([]);
    expect((await admin.call('PATCH', path, { name: ' Tablet ' })).body.name).toBe('Tablet');
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(outcome(await signIn(device))).toEqual(REFUSED);
    expect(outcome(await admin.call('DELETE', path))).toEqual([404, 'passkey.not_found']);
  });

  it('stays when its user changes the password, and ends when an administrator sets one', async () => {
    const { body } = await admin.post('/api/settings/users', { username: 'sam', password: PASSWORD });
    const sam = new Client(url);
    await sam.post('/api/auth/login', { username: 'sam', password: PASSWORD });
    const device = createPasskeyDevice();
    expect((await register(device, { by: sam })).status).toBe(201);
    const path = `/api/settings/users/${body.id}`;
    const own = { password: 'heather on the slope', current_password: PASSWORD };
    expect((await sam.call('PATCH', path, own)).status).toBe(200);
    expect((await signIn(device)).status).toBe(200);
    expect((await admin.call('PATCH', path, { display_name: 'Sam' })).status).toBe(200);
    expect((await signIn(device)).status).toBe(200);
    expect((await admin.call('PATCH', path, { password: 'a third pass phrase' })).status).toBe(200);
    expect(outcome(await signIn(device))).toEqual(REFUSED);
  });

  it('ends with its account', async () => {
    const { body } = await admin.post('/api/settings/users', { username: 'eve', password: PASSWORD });
    const eve = new Client(url);
    await eve.post('/api/auth/login', { username: 'eve', password: PASSWORD });
    const device = createPasskeyDevice();
    expect((await register(device, { by: eve })).status).toBe(201);
    expect((await signIn(device)).status).toBe(200);
    await admin.call('DELETE', `/api/settings/users/${body.id}`);
    expect(outcome(await signIn(device))).toEqual(REFUSED);
  });
});

describe('a new passkey is refused', () => {
  it.each([
    ['made on another page', { place: { origin: 'https://evil.example' } }],
    ['made on another port', { place: { origin: 'http://localhost:1' } }],
    ['made for another host', { place: { rpId: 'evil.example' } }],
    ['made without verification of the person', { lies: { unverified: true } }],
    ['that answers a sign-in', { lies: { type: 'webauthn.get' } }],
  ])('%s', async (_case, options) => {
    expect(outcome(await register(createPasskeyDevice(), options))).toEqual(REFUSED);
  });

  it('for the challenge of another user, of a sign-in, or a used one', async () => {
    const device = createPasskeyDevice();
    const { credential } = await register(device);
    expect(outcome(await admin.post('/api/auth/passkeys', { name: 'Again', credential }))).toEqual(REFUSED);
    const challenge = await newChallenge();
    const other = createPasskeyDevice().register({ challenge, origin, rpId: 'localhost' }, 'handle');
    expect(outcome(await admin.post('/api/auth/passkeys', { name: 'Laptop', credential: other }))).toEqual(REFUSED);
    await admin.post('/api/settings/users', { username: 'dan', password: PASSWORD });
    const dan = new Client(url);
    await dan.post('/api/auth/login', { username: 'dan', password: PASSWORD });
    const { body } = await admin.post(OPTIONS, { current_password: PASSWORD });
    const stolen = createPasskeyDevice().register({ ...body, origin, rpId: body.rp.id }, body.user.id);
    expect(outcome(await dan.post('/api/auth/passkeys', { name: 'Laptop', credential: stolen }))).toEqual(REFUSED);
  });

  it('beyond twenty of an account', async () => {
    const { body } = await admin.post('/api/settings/users', { username: 'max', password: PASSWORD });
    expect(body.username).toBe('max');
    const max = new Client(url);
    await max.post('/api/auth/login', { username: 'max', password: PASSWORD });
    for (let n = 0; n < 20; n += 1) expect((await register(createPasskeyDevice(), { by: max })).status).toBe(201);
    const refused = await max.post(OPTIONS, { current_password: PASSWORD });
    expect([...outcome(refused), refused.body.params]).toEqual([409, 'passkey.too_many', { limit: 20 }]);
  }, 60_000);
});

describe('a sign-in is refused', () => {
  it.each<[string, object, Place]>([
    ['from another page', {}, { origin: 'https://evil.example' }],
    ['for another host', {}, { rpId: 'evil.example' }],
    ['without verification of the person', { unverified: true }, {}],
    ['with the handle of somebody else', { userHandle: 'c29tZWJvZHk' }, {}],
    ['with the answer to a registration', { type: 'webauthn.create' }, {}],
    ['for an unknown challenge', {}, { challenge: 'AAAA' }],
  ])('%s', async (_case, lies, place) => {
    const { device } = await registered();
    const refused = await signIn(device, lies, place);
    expect(outcome(refused)).toEqual(REFUSED);
    expect((await refused.person.get('/api/auth/me')).status).toBe(401);
  });

  it('with a used answer, a counter that went back, a changed signature, or an unknown passkey', async () => {
    const { device } = await registered();
    const { sent } = await signIn(device, { counter: 7 });
    const post = async (body: unknown) => outcome(await new Client(url).post(SIGN_IN, body));
    expect(await post(sent)).toEqual(REFUSED);
    expect(outcome(await signIn(device, { counter: 7 }))).toEqual(REFUSED);
    expect(outcome(await signIn(device, { counter: 3 }))).toEqual(REFUSED);
    const answer = device.answer({ challenge: await newChallenge(), origin, rpId: 'localhost' }, { counter: 9 });
    const { signature } = createPasskeyDevice().answer({ challenge: 'x', origin, rpId: 'localhost' }).response;
    expect(await post({ ...answer, response: { ...answer.response, signature } })).toEqual(REFUSED);
    expect(outcome(await signIn(createPasskeyDevice(), { userHandle: 'AAAA' }))).toEqual(REFUSED);
    expect(outcome(await signIn(device, { counter: 10 }))).toEqual([200, undefined]);
  });

  it('with the challenge of a registration', async () => {
    const { device } = await registered();
    const { challenge } = (await admin.post(OPTIONS, { current_password: PASSWORD })).body;
    const answer = device.answer({ challenge, origin, rpId: 'localhost' });
    expect(outcome(await new Client(url).post(SIGN_IN, answer))).toEqual(REFUSED);
  });

  it('at an IP address, where no browser has passkeys', async () => {
    const byNumber = new Client(url.replace('localhost', '127.0.0.1'));
    expect(outcome(await byNumber.post(CHALLENGE))).toEqual([400, 'passkey.address_without_name']);
    expect((await byNumber.get('/api/auth/passkeys/available')).body).toEqual({ available: false });
  });

  it('after thirty failures of one address, whichever passkeys they name', async () => {
    // Of this computer, whose addresses count as one.
    const body = createPasskeyDevice().answer({ challenge: 'x', origin, rpId: 'localhost' }, { userHandle: 'AAAA' });
    const attempt = () => new Client(url).post(SIGN_IN, body);
    await expect.poll(async () => outcome(await attempt()), { interval: 0 }).toEqual([429, 'auth.rate_limited']);
    expect(Number((await attempt()).headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('from another site', async () => {
    const answer = await new Client(url).call('POST', SIGN_IN, {}, { origin: 'https://evil.example' });
    expect(outcome(answer)).toEqual([403, 'request.cross_site']);
  });
});
