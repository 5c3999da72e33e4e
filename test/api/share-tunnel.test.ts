import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { test } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';
import { listenLive, type LiveListener } from '../support/live-messages.ts';
import { readCode, Recipient, type OpenShare } from '../support/recipient.ts';
import { serve, type ServeOptions, type Served } from '../support/serve.ts';

/** Shares that are published through a tunnel: here a program that prints what cloudflared prints. */

const HOST = 'quiet-hearth-paper-lamp.trycloudflare.com';
const folder = mkdtempSync(join(tmpdir(), 'hearth-cloudflared-'));
const control = join(folder, 'orders');
const fake = fileURLToPath(new URL('../fakes/cloudflared.ts', import.meta.url));
const OPTIONS: ServeOptions = {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_PUBLIC_HOST: 'home.example',
    VAULT_SHARE_TUNNEL: 'cloudflared',
    PATH: [folder, process.env['PATH'] ?? ''].join(delimiter),
  },
};

let household: Household, served: Served, owner: Client, admin: Client;
const it = test.override('serveOptions', OPTIONS);
it.beforeAll(async ({ served: program, household: records }) => {
  writeFileSync(control, '');
  writeFileSync(join(folder, 'cloudflared'), `#!/bin/sh\nexec '${process.execPath}' '${fake}' '${control}' "$@"\n`);
  chmodSync(join(folder, 'cloudflared'), 0o755);
  [household, served] = [records, program];
  [owner, admin] = [records.as('owner'), records.as('admin')];
});
it.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const set = (body: object): Promise<unknown> => admin.call('PATCH', '/api/settings', body);
const service = async (by: Client = admin) => (await by.get('/api/shares/listener')).body;
const tunnelState = async (): Promise<string> => (await service()).tunnel.state;
async function share(by = owner, patient = household.patient): Promise<OpenShare & { url: string }> {
  const document = household.make.document({ patient });
  const { body } = await by.post('/api/shares', {
    patient_id: patient,
    document_ids: [document],
    recipient_label: 'Dr. Frisch',
  });
  return { id: body.share_id, token: new URL(body.share_url).pathname.split('/')[2] ?? '', url: body.share_url };
}
const revoke = ({ id }: OpenShare): Promise<unknown> => owner.call('DELETE', `/api/shares/${id}`);
/** Somebody who comes through the tunnel: the service sees the name of the tunnel, and its program on this computer. */
const visitor = async (host = HOST): Promise<Recipient> =>
  new Recipient((await service()).url, '203.0.113.9', { host });

describe('a tunnel', () => {
  it('opens with the first share, whose link has its address, and closes with the last one', async () => {
    const [heard, unheard] = [await listenLive(owner), await listenLive(household.as('other'))];
    const one = await share();
    expect(new URL(one.url).origin).toBe(`https://${HOST}`);
    const running = await service(owner);
    expect(running).toMatchObject({
      state: 'running',
      public_url: `https://${HOST}`,
      tunnel: { kind: 'cloudflared', state: 'open', address: `https://${HOST}`, error: null },
      trial_until: null,
    });
    expect(readFileSync(`${control}.args`, 'utf8')).toContain(`http://127.0.0.1:${running.port}`);
    await expect.poll(() => heard.kinds()).toContain('shares');
    await revoke(one);
    expect(await service()).toMatchObject({ state: 'waiting', tunnel: { state: 'off', address: null } });
    const { items } = (await admin.get('/api/settings/audit-log?action=share.tunnel.open,share.tunnel.close')).body;
    expect(items.map(({ action, details, username }: Record<string, unknown>) => [action, details, username])).toEqual([
      ['share.tunnel.close', { kind: 'cloudflared' }, null],
      ['share.tunnel.open', { kind: 'cloudflared' }, null],
    ]);
    expect(await waitForOwnMessage(unheard)).not.toContain('shares');
    await Promise.all([heard.stop(), unheard.stop()]);
  });

  /** One broadcast reaches all listeners, so their own message arrives after any that they should not have received. */
  async function waitForOwnMessage(listener: LiveListener): Promise<string[]> {
    await household.as('other').post('/api/events', { patient_id: household.otherPatient, title: 'Theirs' });
    await expect.poll(() => listener.kinds()).toContain('event');
    return listener.kinds();
  }

  it('is reached under its own name with cookies for TLS, and counts visitors by their own address', async () => {
    const one = await share();
    const doctor = await visitor();
    const code = await readCode(owner, doctor, one);
    expect((await doctor.post(`/api/share/${one.token}/verify-otp`, { code })).status).toBe(200);
    expect(doctor.set[0]).toMatch(/^vault_share=.*Secure/);
    expect((await (await visitor('evil.trycloudflare.com')).get('/health')).status).toBe(404);
    const { events } = (await owner.get(`/api/shares/${one.id}/audit`)).body;
    const opened = events.find(({ action }: { action: string }) => action === 'otp_verify_ok');
    expect(opened.client_ip).toBe('203.0.113.9');
    await revoke(one);
  });

  it('that is closed leaves nobody whose header is believed', async () => {
    await set({ share_tunnel: 'fixed', share_trusted_proxy: '' });
    const one = await share();
    const somebody = new Recipient((await service()).url, '203.0.113.9');
    await readCode(owner, somebody, one);
    const { events } = (await owner.get(`/api/shares/${one.id}/audit`)).body;
    expect(events[0].client_ip).toBe('127.0.0.1');
    await revoke(one);
    await set({ share_tunnel: null, share_trusted_proxy: null });
  });

  it('can be tried while nothing is shared', async () => {
    expect(await service()).toMatchObject({ state: 'waiting', trial_until: null });
    await admin.post('/api/shares/listener');
    await expect.poll(tunnelState).toBe('open');
    expect(await service()).toMatchObject({ state: 'running', trial_until: expect.any(String) });
    await admin.call('DELETE', '/api/shares/listener');
    expect(await service()).toMatchObject({ state: 'off', trial_until: null, tunnel: { state: 'off' } });
    await set({ share_listen: null });
  });

  it('says why it failed, to administrators only, and is tried again when its setting is right', async () => {
    await set({ share_tunnel: 'ssh', share_ssh_user: 'hearth' });
    const one = await share();
    const failed = { kind: 'ssh', state: 'failed', retry_at: null, address: null };
    expect((await service()).tunnel).toMatchObject({
      ...failed,
      error: { code: 'tunnel.invalid_setting', params: { field: 'host' } },
    });
    expect((await service(owner)).tunnel).toMatchObject({ ...failed, error: null });
    await set({ share_tunnel: null });
    await expect.poll(tunnelState).toBe('open');
    await revoke(one);
  });

  it('tells only callers on this computer how an assistant starts Hearth', async () => {
    const programBehindProxy = async (host: string) =>
      (await new Recipient(served.url).call('GET', '/api/assistants', undefined, { host, cookie: admin.cookie })).body
        .program;
    expect(await programBehindProxy('home.example')).toBeNull();
    expect(await programBehindProxy('127.0.0.1')).toBeNull();
    expect((await admin.get('/api/assistants')).body.program).toMatchObject({ args: expect.arrayContaining(['mcp']) });
  });

  it('runs a program that only somebody at this computer can choose', async () => {
    const command = { share_tunnel_command: 'hearth-bore --to {port}' };
    const visitor = new Recipient(served.url);
    for (const host of ['home.example', '127.0.0.1']) {
      const refused = await visitor.call('PATCH', '/api/settings', command, { host, cookie: admin.cookie });
      expect([host, refused.status, refused.body.code]).toEqual([host, 403, 'settings.only_here']);
    }
    expect((await admin.call('PATCH', '/api/settings', command)).status).toBe(200);
    // Whoever can write to the vault must not choose it either.
    const stored = household.db.prepare("SELECT value FROM settings WHERE key = 'share.tunnel_command'").pluck().get();
    expect(stored).toMatch(/^"sealed:v1:[\w:-]+"$/);
    await set({ share_tunnel: 'command' });
    const one = await share();
    expect((await service()).tunnel).toMatchObject({
      state: 'failed',
      error: { code: 'tunnel.program_missing', params: { program: 'hearth-bore' } },
    });
    await revoke(one);
    await set({ share_tunnel: null, share_tunnel_command: null });
  });
});

describe('the link of a share', () => {
  it('says that its address has changed with the name of the tunnel, until it is given out anew', async () => {
    const one = await share();
    const link = async () => {
      const { body } = await owner.get('/api/shares');
      const { link_moved, share_url } = body.find(({ share_id }: { share_id: string }) => share_id === one.id);
      return [link_moved, new URL(share_url).origin];
    };
    expect(await link()).toEqual([false, `https://${HOST}`]);
    writeFileSync(control, 'renamed');
    await admin.call('DELETE', '/api/shares/listener');
    // Nobody knows yet where links will lead.
    expect((await link())[0]).toBe(false);
    expect((await owner.post(`/api/shares/${one.id}/link`)).body.link_moved).toBe(false);
    await admin.post('/api/shares/listener');
    await expect.poll(link).toEqual([true, 'https://other-hearth-paper-lamp.trycloudflare.com']);
    const events = async () =>
      (await owner.get(`/api/shares/${one.id}/audit`)).body.events.map(({ action }: { action: string }) => action);
    expect(await events()).not.toContain('share.link.renew');
    const renewed = await owner.post(`/api/shares/${one.id}/link`);
    expect([renewed.status, renewed.body.link_moved]).toEqual([200, false]);
    expect([(await link())[0], (await events())[0]]).toEqual([false, 'share.link.renew']);
    // The link with the new address leads to the same share.
    expect(renewed.body.share_url.split('/').at(-1)).toBe(one.token);
    await revoke(one);
    const ended = await owner.post(`/api/shares/${one.id}/link`);
    expect([ended.status, ended.body.code]).toEqual([409, 'share.ended']);
    writeFileSync(control, '');
    await admin.call('DELETE', '/api/shares/listener');
    await set({ share_listen: null });
  });
});

describe('a link for health apps', () => {
  const addressOf = (link: string): string =>
    (JSON.parse(Buffer.from(link.split('/')[1] ?? '', 'base64url').toString()) as { url: string }).url;

  it('says that its address has changed with the name of the tunnel, and is made anew with the new one', async () => {
    const one = await share();
    const path = `/api/shares/${one.id}/health-links`;
    const { body: first } = await owner.post(path, { label: 'For Dr. Frisch', is_one_time: true });
    expect(addressOf(first.link)).toContain(`https://${HOST}/`);
    const states = async () => (await owner.get(path)).body.map(({ status }: { status: string }) => status);
    await expect.poll(states).toEqual(['active']);
    writeFileSync(control, 'renamed');
    await admin.call('DELETE', '/api/shares/listener');
    // Nobody knows yet where links will lead.
    expect(await states()).toEqual(['active']);
    await admin.post('/api/shares/listener');
    await expect.poll(states).toEqual(['moved']);
    const elsewhere = household.make.healthLink(household.make.share());
    const unknown = await owner.post(path, { replaces: elsewhere.id });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'health_link.not_found']);
    const { body: second } = await owner.post(path, { label: 'For Dr. Frisch', replaces: first.link_id });
    expect(addressOf(second.link)).toContain('https://other-hearth-paper-lamp.trycloudflare.com/');
    await expect.poll(states).toEqual(['active', 'revoked']);
    writeFileSync(control, '');
    await revoke(one);
    await admin.call('DELETE', '/api/shares/listener');
    await set({ share_listen: null });
  });
});

describe('somebody who manages no open share', () => {
  it('does not learn that others do, nor under which address', async () => {
    const other = household.as('other');
    household.make.use(household.otherPatient);
    const ended = household.make.share({ revoked_at: '2026-01-15T08:00:00' });
    household.make.use(household.patient);
    const seen = async () => ({
      listener: (await other.get('/api/shares/listener')).body,
      shares: (await other.get('/api/shares')).body,
      editor: (await household.as('editor').get('/api/shares/listener')).body,
    });
    const before = await seen();
    expect(before.listener).toMatchObject({ state: 'waiting', url: null, tunnel: { state: 'off' } });
    expect(before.shares.map(({ id }: { id: string }) => id)).toEqual([ended.id]);
    const one = await share();
    expect(await tunnelState()).toBe('open');
    expect(await seen()).toEqual(before);
    await revoke(one);
  });
});

describe('closing everything', () => {
  it('ends the tunnel, the service, sessions and queues at once, and says what it closed', async () => {
    const one = await share();
    const { cookie } = household.make.recipient({ ...one, document: 0 });
    household.make.waiter({ ...one, document: 0 });
    const me = () => new Recipient(served.url).get('/api/share/me', { cookie });
    expect((await me()).status).toBe(200);
    const door = (await service()).url;
    const closed = await admin.call('DELETE', '/api/shares/listener');
    expect(closed.body).toEqual({ sessions: 1, waiting: 1, address: `https://${HOST}` });
    expect((await me()).status).toBe(401);
    await expect(new Recipient(door).get('/health')).rejects.toThrow('ECONNREFUSED');
    expect((await owner.get(`/api/shares/${one.id}/sessions`)).body).toEqual({ active: [], queued: [] });
    const { items } = (await admin.get('/api/settings/audit-log?action=share.service.close&limit=1')).body;
    expect(items[0]).toMatchObject({ details: { sessions: 1, waiting: 1 } });
    await admin.post('/api/shares/listener');
    await expect.poll(tunnelState).toBe('open');
    await revoke(one);
    await admin.call('DELETE', '/api/shares/listener');
    await set({ share_listen: null });
  });
});

describe('after a restart', () => {
  it('the tunnel comes back if a share is open', async () => {
    const one = await share();
    rmSync(`${control}.args`);
    await served.stop();
    expect(existsSync(`${control}.args`)).toBe(false);
    const again = await serve({ ...OPTIONS, vault: served.vault });
    try {
      const client = new Client(again.url);
      client.cookie = owner.cookie;
      await expect.poll(async () => (await service(client)).tunnel.state).toBe('open');
      const [shown] = (await client.get('/api/shares')).body;
      expect([shown.id, shown.share_url]).toEqual([one.id, one.url]);
    } finally {
      await again.stop();
    }
  });
});
