import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { Client } from '../support/client.ts';
import { serve, type Served } from '../support/serve.ts';

const PASSWORD = 'correct horse battery';
const otherConfig = mkdtempSync(join(tmpdir(), 'hearth-test-'));
let vault: string, passwordFile: string, recoveryKey: string, served: Served;

beforeAll(async () => {
  vault = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  passwordFile = `${vault}.password`;
  writeFileSync(passwordFile, PASSWORD);
  const made = await createKeyFile(PASSWORD);
  ({ recoveryKey } = made);
  writeFileSync(join(vault, 'vault-key.json'), JSON.stringify(made.file));
  const first = await serve({ vault, env: { HEARTH_VAULT_PASSWORD_FILE: passwordFile } });
  await new Client(first.url).setup();
  await first.stop();
  served = await serve({ vault, env: { VAULT_PUBLIC_HOST: 'hearth.example' } });
});
afterAll(async () => {
  await served?.remove();
  rmSync(otherConfig, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
});

const health = async (): Promise<unknown> =>
  fetch(`${served.url}/health`)
    .then((reply) => reply.json())
    .then(({ status }) => status)
    .catch(() => 'nothing listens');
const unlock = async (secret: string, headers: Record<string, string> = {}): Promise<[number, string | undefined]> => {
  const reply = await fetch(`${served.url}/api/vault-lock/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ secret }),
  });
  return [reply.status, (await reply.json()).code];
};

/** Unlocks as a browser does that reached Hearth under this name. */
async function unlockAs(host: string): Promise<[number, string | undefined]> {
  const body = JSON.stringify({ secret: PASSWORD });
  const headers = { host, 'content-type': 'application/json', 'content-length': body.length };
  const sent = request(`${served.url}/api/vault-lock/unlock`, { method: 'POST', headers });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return [reply.statusCode ?? 0, ((await json(reply)) as { code?: string }).code];
}

/** Unlocks as nginx passes requests on that is not configured any further. */
async function unlockByOldProxy(): Promise<string> {
  const { hostname, port } = new URL(served.url);
  const body = JSON.stringify({ secret: PASSWORD });
  const connection = connect(Number(port), hostname);
  const head = [`Host: localhost:${port}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  connection.write(`POST /api/vault-lock/unlock HTTP/1.0\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  return text(connection);
}

it('waits for the password without the file, says so, and answers nothing else', async () => {
  expect(await health()).toBe('locked');
  for (const path of ['/api/setup/status', '/api/documents', '/api/auth/me', '/api/vaults', '/api/dicomweb/studies']) {
    const reply = await fetch(served.url + path);
    expect([path, reply.status, (await reply.json()).code]).toEqual([path, 423, 'vault.locked']);
  }
  expect((await fetch(`${served.url}/api/vault-lock/unlock`)).status).toBe(405);
});

it('is not unlocked by another site, from another host, or by guessing without limit', async () => {
  expect(await unlock(PASSWORD, { origin: 'https://example.org' })).toEqual([403, 'request.cross_site']);
  expect(await unlockAs('hearth.example')).toEqual([403, 'vault.unlock_here_only']);
  // A proxy on this computer connects from here, and may name it.
  const forwarded: Record<string, string>[] = [
    ...[{ forwarded: 'for=203.0.113.9' }, { via: '1.1 proxy' }, { 'x-real-ip': '203.0.113.9' }],
    ...[{ 'x-forwarded-for': '127.0.0.1' }, { 'x-forwarded-host': 'localhost' }, { 'x-forwarded-proto': 'https' }],
  ];
  for (const headers of forwarded)
    expect([headers, await unlock(PASSWORD, headers)]).toEqual([headers, [403, 'vault.unlock_here_only']]);
  expect(await unlockByOldProxy()).toContain('vault.unlock_here_only');
  // One that adds nothing and names this computer can't be told from a program here; it doesn't change what a browser
  // says.
  const browsers: Record<string, string>[] = [{ origin: 'https://hearth.example' }, { 'sec-fetch-site': 'same-site' }];
  for (const said of browsers)
    expect([said, await unlock(PASSWORD, said)]).toEqual([said, [403, 'request.cross_site']]);
  const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => unlock(`guess ${n}`)));
  expect(guesses.filter(([status]) => status === 403)).toHaveLength(5);
  expect(guesses.filter(([, code]) => code === 'vault.unlock_limited')).toHaveLength(3);
  expect(await unlock(PASSWORD)).toEqual([429, 'vault.unlock_limited']);
  expect(await health()).toBe('locked');
});

it('counts guesses also over a new start, and those of other programs', async () => {
  const other = await serve({ vault });
  await served.stop();
  served = other;
  expect(await unlock(PASSWORD)).toEqual([429, 'vault.unlock_limited']);
  await served.stop();
  served = await serve({ vault });
  expect(await unlock(PASSWORD)).toEqual([429, 'vault.unlock_limited']);
});

it('opens with the recovery key under the same address, and keeps its accounts', async () => {
  await served.stop();
  // An account of the system that has not guessed.
  served = await serve({ vault, env: { XDG_CONFIG_HOME: otherConfig, APPDATA: otherConfig, HOME: otherConfig } });
  expect(await unlock('another horse')).toEqual([403, 'vault.wrong_password']);
  expect(await unlock(recoveryKey.toLowerCase())).toEqual([200, undefined]);
  await expect.poll(health, { timeout: 30_000 }).toBe('ok');
  const client = new Client(served.url);
  expect((await client.get('/api/setup/status')).body.needs_setup).toBe(false);
  expect((await client.get('/api/documents')).status).toBe(401);
  // The endpoint stays, and does nothing.
  expect(await unlock('whatever')).toEqual([200, undefined]);
  expect(await served.stop()).toBe(0);
});

it('stops while it waits', async () => {
  served = await serve({ vault });
  expect(await health()).toBe('locked');
  expect(await served.stop()).toBe(0);
});
