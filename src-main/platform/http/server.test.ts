import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createLimitedServer } from './server.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Replies with the body of the request once it is complete. */
function echo(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => res.end(`got ${Buffer.concat(chunks)}`));
}

async function start(requestMs: number): Promise<Server> {
  const server = createLimitedServer(echo, systemClock, { requestMs, connections: 10 });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function open(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
  return socket;
}

/** Everything the server sends until the text appears or the connection ends. */
async function readUntil(socket: Socket, text: string): Promise<string> {
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const ended = Promise.race([once(socket, 'close'), once(socket, 'error')]).catch(() => undefined);
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && !received.includes(text)) await systemClock.sleep(5);
  return received;
}

/**
 * Sends data and keeps this thread busy, as a slow disk does when the database waits for it. Both happen in a callback
 * of the file system, as in a request: timers are due before the server reads what was sent.
 */
async function sendAndBlock(socket: Socket, text: string, ms: number): Promise<void> {
  await stat('.');
  socket.write(text);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A limit that even a busy machine keeps between two lines of a test, and a time beyond it. */
const LIMIT_MS = 1500;
const BUSY_MS = 2000;
const HEADERS = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n';

describe('a client whose data arrived while the server was busy for longer than the limit', () => {
  test('gets a reply on a connection that was idle', async () => {
    const server = await start(30_000);
    server.keepAliveTimeout = LIMIT_MS;
    server.keepAliveTimeoutBuffer = 0;
    const socket = await open(server);
    socket.write(`${HEADERS}\r\nabcd`);
    await readUntil(socket, 'got abcd');
    await sendAndBlock(socket, `${HEADERS}\r\nefgh`, BUSY_MS);
    expect(await readUntil(socket, 'got efgh')).toContain('got efgh');
  });
  test('gets a reply to a request whose headers were incomplete', async () => {
    const server = await start(LIMIT_MS);
    const socket = await open(server);
    socket.write('POST / HTTP/1.1\r\n');
    await systemClock.sleep(20);
    await sendAndBlock(socket, `${HEADERS.slice(HEADERS.indexOf('\n') + 1)}\r\nabcd`, BUSY_MS);
    expect(await readUntil(socket, 'got')).toContain('got abcd');
  });
  test('gets a reply to a request whose body was incomplete', async () => {
    const server = await start(LIMIT_MS);
    const socket = await open(server);
    socket.write(`${HEADERS}\r\nab`);
    await systemClock.sleep(20);
    await sendAndBlock(socket, 'cd', BUSY_MS);
    expect(await readUntil(socket, 'got')).toContain('got abcd');
  });
});

describe('a client that sends nothing', () => {
  test.each([
    ['after a reply loses its connection', `${HEADERS}\r\nabcd`, /got abcd$/],
    ['after half its headers is refused', 'POST / HTTP/1.1\r\n', /^HTTP\/1.1 408 [^]*request.timed_out/],
    ['after half its body is refused', `${HEADERS}\r\nab`, /^HTTP\/1.1 408 [^]*request.timed_out/],
    ['at all is refused', '', /^HTTP\/1.1 408 [^]*request.timed_out/],
  ])('%s', async (_, sent, answer) => {
    const server = await start(300);
    server.keepAliveTimeout = 100;
    server.keepAliveTimeoutBuffer = 0;
    const socket = await open(server);
    const received = readUntil(socket, 'never');
    await sendAndBlock(socket, sent, 600);
    expect(await received).toMatch(answer);
  });
});
