import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { test } from '../support/fixtures.ts';
import { enter, Recipient } from '../support/recipient.ts';

/** Strangers who hold connections to the service for recipients. */

const it = test.override('serveOptions', {
  env: {
    VAULT_PIPELINE_WATCH: 'false',
    VAULT_SHARE_LISTEN: 'always',
    VAULT_SHARE_TRUSTED_PROXY: '127.0.0.1',
  },
});
/** More than the service serves at the same time. */
const MANY = 1500;
/** How soon an ended connection is replaced: together some thousand each second. */
const AGAIN_MS = 1000;

it('a recipient opens a share and reads while 1,500 others hold connections and open new ones', async ({
  served,
  household,
}) => {
  const door = served.shareUrl ?? '';
  const sockets = new Set<Socket>();
  let isOver = false;
  let [opened, ended] = [0, 0];
  /** From addresses of its own, as through a tunnel too: all of them belong to this computer. */
  const hold = (n: number): void => {
    const localAddress = `127.${1 + (n % 3)}.${(n >> 3) % 250}.${1 + (n % 250)}`;
    const socket = connect({ port: Number(new URL(door).port), host: '127.0.0.1', localAddress });
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
      if (!isOver) setTimeout(hold, AGAIN_MS, n);
    });
  };
  for (let n = 0; n < MANY; n += 1) hold(n);
  await expect.poll(() => opened).toBeGreaterThan(MANY);
  const share = household.make.share();
  const doctor = new Recipient(door, '203.0.113.40');
  expect((await enter(household.as('owner'), doctor, share)).status).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await doctor.get('/api/share/me')).status).toBe(200);
  expect((await doctor.get(`/api/share/documents/${share.document}/pages/1/image`)).status).toBe(200);
  expect(ended).toBeGreaterThan(0);
  isOver = true;
  const left = [...sockets];
  for (const socket of left) socket.destroy();
  await Promise.all(left.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')));
});
