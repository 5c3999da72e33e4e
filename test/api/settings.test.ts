import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTING_NAMES, SETTINGS } from '../../src-shared/contract/setting-keys.ts';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

/** Every key of the specification's table, with another value than its default and values that must be refused. */
const KEYS: Record<string, { good: unknown; bad: unknown[] }> = {
  extraction_timeout: { good: 120, bad: [0, -1, '120', 100_000] },
  llm_max_concurrent_requests: { good: 4, bad: [0, 1.5, 1000] },
  llm_max_retries: { good: 0, bad: [-1, 2.5] },
  llm_retry_backoff_seconds: { good: [5, 10], bad: [[], [-1], 'soon'] },
  canonical_language: { good: 'de', bad: ['xx', 7] },
  ocr_engine: { good: 'builtin', bad: ['other', true] },
  ocr_language: { good: 'de+en', bad: ['German; rm -rf', 4] },
  ocr_confidence_threshold: { good: 75, bad: [-1, 101, 'high'] },
  cloud_ocr_enabled: { good: true, bad: ['yes', 1] },
  ocr_remote_url: {
    good: 'https://ocr.example:8080/read',
    bad: ['ftp://x', 'javascript:alert(1)', 'http://user:pass@x'],
  },
  ocr_remote_api_key: { good: 'key-of-the-remote-reader', bad: [7] },
  llm_vision_provider: { good: 'ollama', bad: [7] },
  llm_vision_model: { good: 'llava', bad: [7] },
  llm_vision_ollama_url: {
    good: 'http://127.0.0.1:11434',
    bad: ['nowhere', 'http://169.254.169.254', 'http://ollama.example'],
  },
  google_vision_key: { good: 'key-of-google-vision', bad: [7] },
  vision_extraction_timeout: { good: 90, bad: [0] },
  vision_max_concurrent_requests: { good: 2, bad: [0] },
  vision_max_retries: { good: 1, bad: [99] },
  vision_retry_backoff_seconds: { good: [1], bad: [['a']] },
  pipeline_watch_enabled: { good: false, bad: ['off'] },
  pipeline_poll_interval: { good: 2, bad: [0, 10_000] },
  pipeline_retry_interval: { good: 60, bad: [0] },
  pipeline_max_retries: { good: 5, bad: [21] },
  share_public_base_url: {
    good: 'https://share.example.org',
    bad: [
      'javascript:alert(1)',
      'http://x.example',
      'https://x.example/records',
      'https://x.example?',
      'https://x.example/#a',
    ],
  },
  share_listen: { good: 'never', bad: ['sometimes', true] },
  share_trusted_proxy: { good: '127.0.0.1,2001:db8::1', bad: ['proxy.example', '10.0.0.0/8'] },
  share_tunnel: { good: 'ssh', bad: ['ngrok', true] },
  share_ssh_host: { good: 'server.example.org', bad: [7] },
  share_ssh_port: { good: 2222, bad: [0, 70_000] },
  share_ssh_user: { good: 'hearth', bad: [7] },
  share_ssh_key_file: { good: '/home/ann/.ssh/hearth', bad: ['a\u0000b'] },
  share_ssh_known_hosts: { good: '/home/ann/.ssh/hosts', bad: [7] },
  share_ssh_remote_port: { good: 0, bad: [-1, 70_000] },
  share_ssh_remote_address: { good: '*', bad: [7] },
  share_tunnel_command: { good: 'ngrok http {port}', bad: [7] },
  share_tunnel_pattern: { good: 'url=(\\S+)', bad: ['x'.repeat(301)] },
  smtp_host: { good: 'mail.example.org', bad: [7] },
  smtp_port: { good: 465, bad: [0, 70_000] },
  smtp_encryption: { good: 'tls', bad: ['plain'] },
  smtp_user: { good: 'hearth', bad: [7] },
  smtp_password: { good: 'key-of-the-mail-server', bad: [7] },
  smtp_from_name: { good: 'Familie Keller', bad: ['a\u0000b'] },
  smtp_from_address: { good: 'post@keller.example', bad: [7] },
  pipeline_default_flow: { good: 'ocr_llm', bad: ['other'] },
  session_ttl_hours: { good: 24, bad: [0, 9000] },
  lock_after_minutes: { good: 15, bad: [-1, 1.5, 2000] },
  oidc_enabled: { good: true, bad: ['true'] },
  oidc_provider_url: { good: 'https://id.example.org', bad: ['http://id.example.org', 'id.example.org'] },
  oidc_client_id: { good: 'hearth', bad: [7] },
  oidc_client_secret: { good: 'secret-of-the-client', bad: [7] },
  oidc_scopes: { good: 'openid email', bad: ['email', 'openid  email', 'openid "x"'] },
  oidc_auto_create_user: { good: false, bad: [0] },
  oidc_username_claim: { good: 'email', bad: ['a b'] },
  oidc_display_name_claim: { good: 'nickname', bad: ['<x>'] },
};
const SECRETS = ['ocr_remote_api_key', 'google_vision_key', 'oidc_client_secret', 'smtp_password'];

let folder: string, served: Served, admin: Client;
const start = (vault?: string): Promise<Served> =>
  serve({
    ...(vault !== undefined && { vault }),
    env: { XDG_CONFIG_HOME: folder, HOME: folder, APPDATA: folder, VAULT_PIPELINE_RETRY_INTERVAL: '77' },
  });
const patch = (body: unknown) => admin.call('PATCH', '/api/settings', body);
const everyFile = (root: string): Buffer[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-config-'));
  served = await start();
  admin = new Client(served.url);
  await admin.setup();
});
afterAll(async () => {
  await served.remove();
  rmSync(folder, { recursive: true, force: true });
});

it('the settings page documents exactly the settings that the code reads', () => {
  const folder = fileURLToPath(new URL('../../src-main/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const reference = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  for (const name of SETTING_NAMES) {
    const { key } = SETTINGS[name];
    const isRead = sources.some((text) => text.includes(`'${key}'`));
    expect([key, isRead, reference.includes(`\`${key}\``)]).toEqual([key, true, true]);
  }
});

describe('settings', () => {
  it('returns every key of the table with its default', async () => {
    expect(Object.keys(KEYS).filter((name) => !(name in SETTINGS))).toEqual([]);
    const { body } = await admin.get('/api/settings');
    for (const name of SETTING_NAMES) expect(body).toHaveProperty(SECRETS.includes(name) ? `has_${name}` : name);
    expect(body).toMatchObject({
      session_ttl_hours: 720,
      auth: { session_ttl_hours: 720 },
      pipeline: { poll_interval: 5, default_flow: 'ocr_llm' },
      oidc: { enabled: false, has_client_secret: false },
      vault: { path: served.vault },
    });
    expect(body.pipeline_retry_interval).toBe(77);
  });

  it.each(Object.entries(KEYS))('%s accepts valid values and rejects invalid ones', async (name, { good, bad }) => {
    const before = (await admin.get('/api/settings')).body;
    for (const value of bad) {
      const { status, body } = await patch({ [name]: value });
      expect([value, status, body.code, body.issues?.[0].path]).toEqual([
        value,
        422,
        'request.invalid',
        expect.stringContaining(`body.${name}`),
      ]);
    }
    expect((await admin.get('/api/settings')).body).toEqual(before);
    const { status, body } = await patch({ [name]: good });
    const secret = SECRETS.includes(name);
    expect([status, body[secret ? `has_${name}` : name]]).toEqual([200, secret ? true : good]);
    const { status: saved, changes, ...view } = body;
    expect([saved, changes]).toEqual(['saved', expect.any(Array)]);
    expect((await admin.get('/api/settings')).body).toEqual(view);
  });

  it.each([
    [0.7, 70],
    [1, 100],
    [0.575, 57.5],
    [0, 0],
    [70, 70],
  ])('reads the threshold %s as %s percent', async (sent, percent) => {
    await patch({ ocr_confidence_threshold: sent === percent ? 50 : percent });
    const { body } = await patch({ ocr_confidence_threshold: sent });
    expect(body.ocr_confidence_threshold).toBe(percent);
  });

  it('lets new documents be read by a vision model only if one can be used', async () => {
    const wanted = { pipeline_default_flow: 'vision_llm' };
    const refused = await patch(wanted);
    expect([refused.status, refused.body.code]).toEqual([409, 'settings.no_vision_model']);
    const eyes = { type: 'ollama', name: 'Eyes', model: 'gemma3' };
    await admin.call('PUT', '/api/settings/vision-providers', [eyes]);
    expect((await patch(wanted)).body.pipeline_default_flow).toBe('vision_llm');
    await patch({ pipeline_default_flow: null });
    await admin.call('PUT', '/api/settings/vision-providers', []);
  });

  it('names the settings that got a new value', async () => {
    await patch({ pipeline_poll_interval: 6, pipeline_max_retries: 2 });
    const { body } = await patch({ pipeline_poll_interval: 7, pipeline_max_retries: 2 });
    expect(body.changes).toEqual(['pipeline_poll_interval']);
    await patch({ pipeline_poll_interval: null, pipeline_max_retries: null });
  });

  it('rejects a request with an unknown key as a whole', async () => {
    expect((await patch({ session_ttl_hours: 48, colour: 'red' })).status).toBe(422);
    expect((await admin.get('/api/settings')).body.session_ttl_hours).toBe(24);
  });

  // Weak point 7 of the program that Hearth follows: settings echoed secrets.
  it('reveals no secret in responses, files, log or audit log', async () => {
    const answers = await Promise.all(
      ['/api/settings', '/api/settings/audit-log', '/api/settings/logs'].map((path) => admin.get(path)),
    );
    const written =
      Buffer.concat([...everyFile(served.vault), ...everyFile(folder)]).toString('latin1') +
      JSON.stringify(answers.map(({ body }) => body));
    expect(written).toContain('settings.update');
    for (const name of SECRETS) expect(written).not.toContain(KEYS[name]?.good);
    const { body } = await admin.get('/api/settings/audit-log?action=settings.update&limit=500');
    expect(body.items.map((entry: { details: unknown }) => entry.details)).toContainEqual({
      changed: ['oidc_client_secret'],
    });
  });

  it('keeps a secret that is sent empty, and deletes one that is sent as null', async () => {
    expect((await patch({ oidc_client_secret: '' })).body.has_oidc_client_secret).toBe(true);
    expect((await patch({ google_vision_key: null })).body.has_google_vision_key).toBe(false);
  });

  it('resets to environment and defaults with null', async () => {
    expect((await patch({ pipeline_retry_interval: null, extraction_timeout: null })).body).toMatchObject({
      pipeline_retry_interval: 77,
      extraction_timeout: 300,
    });
  });

  it('survives a restart, secrets too', async () => {
    const before = (await admin.get('/api/settings')).body;
    const { cookie } = admin;
    await served.stop();
    served = await start(served.vault);
    admin = new Client(served.url);
    admin.cookie = cookie;
    expect((await admin.get('/api/settings')).body).toEqual(before);
  });

  it('starts without secrets when their key is missing, and reports it', async () => {
    const { cookie } = admin;
    await served.stop();
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('secrets.key')) rmSync(join(folder, name));
    served = await start(served.vault);
    admin = new Client(served.url);
    admin.cookie = cookie;
    expect((await admin.get('/api/settings')).body).toMatchObject({
      has_oidc_client_secret: false,
      oidc_client_id: 'hearth',
    });
    expect(
      (await admin.get('/api/settings/logs?level=warn')).body.logs.map((line: { message: string }) => line.message),
    ).toContain('a saved secret cannot be decrypted on this machine; enter it again');
  });

  it('saves nothing when the key of the secrets is damaged, and reports it', async () => {
    await patch({ oidc_client_secret: 'entered again' });
    const file =
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('secrets.key')) ?? '';
    const { cookie } = admin;
    await served.stop();
    writeFileSync(join(folder, file), 'nonsense');
    served = await start(served.vault);
    admin = new Client(served.url);
    admin.cookie = cookie;
    const refused = await patch({ oidc_client_secret: 'another', session_ttl_hours: 99 });
    expect([refused.status, refused.body.code]).toEqual([500, 'settings.key_unreadable']);
    expect((await admin.get('/api/settings')).body).toMatchObject({
      session_ttl_hours: 24,
      has_oidc_client_secret: false,
    });
    expect(readFileSync(join(folder, file), 'utf8')).toBe('nonsense');
    rmSync(join(folder, file));
    expect((await patch({ oidc_client_secret: 'another' })).body.has_oidc_client_secret).toBe(true);
  });

  it('applies the inbox at once', async () => {
    const watching = async (): Promise<boolean> => (await admin.get('/api/pipeline/status')).body.watcher_active;
    expect(await watching()).toBe(false);
    await patch({ pipeline_watch_enabled: true });
    await expect.poll(watching).toBe(true);
    mkdirSync(join(served.vault, 'inbox', 'elena-keller'), { recursive: true });
    writeFileSync(join(served.vault, 'inbox', 'elena-keller', 'a.pdf'), '%PDF-1.4 nothing');
    await expect
      .poll(
        async () => (await admin.get('/api/documents')).body.total + (await admin.get('/api/trash')).body.items.length,
        { timeout: 90_000 },
      )
      .toBeGreaterThan(0);
    await patch({ pipeline_watch_enabled: false });
    await expect.poll(watching).toBe(false);
  });

  it('applies the lifetime of sessions at once', async () => {
    await patch({ session_ttl_hours: 2 });
    const { headers } = await new Client(served.url).post('/api/auth/login', {
      username: 'ann',
      password: 'correct horse battery',
    });
    expect(headers.get('set-cookie')).toContain('Max-Age=7200');
  });
});

describe('columns of lists', () => {
  it('are stored per user', async () => {
    const path = '/api/settings/view-prefs/documents.table';
    expect((await admin.get(path)).body).toEqual({ visible: [], order: [] });
    const chosen = { visible: ['event_date', 'doctor'], order: ['doctor', 'event_date'] };
    expect((await admin.call('PUT', path, chosen)).body).toEqual(chosen);
    expect((await admin.get(path)).body).toEqual(chosen);
    expect((await admin.call('PUT', path, { visible: ['<b>'], order: [] })).status).toBe(422);
    expect((await admin.get('/api/settings/view-prefs/A%20B')).status).toBe(422);
  });
});
