import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
  createFileListReader,
  createSourceRepository,
  createTickerPrices,
  createTickerSourceService,
  listOf,
  type SourcePort,
  type TickerPrices,
} from '../features/tickers/service.ts';
import { addressGroup } from '../platform/http/client-address.ts';
import type { Platform } from './open-platform.ts';
import { close, listen } from './listen.ts';

const MAX_CONNECTIONS = 50;
const MAX_OF_A_PEER = 12;
const TIMEOUT_MS = 5_000;
/** How often the two limits are looked at; by default each 30 s. */
const CHECK_MS = 1_000;
/** Folder for the files of prices, in the one of the configuration. */
const FILES_FOLDER = 'ticker-prices';

/** The listener for tickers in the home network, with nothing else behind it. */
export interface SourceListener extends SourcePort {
  /** Its address with the actual port; null while it is closed. */
  url(): string | null;
  close(): Promise<void>;
}

type SourcePlatform = Pick<Platform, 'config' | 'clock' | 'log'>;

/** The prices for tickers: what is offered, the port, and the service for the page. `onPort` hears its number. */
export function composeTickerSource(
  platform: SourcePlatform & Pick<Platform, 'db' | 'keyFolder'>,
  onPort: (port: number) => void,
) {
  const { config, clock, db, keyFolder } = platform;
  const folder = join(keyFolder, FILES_FOLDER);
  const repository = createSourceRepository(db);
  const path = config['ticker.source_file'];
  const readFileList = path === '' ? null : createFileListReader(path);
  const prices = createTickerPrices({
    readList: readFileList ?? (async () => listOf(repository.read(), folder)),
    send: fetch,
    nothingLeaves: () => config['privacy.nothing_leaves'],
    now: () => clock.now(),
  });
  const isOn = (): boolean => path !== '' || repository.read().is_on;
  const listener = createSourceListener(platform, { answer: prices.answer, isOn, onPort });
  const service = createTickerSourceService({
    ...{ db, clock, repository, prices, folder },
    port: listener,
    isFile: path !== '',
  });
  return { listener, service };
}

/** Opens the port while prices are offered. Hearth works without it when its port is taken. */
export function createSourceListener(
  { config, clock, log }: SourcePlatform,
  { answer, isOn, onPort }: { answer: TickerPrices['answer']; isOn: () => boolean; onPort: (port: number) => void },
): SourceListener {
  let open: { server: Server; url: string } | null = null;
  let turn = Promise.resolve();
  const end = async (): Promise<void> => {
    const ended = open;
    open = null;
    if (ended !== null) await close(ended.server, clock);
  };
  const begin = async (): Promise<void> => {
    const server = createSourceServer(answer);
    try {
      const url = await listen(server, config['ticker.source_port'], config['ticker.source_host']);
      open = { server, url };
      onPort(Number(new URL(url).port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log.warn({ code }, 'the source of prices for tickers could not open its port; everything else works');
    }
  };
  const adapt = async (): Promise<void> => {
    if (!isOn()) await end();
    else if (open === null) await begin();
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => (turn = turn.then(work));
  return {
    url: () => open?.url ?? null,
    state: () => stateOf(isOn(), open !== null),
    addresses: () => addressesOf(open?.url ?? `http://${config['ticker.source_host']}:${config['ticker.source_port']}`),
    refresh: () => inTurn(adapt),
    close: () => inTurn(end),
  };
}

function stateOf(isOn: boolean, isOpen: boolean): 'off' | 'on' | 'failed' {
  if (!isOn) return 'off';
  return isOpen ? 'on' : 'failed';
}

/** The addresses of this computer in the home network, if it listens on all of them. */
function addressesOf(url: string): string[] {
  const { hostname, port } = new URL(url);
  if (hostname !== '0.0.0.0' && hostname !== '[::]') return [url];
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const hosts = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return (hosts.length > 0 ? hosts : ['127.0.0.1']).map((host) => `http://${host}:${port}`);
}

function createSourceServer(answer: TickerPrices['answer']): Server {
  const options = { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS, connectionsCheckingInterval: CHECK_MS };
  const server = createServer(options, (request, response) => {
    const reply = (status: number, body: object, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, {
          ...{ 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' },
          ...headers,
        })
        .end(JSON.stringify(body));
    if (request.method !== 'GET') return reply(405, { ok: false });
    answer(request.url ?? '/', peerOf(request.socket)).then(
      ({ status, body, retryAfter }) => reply(status, body, retryAfter ? { 'retry-after': String(retryAfter) } : {}),
      () => reply(500, { ok: false }),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  limitPeers(server);
  return server;
}

const peerOf = ({ remoteAddress }: Socket): string => remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown';

/** One device of the home network can't take the connections of the others. */
function limitPeers(server: Server): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const peer = addressGroup(peerOf(socket));
    const count = (open.get(peer) ?? 0) + 1;
    open.set(peer, count);
    socket.on('close', () => {
      const left = (open.get(peer) ?? 1) - 1;
      if (left > 0) open.set(peer, left);
      else open.delete(peer);
    });
    if (count > MAX_OF_A_PEER) socket.destroy();
  });
}
