import { createServer, type Server } from 'node:http';
import { createTickerSource } from '../features/tickers/service.ts';
import type { Platform } from './open-platform.ts';
import { close, listen } from './listen.ts';

const MAX_CONNECTIONS = 50;
const TIMEOUT_MS = 5_000;

/** The listener for tickers in the home network, with nothing else behind it. */
export interface SourceListener {
  url: string;
  close(): Promise<void>;
}

/** Starts it if the configuration names a list; null otherwise. Hearth works without it when its port is taken. */
export async function startTickerSource({ config, clock, log }: Platform): Promise<SourceListener | null> {
  const path = config['ticker.source_file'];
  if (path === '') return null;
  const server = createSourceServer(
    createTickerSource({
      path,
      send: fetch,
      nothingLeaves: () => config['privacy.nothing_leaves'],
      now: () => clock.now(),
    }),
  );
  try {
    const url = await listen(server, config['ticker.source_port'], config['ticker.source_host']);
    return { url, close: () => close(server, clock) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    log.warn({ code }, 'the source of prices for tickers could not open its port; everything else works');
    return null;
  }
}

function createSourceServer(answer: ReturnType<typeof createTickerSource>): Server {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    const reply = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' })
        .end(JSON.stringify(body));
    if (request.method !== 'GET') return reply(405, { ok: false });
    answer(request.url ?? '/').then(
      ({ status, body }) => reply(status, body),
      () => reply(500, { ok: false }),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
