import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Served } from '../support/serve.ts';

let served: Served, household: Household, person: Client;
const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ served: core, household: records }) => {
  served = core;
  household = records;
  person = household.as('keeper');
});

const TIMES = 60;
const openFiles = (): number =>
  process.platform === 'linux' ? readdirSync(`/proc/${served.process.pid}/fd`).length : 0;

/** Writes a request and hangs up: at once, after the first bytes of the answer, or after some time. */
function hangUp(lines: string, when: 'at once' | 'at the answer' | 'later'): Promise<void> {
  return new Promise((resolve) => {
    const end = (socket: Socket): void => void socket.destroy();
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => {
      socket.write(
        `${lines}\r\nHost: ${new URL(served.url).host}\r\nCookie: ${person.cookie}\r\nX-Requested-With: ` +
          'XMLHttpRequest\r\n\r\n',
      );
      if (when === 'at once') end(socket);
      if (when === 'later') setTimeout(() => end(socket), 20);
    });
    socket.on('data', () => {
      if (when === 'at the answer') end(socket);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => resolve())
      .setTimeout(10_000, () => end(socket));
  });
}

describe('clients that disconnect', () => {
  it.each([
    ['on the stream of news', () => 'GET /api/pipeline/events HTTP/1.1'],
    ['on a file', (id: number) => `GET /api/documents/${id}/file HTTP/1.1`],
    ['on a part of a file', (id: number) => `GET /api/documents/${id}/file HTTP/1.1\r\nRange: bytes=10-`],
    [
      'on a page that is being drawn',
      (id: number) => `GET /api/documents/${id}/pages/1/image?width=${300 + (id % 500)} HTTP/1.1`,
    ],
    ['on a list', () => 'GET /api/documents?limit=500 HTTP/1.1'],
    ['on a copy of the database', () => 'GET /api/settings/backup HTTP/1.1'],
    ['on a change', (id: number) => `POST /api/documents/${id}/mark-reviewed HTTP/1.1`],
  ])('%s leave nothing open, and the core keeps running', async (_name, lines) => {
    const { make } = household;
    const document = make.document();
    await hangUp(lines(document), 'at the answer');
    const before = openFiles();
    for (const when of ['at once', 'at the answer', 'later'] as const) {
      await Promise.all(Array.from({ length: TIMES / 3 }, () => hangUp(lines(document), when)));
      // News for those who are gone.
      expect((await person.post(`/api/documents/${make.document()}/mark-reviewed`)).status).toBe(200);
    }
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 5);
    expect((await person.get('/health')).status).toBe(200);
    await expect.poll(() => readdirSync(`${served.vault}/tmp`)).toEqual([]);
  });

  it('do not keep the core from stopping', async () => {
    const sockets = await Promise.all(
      Array.from(
        { length: 5 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () =>
              socket.write(
                `GET /api/pipeline/events HTTP/1.1\r\nHost: ${new URL(served.url).host}\r\nCookie: ` +
                  `${person.cookie}\r\n\r\n`,
              ),
            );
            socket.once('data', () => resolve(socket)).on('error', () => undefined);
          }),
      ),
    );
    expect(await served.stop()).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});
