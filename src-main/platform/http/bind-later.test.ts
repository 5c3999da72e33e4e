import express, { Router } from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeLater } from './bind-later.ts';

test('routes are made once for requests that arrive together, and again if that failed', async () => {
  let made = 0;
  const routes = makeLater(async () => {
    made += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (made === 1) throw new Error('the disk is busy');
    return Router().get('/a', (_req, res) => void res.end('a'));
  });
  const server = express()
    .use(routes)
    .use((_req, res) => void res.status(404).end())
    .use(((_error, _req, res, _next) => void res.status(500).end()) as express.ErrorRequestHandler)
    .listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).status;
  expect([await Promise.all([get('/a'), get('/a')]), made]).toEqual([[500, 500], 1]);
  expect([await Promise.all([get('/a'), get('/b'), get('/a')]), made]).toEqual([[200, 404, 200], 2]);
});
