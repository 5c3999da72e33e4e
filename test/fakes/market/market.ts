import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  chartBody,
  type Listing,
  portalQuote,
  portalSearch,
  portalSeries,
  unknownChart,
  webhookBody,
} from './answers.ts';
import { answer, type Fault } from './faults.ts';

/** One request as the market saw it. Over TLS: the suite, and whether an earlier session was taken up again. */
export interface Seen {
  source: 'chart' | 'portal' | 'raw' | 'webhook' | 'other';
  path: string;
  symbol: string;
  headers: IncomingMessage['headers'];
  version: string;
  suite?: string;
  resumed?: boolean;
}

/** A market on loopback with all four sources. Listings, faults and time are the test's to change while it runs. */
export interface Market {
  url: string;
  port: number;
  listings: Map<string, Listing>;
  /** Published files by listing key: the body of the response; a missing one is 404. */
  published: Map<string, string>;
  /** Other files by path, as the hosts of a repository give them. */
  files: Map<string, Buffer>;
  /** Asked for each request. */
  faultOf: (seen: Seen) => Fault | undefined;
  /** Seconds since 1970, for timestamps in charts. */
  now: () => number;
  seen: Seen[];
  close(): Promise<void>;
}

export async function startMarket(tls?: ServerOptions): Promise<Market> {
  const listen = (request: IncomingMessage, response: ServerResponse): void => void serve(market, request, response);
  const server = tls ? createHttps(tls, listen) : createHttp(listen);
  if (tls) keepSessions(server as HttpsServer);
  // A client that breaks off its handshake is what some tests are about.
  server.on('tlsClientError', () => undefined);
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const market: Market = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    listings: new Map(),
    published: new Map(),
    files: new Map(),
    faultOf: () => undefined,
    now: () => Math.floor(Date.now() / 1000),
    seen: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return market;
}

/** Sessions by identifier, for clients that know no tickets. */
function keepSessions(server: HttpsServer): void {
  const sessions = new Map<string, Buffer>();
  server.on('newSession', (id: Buffer, data: Buffer, done: () => void) => {
    sessions.set(id.toString('hex'), data);
    done();
  });
  server.on('resumeSession', (id: Buffer, done: (error: null, data: Buffer | null) => void) =>
    done(null, sessions.get(id.toString('hex')) ?? null),
  );
}

async function serve(market: Market, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://market');
  const file = market.files.get(url.pathname);
  const { seen, body, status = 200 } = route(market, url);
  const socket = request.socket as Partial<TLSSocket>;
  const entry: Seen = {
    ...seen,
    path: request.url ?? '',
    headers: request.headers,
    version: request.httpVersion,
    ...(socket.getCipher && { suite: socket.getCipher()?.name, resumed: socket.isSessionReused?.() }),
  };
  market.seen.push(entry);
  if (file) return giveFile(response, file, request.headers.range);
  const fault = market.faultOf(entry);
  if (!fault && status !== 200) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  else await answer(response, body, fault);
}

/** A file, or the piece of it that is asked for, as object stores give it. */
function giveFile(response: ServerResponse, file: Buffer, range = ''): void {
  const wanted = /^bytes=(\d+)-(\d+)$/.exec(range);
  if (wanted === null) return void response.writeHead(200, { 'content-length': file.length }).end(file);
  const piece = file.subarray(Number(wanted[1]), Number(wanted[2]) + 1);
  const place = `bytes ${wanted[1]}-${Number(wanted[1]) + piece.length - 1}/${file.length}`;
  response.writeHead(206, { 'content-length': piece.length, 'content-range': place }).end(piece);
}

interface Routed {
  seen: Pick<Seen, 'source' | 'symbol'>;
  body: string;
  status?: number;
}

function route({ listings, published, now }: Market, url: URL): Routed {
  const chart = /^\/v8\/finance\/chart\/([^/]+)$/.exec(url.pathname);
  if (chart?.[1] !== undefined) {
    const symbol = decodeURIComponent(chart[1]);
    const listing = listings.get(symbol);
    const seen = { source: 'chart' as const, symbol };
    return listing
      ? { seen, body: chartBody(symbol, listing, { interval: url.searchParams.get('interval') ?? '1d', now: now() }) }
      : { seen, body: unknownChart, status: 404 };
  }
  if (url.pathname === '/_/api/graphql/prod') {
    const document = url.searchParams.get('query') ?? '';
    const key = /listingKeys?:"([^"]*)"/.exec(document)?.[1] ?? '';
    if (document.includes('textSearch'))
      return { seen: { source: 'portal', symbol: '' }, body: portalSearch(listings, document) };
    const max = Number(/max:"(\d+)"/.exec(document)?.[1] ?? 0);
    return {
      seen: { source: 'portal', symbol: key },
      body: document.includes('quoteList') ? portalQuote(listings.get(key)) : portalSeries(listings.get(key), max),
    };
  }
  const raw = /^\/[^/]+\/[^/]+\/data\/quotes\/([^/]+)\.json$/.exec(url.pathname);
  if (raw?.[1] !== undefined) {
    const symbol = decodeURIComponent(raw[1]);
    const body = published.get(symbol);
    return { seen: { source: 'raw', symbol }, body: body ?? '404: Not Found', status: body === undefined ? 404 : 200 };
  }
  const symbol = url.searchParams.get('symbol');
  const listing = symbol === null ? undefined : listings.get(symbol);
  if (url.pathname === '/hook' && symbol !== null) {
    const seen = { source: 'webhook' as const, symbol };
    return listing
      ? {
          seen,
          body: webhookBody(symbol, listing, {
            range: url.searchParams.get('range') ?? '',
            points: Number(url.searchParams.get('points')),
          }),
        }
      : { seen, body: '{"ok":false}' };
  }
  return { seen: { source: 'other', symbol: '' }, body: 'nothing here', status: 404 };
}
