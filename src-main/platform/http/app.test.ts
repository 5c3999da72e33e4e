import { createServer, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { createApp } from './app.ts';
import { abortedWithClient } from './bind.ts';

const router = Router();
router.get('/api/long', (_req, res) => res.json({ text: 'x'.repeat(10_000) }));
let begin: (() => void) | undefined;
let end: (() => void) | undefined;
/** Works until whoever asked has left. */
router.get('/api/left', async (_req, res) => {
  const signal = abortedWithClient(res);
  const left = new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  begin?.();
  await left.finally(() => end?.());
});
router.get('/api/broken', () => Promise.reject(new DOMException('The work ended by itself', 'AbortError')));
const log = createLog('silent');
const server = createServer(createApp({ publicHost: '', guards: [], routers: [router], rendererFolder: null, log }));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const encodingFor = (host: string, headers: Record<string, string> = {}): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    request({ host, port, path: '/api/long', headers: { 'accept-encoding': 'gzip', ...headers } }, (reply) => {
      resolve(reply.headers['content-encoding']);
      reply.resume();
    })
      .on('error', reject)
      .end();
  });

test('replies to programs on this computer are not compressed', async () => {
  expect(await encodingFor('127.0.0.1')).toBeUndefined();
});

test.each([
  ['X-Forwarded-For', '203.0.113.7'],
  ['Forwarded', 'for=203.0.113.7'],
])('replies that a proxy on this computer forwards are compressed: %s', async (name, value) => {
  expect(await encodingFor('127.0.0.1', { [name]: value })).toBe('gzip');
});

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
test.runIf(own)('replies to an address of the network are compressed', async () => {
  expect(await encodingFor(own ?? '')).toBe('gzip');
});

test('work that ends because whoever asked has left is not logged as a fault', async () => {
  const { port } = server.address() as AddressInfo;
  const asked = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const leaving = request({ host: '127.0.0.1', port, path: '/api/left' }).on('error', () => undefined);
  leaving.end();
  await asked;
  leaving.destroy();
  await ended;
  await new Promise<void>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/api/broken' }, (reply) => {
      reply.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
  // Only of the work that ended while its caller was waiting.
  expect(log.recent().map(({ message }) => message)).toEqual(['server.internal_error']);
});
