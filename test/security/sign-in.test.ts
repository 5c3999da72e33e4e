import { expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { test, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served;
const ofFile = test.override('serveOptions', WITHOUT_INBOX);
ofFile.beforeAll(async ({ served: core }) => {
  served = core;
  await new Client(served.url).setup();
});

const PASSWORD = 'correct horse battery';
/** Marks of browsers that signed in. */
const marks: string[] = [];

interface Browser {
  client: Client;
  /** All cookies that a browser would send to the sign-in. */
  cookies: Map<string, string>;
  signIn(username: string, password: string): Promise<number>;
}

function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  const client = new Client(served.url);
  return {
    client,
    cookies,
    async signIn(username, password) {
      client.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const { status, headers } = await client.post('/api/auth/login', { username, password });
      for (const cookie of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return status;
    },
  };
}
const sessionOf = ({ cookies }: Browser): Client => {
  const client = new Client(served.url);
  client.cookie = `vault_session=${cookies.get('vault_session')}`;
  return client;
};

it('ends the session that the browser had, and no other', async () => {
  const [browser, other] = [openBrowser(), openBrowser()];
  expect([await browser.signIn('ann', PASSWORD), await other.signIn('ann', PASSWORD)]).toEqual([200, 200]);
  const before = sessionOf(browser);
  expect(await browser.signIn('ann', 'wrong wrong wrong')).toBe(401);
  expect((await before.get('/api/auth/me')).status).toBe(200);
  expect(await browser.signIn('ann', PASSWORD)).toBe(200);
  expect((await before.get('/api/auth/me')).status).toBe(401);
  for (const { status } of await Promise.all(
    [sessionOf(browser), sessionOf(other)].map((one) => one.get('/api/auth/me')),
  ))
    expect(status).toBe(200);
});

it('sets no session that the browser chose', async () => {
  const browser = openBrowser();
  await browser.signIn('ann', PASSWORD);
  const attacker = openBrowser();
  attacker.cookies.set('vault_session', 'chosen.by.attacker');
  expect(await attacker.signIn('ann', PASSWORD)).toBe(200);
  expect(attacker.cookies.get('vault_session')).not.toContain('chosen');
});

it('takes the right password from a known browser while strangers behind the same proxy guess', async () => {
  const [known, stranger] = [openBrowser(), openBrowser()];
  expect(await known.signIn('ann', PASSWORD)).toBe(200);
  const guesses = await Promise.all(
    Array.from({ length: 32 }, (_, n) => openBrowser().signIn(`guess-${n}`, 'wrong wrong wrong')),
  );
  expect(guesses.filter((status) => status === 429)).not.toEqual([]);
  expect(await stranger.signIn('ann', PASSWORD)).toBe(429);
  expect(await known.signIn('ann', PASSWORD)).toBe(200);
  marks.push(known.cookies.get('vault_device') ?? '');
  // The mark is signed, and good for its own user only.
  const [user = '', ...rest] = (known.cookies.get('vault_device') ?? '').split('-');
  stranger.cookies.set('vault_device', `${Number(user) + 1}-${rest.join('-')}`);
  expect(await stranger.signIn('ann', PASSWORD)).toBe(429);
  stranger.cookies.set('vault_device', known.cookies.get('vault_session') ?? '');
  expect(await stranger.signIn('ann', PASSWORD)).toBe(429);
});

it('gives a browser no cookie for a wrong password, and hides the mark of a known one from pages', async () => {
  const login = (password: string) =>
    new Client(served.url).call('POST', '/api/auth/login', { username: 'ann', password }, { cookie: mark });
  const mark = `vault_device=${marks.at(-1)}`;
  expect((await login('wrong wrong wrong')).headers.getSetCookie()).toEqual([]);
  const { headers } = await login(PASSWORD);
  const device = headers.getSetCookie().find((cookie) => cookie.startsWith('vault_device='));
  expect(device).toMatch(/; Max-Age=31536000; Path=\/api\/auth\/login; HttpOnly; SameSite=Lax$/);
  const thief = new Client(served.url);
  thief.cookie = `vault_session=${marks.at(-1)}`;
  expect((await thief.get('/api/auth/me')).status).toBe(401);
});
