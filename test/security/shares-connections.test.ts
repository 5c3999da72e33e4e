/** @module-tag long */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { test } from '../support/fixtures.ts';
import { enter, Recipient } from '../support/recipient.ts';
import { describeWith } from '../support/requirements.ts';
import { freePort, makeSshServer } from '../support/ssh-server.ts';

/** Strangers who hold connections to the service for recipients. */

/** A tenth of the usual number, so that the test is quick; 1,500 of 1,000 are as good. */
const MOST_SERVED = 100;

const it = test.override('serveOptions', {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_SHARE_LISTEN: 'always',
    VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
    VAULT_MAX_CONNECTIONS: String(MOST_SERVED),
  },
});
/** Half as many again as the service serves at the same time. */
const MANY = 1.5 * MOST_SERVED;
/** How soon an ended connection is replaced. */
const AGAIN_MS = 500;

/** Strangers who hold connections, and open a new one for each that ends. */
function flood(port: number): { opened(): number; ended(): number; stop(): Promise<void> } {
  const sockets = new Set<Socket>();
  const stopped = new AbortController();
  let [opened, ended] = [0, 0];
  /** From addresses of its own: all of them belong to this computer, as behind a tunnel. */
  const hold = (n: number): void => {
    if (stopped.signal.aborted) return;
    const localAddress = `127.${1 + (n % 3)}.${(n >> 3) % 250}.${1 + (n % 250)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      opened += 1;
      if (n % 3 === 0) socket.write('GET /health HTTP/1.1\r\nHost: 127');
      if (n % 3 === 1)
        socket.write('POST /api/share/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{"a":');
    });
    socket.once('close', () => {
      ended += 1;
      sockets.delete(socket);
      setTimeout(hold, AGAIN_MS, n);
    });
  };
  for (let n = 0; n < MANY; n += 1) hold(n);
  return {
    opened: () => opened,
    ended: () => ended,
    async stop() {
      stopped.abort();
      const left = [...sockets].filter((socket) => !socket.closed);
      const closed = left.map((socket) => once(socket, 'close'));
      for (const socket of left) socket.destroy();
      await Promise.all(closed);
    },
  };
}

it('a recipient opens a share and reads while others hold all connections that it serves, and open new ones', async ({
  served,
  household,
}) => {
  const door = served.shareUrl ?? '';
  const others = flood(Number(new URL(door).port));
  await expect.poll(others.opened).toBeGreaterThan(MOST_SERVED);
  const share = household.make.share();
  const doctor = new Recipient(door, '203.0.113.40');
  expect((await enter(household.as('owner'), doctor, share)).status).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await doctor.get('/api/share/me')).status).toBe(200);
  expect((await doctor.get(`/api/share/documents/${share.document}/pages/1/image`)).status).toBe(200);
  expect(others.ended()).toBeGreaterThan(0);
  await others.stop();
});

describeWith({ programs: ['ssh', 'ssh-keygen', 'sshd', 'ps'] }, 'through ssh', () => {
  it('a recipient opens a share while others hold all connections that it brings', async ({ household }) => {
    const server = await makeSshServer();
    await server.start();
    const port = await freePort();
    const admin = household.as('admin');
    const settings = {
      ...{ share_tunnel: 'ssh', share_ssh_host: '127.0.0.1', share_ssh_port: server.port },
      ...{ share_ssh_user: server.user, share_ssh_key_file: server.keyFile },
      ...{ share_ssh_known_hosts: server.knownHostsFile, share_ssh_remote_port: port },
    };
    expect((await admin.call('PATCH', '/api/settings', settings)).status).toBe(200);
    await expect.poll(async () => (await admin.get('/api/shares/listener')).body.tunnel.state).toBe('open');
    const others = flood(port);
    await expect.poll(others.opened).toBeGreaterThan(MOST_SERVED);
    const share = household.make.share();
    const doctor = new Recipient(`http://127.0.0.1:${port}`);
    expect((await enter(household.as('owner'), doctor, share)).status).toBe(200);
    expect((await doctor.get('/api/share/me')).status).toBe(200);
    await others.stop();
    await admin.call('PATCH', '/api/settings', { share_tunnel: null });
    await server.close();
  });
});
