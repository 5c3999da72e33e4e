import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PlainErrorCode } from '../../../src-shared/contract/errors.ts';
import type { Clock } from '../kernel/clock.ts';
import { fail, type Failure } from '../kernel/errors.ts';
import { limitConnections, type ConnectionLimits } from './limit-connections.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** How long the file of a signed-in user may take: a phone may send a long video over slow Wi-Fi. */
const MAX_UPLOAD_MS = 3_600_000;
/** Time for the headers of a request. */
const MAX_HEADERS_MS = 30_000;

export interface ServerLimits {
  /** Time for a whole request other than an upload. */
  requestMs: number;
  /** A number refuses further ones. Servers for strangers end others. */
  connections: number | ConnectionLimits;
}

/** Deadlines of requests whose body has not arrived yet. */
const deadlines = new WeakMap<IncomingMessage, { set(ms: number): void }>();
/** How long the rest of a body is read after its request was refused. */
const LINGER_MS = 5000;

/**
 * Creates a server that ends slow requests and limits its connections. Requests that Node itself rejects get the same
 * security headers as all others. Clients do not lose time while this process is busy: what has arrived is read before
 * a limit applies.
 */
export function createLimitedServer(app: RequestListener, clock: Clock, limits: ServerLimits): Server {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const listener: RequestListener = (req, res) => {
    replies.set(req.socket, res);
    if (hasBody(req)) limitBody(req, limits.requestMs, clock, () => refuse(req.socket, fail('request.timed_out'), res));
    app(req, res);
  };
  /** Does `work` unless a further request has arrived on this connection. */
  const unlessRequested = (socket: Duplex, work: () => void): void => {
    const last = replies.get(socket);
    afterReading(() => {
      if (replies.get(socket) === last) work();
    });
  };
  const headersMs = Math.min(MAX_HEADERS_MS, limits.requestMs);
  const server = createServer(
    {
      headersTimeout: headersMs,
      connectionsCheckingInterval: headersMs / 4,
      // Node has one limit for all requests of a server; `limitBody` applies the shorter one.
      requestTimeout: MAX_UPLOAD_MS + limits.requestMs,
      // Node would reply without security headers; `requireKnownHost` refuses these requests.
      requireHostHeader: false,
    },
    listener,
  );
  if (typeof limits.connections === 'number') server.maxConnections = limits.connections;
  else limitConnections(server, clock, limits.connections);
  // Hearth ignores expectations other than `100-continue`, which RFC 9110, 10.1.1 permits.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = CODES[error.code ?? ''] ?? 'request.malformed';
    const end = (): void => refuse(socket, fail(code, undefined, error), replies.get(socket), error.code);
    if (code === 'request.timed_out') unlessRequested(socket, end);
    else end();
  });
  // A connection that was idle for too long. Node would end it, even if the next request has arrived.
  server.on('timeout', (socket) => unlessRequested(socket, () => socket.destroy()));
  return server;
}

/** Calls `work` once Node has read what its sockets have received. A timer alone can be due before that. */
const afterReading = (work: () => void): void => void setImmediate(work);

/** Gives the body of this request the time of an upload; for callers who may upload. */
export const allowSlowUpload = (req: IncomingMessage): void => deadlines.get(req)?.set(MAX_UPLOAD_MS);

/**
 * Keeps reading the body of a refused request for a short time. A connection that is closed while the client still
 * sends is reset, and the client then never reads why it was refused (RFC 9112, 9.6). Returns false for a request
 * without a deadline, whose connection has to be closed.
 */
export function lingerAfterReply(req: IncomingMessage): boolean {
  const deadline = deadlines.get(req);
  deadline?.set(LINGER_MS);
  return deadline !== undefined;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function limitBody(req: IncomingMessage, ms: number, clock: Clock, end: () => void): void {
  let stopped = new AbortController();
  const start = (limitMs: number): void => {
    stopped.abort();
    const current = new AbortController();
    stopped = current;
    void clock.sleep(limitMs, current.signal).then((isOver) => {
      if (!isOver) return;
      afterReading(() => {
        if (!req.complete && !current.signal.aborted) end();
      });
    });
  };
  start(ms);
  deadlines.set(req, { set: start });
  const stop = (): void => stopped.abort();
  req.once('end', stop).once('close', stop);
}

/** Replies to a request that did not arrive whole, unless a reply has begun, and ends the connection. */
function refuse(socket: Duplex, failure: Failure, res: ServerResponse | undefined, cause?: string): void {
  const hasReply = res !== undefined && res.socket === socket && res.headersSent;
  if (!socket.writable || hasReply) return void socket.destroy();
  const status = cause === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : STATUS_LINES[failure.status];
  const body = JSON.stringify(failure.body);
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** Node's errors that Hearth has a code for. */
const CODES: Readonly<Record<string, PlainErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timed_out',
  HPE_INVALID_EOF_STATE: 'request.aborted',
};
const STATUS_LINES: Readonly<Record<number, string>> = { 400: '400 Bad Request', 408: '408 Request Timeout' };
