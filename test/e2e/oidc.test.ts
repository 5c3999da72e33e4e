/** @module-tag long */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';
import { startSignInService, type SignInService } from '../fakes/sign-in-service.ts';
import { test } from '../support/fixtures.ts';
import { describeWith } from '../support/requirements.ts';
import { Client } from '../support/client.ts';
import type { Served } from '../support/serve.ts';

const CALLBACK = '/api/auth/oidc/callback';

let served: Served, service: SignInService, admin: Client;
let context: BrowserContext, page: Page;

test.beforeAll(async ({ browser, served: core }) => {
  served = core;
  // One context for all tests: a new one loads the app anew.
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  service = await startSignInService(served.url + CALLBACK);
  admin = new Client(served.url);
  await admin.setup();
  await set({
    oidc_enabled: true,
    oidc_provider_url: service.issuer,
    oidc_client_id: service.clientId,
    oidc_client_secret: service.clientSecret,
  });
});
afterAll(async () => {
  await page?.unrouteAll({ behavior: 'ignoreErrors' });
  await context?.close();
  await service?.close();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: `test-results/${task.name.slice(0, 30).replace(/\W+/g, '-')}.png` });
});

const set = async (patch: Record<string, unknown>): Promise<void> =>
  expect((await admin.call('PATCH', '/api/settings', patch)).status).toBe(200) as undefined;
interface User {
  id: number;
  username: string;
  display_name: string;
  role: string;
  has_oidc: boolean;
  has_password: boolean;
}
const user = async (username: string): Promise<User | undefined> =>
  ((await admin.get('/api/settings/users')).body as User[]).find((candidate) => candidate.username === username);

/** Makes the browser one that was never here: an empty tab, without cookies and stored values. */
async function forget(): Promise<void> {
  await page?.unrouteAll({ behavior: 'ignoreErrors' });
  await page?.close();
  await context.clearCookies();
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin: served.url, storageTypes: 'local_storage,indexeddb' });
  await devTools.detach();
}
async function openLogin(): Promise<void> {
  await forget();
  await page.goto(`${served.url}/login`);
}

/** From the sign-in page through the pages of the service; ends where Hearth sends the browser. */
async function passAs(name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with 127.0.0.1' }).click();
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL((url) => url.origin === served.url && url.pathname !== CALLBACK);
}
async function signInAs(name: string): Promise<void> {
  await openLogin();
  await passAs(name);
}
const isIn = async (): Promise<boolean> => (await context.request.get(`${served.url}/api/auth/me`)).ok();
const told = (text: string): Promise<void> => page.getByRole('alert').filter({ hasText: text }).waitFor();

/**
 * Lets the test change where the browser is sent next. A browser follows redirects without asking anybody, so that each
 * of them
 * is turned into a page that goes on by itself.
 */
async function bend(change: (next: URL) => Promise<void> | void): Promise<void> {
  await page.route(
    (url) => url.origin === service.issuer || url.pathname.startsWith('/api/auth/oidc/'),
    async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 });
      const location = answer.headers()['location'];
      if (location === undefined) return route.fulfill({ response: answer });
      const next = new URL(location, route.request().url());
      await change(next);
      return route.fulfill({
        status: 200,
        contentType: 'text/html',
        body: `<script>location.replace(${JSON.stringify(next.href)})</script>`,
      });
    },
  );
}
/**
 * Signs in with the cookies of the browser but without a page for every step; opens the page where the last redirect
 * leads.
 */
async function walkAs(name: string, change: (next: URL) => Promise<void> | void): Promise<void> {
  await forget();
  let next = new URL('/api/auth/oidc/login', served.url);
  let form: Record<string, string> | undefined;
  while (next.origin === service.issuer || next.pathname.startsWith('/api/auth/oidc/')) {
    const answer = await context.request.fetch(next.href, {
      maxRedirects: 0,
      headers: { accept: 'text/html' },
      ...(form && { method: 'POST', form }),
    });
    const { location } = answer.headers();
    if (location === undefined) {
      expect(answer.status()).toBe(200);
      const prompt = /name="prompt" value="(\w+)"/.exec(await answer.text())?.[1] ?? '';
      form = { prompt, ...(prompt === 'login' && { login: name, password: 'anything' }) };
    } else {
      form = undefined;
      next = new URL(location, next);
      await change(next);
    }
  }
  await page.goto(next.href);
}
const atCallback = (change: (url: URL) => Promise<void> | void) => (next: URL) =>
  next.pathname === CALLBACK ? change(next) : undefined;
const atService = (change: (query: URLSearchParams) => void) => (next: URL) => {
  if (next.origin === service.issuer && next.pathname === '/auth') change(next.searchParams);
};
const put = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);

describeWith({ browser: true }, 'login with an identity provider', () => {
  it('creates an account at the first login, and opens the start page', async () => {
    service.people['ada'] = { name: 'Ada Keller' };
    await signInAs('ada');
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await user('ada')).toMatchObject({
      display_name: 'Ada Keller',
      role: 'editor',
      has_oidc: true,
      has_password: false,
    });
    const { patients } = await (await context.request.get(`${served.url}/api/auth/me`)).json();
    expect(patients).toEqual([]);
    const cookie = (await context.cookies()).find(({ name }) => name === 'vault_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect((await context.cookies()).find(({ name }) => name === 'vault_sign_in')).toBeUndefined();
  });

  it('recognizes the same person under a new name', async () => {
    const before = await user('ada');
    service.people['ada'] = { name: 'Ada Keller-Rossi' };
    await signInAs('ada');
    expect(await user('ada')).toMatchObject({ id: before?.id, display_name: 'Ada Keller-Rossi' });
    const { items } = (await admin.get('/api/settings/audit-log?action=login&limit=2')).body;
    expect(items.map((entry: { username: string; details: unknown }) => [entry.username, entry.details])).toEqual([
      ['ada', { with: 'oidc' }],
      ['ada', { with: 'oidc' }],
    ]);
  });

  it('continues to the requested page', async () => {
    await forget();
    await page.goto(`${served.url}/documents?status=done`);
    await page.waitForURL(/\/login/);
    await passAs('ada');
    expect(page.url()).toBe(`${served.url}/documents?status=done`);
  });

  it('works when every step is a page of its own', async () => {
    await openLogin();
    await bend(() => undefined);
    await passAs('ada');
    expect(await isIn()).toBe(true);
  });
});

describeWith({ browser: true }, 'a manipulated login', () => {
  it.each<[string, () => (next: URL) => Promise<void> | void, string]>([
    ['another state', () => atCallback(put('state', 'made-up')), 'was started in another browser'],
    ['no state', () => atCallback((url) => url.searchParams.delete('state')), 'was started in another browser'],
    ['another nonce', () => atService((query) => query.set('nonce', 'of-another-sign-in')), 'could not be verified'],
    ['another issuer', () => atCallback(put('iss', 'https://evil.example')), 'could not be verified'],
    [
      'no issuer, though the service names itself',
      () => atCallback((url) => url.searchParams.delete('iss')),
      'could not be verified',
    ],
    ['another code', () => atCallback(put('code', 'made-up')), 'took too long or was already used'],
    [
      'another proof of the code',
      () => atService((query) => query.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')),
      'took too long or was already used',
    ],
    [
      'a refusal of the service',
      () =>
        atCallback((url) => {
          url.searchParams.delete('code');
          url.searchParams.set('error', 'access_denied');
        }),
      'denied access',
    ],
    ['no code', () => atCallback((url) => url.searchParams.delete('code')), 'could not be verified'],
    [
      'the cookie of the browser gone',
      () => atCallback(() => context.clearCookies()),
      'was started in another browser',
    ],
  ])('%s: nobody is logged in, and the page says why', async (_what, change, words) => {
    await walkAs('ada', change());
    await told(words);
    expect(await isIn()).toBe(false);
  });

  it('rejects an expired code', async () => {
    service.codeSeconds = 1;
    try {
      await walkAs(
        'ada',
        atCallback(() => new Promise((resolve) => setTimeout(resolve, 2500))),
      );
      await told('took too long or was already used');
      expect(await isIn()).toBe(false);
    } finally {
      service.codeSeconds = 60;
    }
  });

  it('rejects a response that was used before, in this browser and in another', async () => {
    let used = '';
    await openLogin();
    await bend(
      atCallback((url) => {
        used = url.href;
      }),
    );
    await passAs('ada');
    await context.clearCookies({ name: 'vault_session' });
    await page.goto(used);
    await told('was started in another browser');
    expect(await isIn()).toBe(false);
    await openLogin();
    await page.goto(used);
    await told('was started in another browser');
    expect(await isIn()).toBe(false);
  });

  it('returns JSON errors to programs', async () => {
    const answer = await new Client(served.url).get(`${CALLBACK}?code=x&state=y`);
    expect([answer.status, answer.body.code, answer.headers.get('set-cookie')]).toEqual([
      400,
      'oidc.state_mismatch',
      expect.not.stringContaining('vault_session'),
    ]);
  });

  it('is audited without the code', async () => {
    const { items } = (await admin.get('/api/settings/audit-log?action=http.error&limit=500')).body;
    expect(items.map((entry: { details: { code: string } }) => entry.details.code)).toEqual(
      expect.arrayContaining(['oidc.state_mismatch', 'oidc.invalid_token', 'oidc.state_expired', 'oidc.access_denied']),
    );
    expect(JSON.stringify(items)).not.toContain('made-up');
  });
});

describeWith({ browser: true }, 'accounts', () => {
  it('are not created when that is disabled', async () => {
    await set({ oidc_auto_create_user: false });
    await signInAs('bea');
    await told('You don’t have an account here');
    expect([await isIn(), await user('bea')]).toEqual([false, undefined]);
    await set({ oidc_auto_create_user: true });
  });

  it('are not created without a usable name', async () => {
    service.people['ceb'] = { preferred_username: '+++' };
    await signInAs('ceb');
    await told('sent no usable user name in “preferred_username”');
  });

  it('are not taken over by a similar name; the owner of both links them', async () => {
    await signInAs('ann');
    await told('A user named ann already exists');
    expect(await isIn()).toBe(false);
    await context.clearCookies();
    await page.goto(`${served.url}/login`);
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByPlaceholder('Enter any login').fill('ann');
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Connected to 127.0.0.1').waitFor();
    expect(await user('ann')).toMatchObject({ has_oidc: true, has_password: true, role: 'admin' });
    await signInAs('ann');
    expect((await (await context.request.get(`${served.url}/api/auth/me`)).json()).username).toBe('ann');
  });

  it("can't be linked twice, and the page where the user started says so", async () => {
    await signInAs('eva');
    await openLogin();
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByPlaceholder('Enter any login').fill('eva');
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await told('is already linked to another user');
    expect(new URL(page.url()).pathname).toBe('/settings');
    expect(await user('ann')).toMatchObject({ has_oidc: false });
    // The service forgets who was there, and the right one connects again.
    await context.clearCookies({ name: /^_/ });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByPlaceholder('Enter any login').fill('ann');
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Connected to 127.0.0.1').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('follow the groups of the provider, but keep the last administrator', async () => {
    await set({ oidc_role_claim: 'groups', oidc_scopes: 'openid profile email' });
    service.people['dora'] = { groups: ['hearth-admin'] };
    await signInAs('dora');
    expect((await user('dora'))?.role).toBe('admin');
    service.people['dora'] = { groups: ['hearth-editor', 'family'] };
    await signInAs('dora');
    expect((await user('dora'))?.role).toBe('editor');
    service.people['dora'] = { groups: [] };
    await signInAs('dora');
    expect((await user('dora'))?.role).toBe('viewer');
    service.people['ann'] = { groups: ['family'] };
    await signInAs('ann');
    expect((await user('ann'))?.role).toBe('admin');
    await set({ oidc_role_claim: '' });
  });
});

describeWith({ browser: true }, 'a provider that fails', () => {
  it('reports a wrong client secret', async () => {
    await set({ oidc_client_secret: 'another one' });
    await signInAs('ada');
    await told('rejected Hearth’s client ID or secret');
    await set({ oidc_client_secret: service.clientSecret });
  });

  it('reports that it is unreachable, and passwords still work', async () => {
    expect((await admin.post('/api/settings/oidc/test')).body).toEqual({ ok: true, issuer: service.issuer });
    await set({ oidc_provider_url: 'http://127.0.0.1:9' });
    expect((await admin.post('/api/settings/oidc/test')).body).toEqual({
      ok: false,
      error: 'oidc.provider_unreachable',
    });
    await openLogin();
    await page.getByRole('link', { name: 'Sign in with 127.0.0.1' }).click();
    await told('can’t be reached');
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /^Documents/ }).waitFor();
  });

  it('is not offered when disabled', async () => {
    await set({ oidc_enabled: false });
    expect((await admin.get('/api/auth/oidc/enabled')).body).toEqual({ enabled: false, provider_url: '' });
    await openLogin();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: /Sign in with/ }).count()).toBe(0);
    const answer = await admin.get('/api/auth/oidc/login');
    expect([answer.status, answer.body.code]).toEqual([404, 'oidc.disabled']);
  });
});
