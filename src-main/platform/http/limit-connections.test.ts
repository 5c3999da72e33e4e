import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { limitConnections, type ConnectionLimits } from './limit-connections.ts';

/** All addresses of 127.0.0.0/8 reach this computer, so each can be somebody else. */
const SHARED = '127.0.9.9';
const LIMITS: ConnectionLimits = {
  ...{ max: 12, maxOfAddress: 4, maxUnfinished: 6, silentMs: 60_000 },
  groupOf: (peer) => peer,
  isShared: (peer) => peer === SHARED,
};

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));
let server: Server;
/** Replies that are not sent yet. */
let held: ServerResponse[];

async function start(limits: Partial<ConnectionLimits> = {}): Promise<void> {
  held = [];
  server = createServer((req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/held') held.push(res);
    else req.resume().on('end', () => res.end('hello'));
  });
  server.keepAliveTimeout = 60_000;
  limitConnections(server, systemClock, { ...LIMITS, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  ends.push(() => server.close().closeAllConnections());
  expect(port).toBeGreaterThan(0);
}

interface Visit {
  socket: Socket;
  received(): string;
  isOpen(): boolean;
  ask(path?: string): void;
}

async function visit(localAddress: string, text = ''): Promise<Visit> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  ends.push(() => socket.destroy());
  let [received, isOpen] = ['', true];
  socket
    .on('data', (data) => (received += data.toString()))
    .on('error', () => undefined)
    .on('close', () => (isOpen = false));
  await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
  if (text !== '') socket.write(text);
  const ask = (path = '/'): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { socket, received: () => received, isOpen: () => isOpen, ask };
}

const several = async (count: number, addressOf: (n: number) => string, text = ''): Promise<Visit[]> => {
  const visits: Visit[] = [];
  for (let n = 0; n < count; n += 1) visits.push(await visit(addressOf(n), text));
  return visits;
};
const openOf = (visits: readonly Visit[]): number => visits.filter(({ isOpen }) => isOpen()).length;

test.each([
  ['say nothing', ''],
  ['send half their headers', 'GET / HTTP/1.1\r\nHost: loc'],
  ['send half a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc'],
])('connections of many addresses that %s end for the next one, the oldest first', async (_, text) => {
  await start();
  const silent = await several(20, (n) => `127.0.1.${n + 1}`, text);
  await expect.poll(() => openOf(silent)).toBe(LIMITS.maxUnfinished);
  expect(openOf(silent.slice(-LIMITS.maxUnfinished))).toBe(LIMITS.maxUnfinished);
  const honest = await visit('127.0.2.1');
  honest.ask();
  await expect.poll(honest.received).toContain('hello');
});

test('whoever holds most of them loses them, not the one who came first', async () => {
  await start();
  const slow = await visit('127.0.2.1');
  const flood = await several(30, (n) => `127.0.1.${(n % 3) + 1}`);
  await expect.poll(() => openOf(flood)).toBeLessThan(LIMITS.maxUnfinished);
  slow.ask();
  await expect.poll(slow.received).toContain('hello');
});

test('an address has its own limit, but for the end of a tunnel', async () => {
  await start({ maxUnfinished: 100 });
  const [one, many] = [await several(6, () => '127.0.1.1'), await several(6, () => SHARED)];
  await expect.poll(() => openOf(one)).toBe(LIMITS.maxOfAddress);
  expect(openOf(many)).toBe(6);
});

test('idle connections end for a new one, those that wait for a reply do not', async () => {
  await start();
  const waiting = await several(6, () => SHARED);
  for (const { ask } of waiting) ask('/held');
  await expect.poll(() => held.length).toBe(6);
  const idle = await several(6, () => SHARED);
  for (const [n, one] of idle.entries()) {
    one.ask();
    await expect.poll(idle[n]!.received).toContain('hello');
  }
  for (let n = 7; n <= 12; n += 1) {
    (await visit(SHARED)).ask('/held');
    await expect.poll(() => held.length).toBe(n);
  }
  await expect.poll(() => openOf(idle)).toBe(0);
  // Nobody else can be asked to go, so the newest one is.
  const { port } = server.address() as AddressInfo;
  const last = connect({ port, host: '127.0.0.1', localAddress: SHARED }).on('error', () => undefined);
  await new Promise((resolve) => last.once('close', resolve));
  for (const reply of held) reply.end('late');
  for (const one of waiting) await expect.poll(one.received).toContain('late');
});

test('a client that does not take its reply ends before one that waits', async () => {
  await start({ max: 2 });
  const unread = await visit(SHARED);
  unread.socket.pause();
  unread.ask('/held');
  await expect.poll(() => held.length).toBe(1);
  held[0]!.write(Buffer.alloc(32 * 2 ** 20));
  const waiting = await visit(SHARED);
  waiting.ask('/held');
  await expect.poll(() => held.length).toBe(2);
  const ended = once(held[0]!, 'close');
  await visit(SHARED);
  await ended;
  expect(waiting.isOpen()).toBe(true);
});

test('a connection without a first byte ends by itself', async () => {
  await start({ silentMs: 50 });
  const silent = await visit('127.0.1.1');
  const begun = await visit('127.0.1.2', 'G');
  await expect.poll(silent.isOpen).toBe(false);
  expect(begun.isOpen()).toBe(true);
});
