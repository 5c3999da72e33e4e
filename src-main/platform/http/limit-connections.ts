import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';

/** How many connections strangers may hold. */
export interface ConnectionLimits {
  max: number;
  maxOfAddress: number;
  /** Those whose request is not complete. */
  maxUnfinished: number;
  /** Time until the first byte of a connection, in milliseconds. */
  silentMs: number;
  /** What one person can't change at will about an address. */
  groupOf(peer: string): string;
  /** Whether many people come from this address: it is the near end of a tunnel, or a proxy. */
  isShared(peer: string): boolean;
}

interface Connection {
  socket: Socket;
  group: string;
  isShared: boolean;
  /** The last request, and the reply to it. */
  last: { request: IncomingMessage; reply: ServerResponse } | null;
}

/** `unread`: the client does not take what was sent. */
type State = 'unfinished' | 'idle' | 'unread' | 'busy';

/** Who makes room, first. Connections that wait for this process are never ended. */
const ENDED_FIRST: readonly State[] = ['unfinished', 'idle', 'unread'];
/** Node refuses new connections beyond so many more, should this process be too busy to end others. */
const SLACK = 64;

/**
 * Keeps a server open for honest clients while others hold connections: a new connection takes the place of one whose
 * request is not complete, otherwise of an idle one, of the address that has the most of them. Whoever sends a request at
 * once loses nothing. Addresses that many people share have no limit of their own.
 */
export function limitConnections(server: Server, clock: Clock, limits: ConnectionLimits): void {
  /** Those that were used last at the end. */
  const connections = new Map<Socket, Connection>();
  server.maxConnections = limits.max + SLACK;
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const connection = { socket, group: limits.groupOf(peer), isShared: limits.isShared(peer), last: null };
    connections.set(socket, connection);
    const closed = new AbortController();
    socket.once('close', () => {
      connections.delete(socket);
      closed.abort();
    });
    makeRoom([...connections.values()], connection, limits);
    void endIfSilent(socket, clock, limits.silentMs, closed.signal);
  });
  const note = (request: IncomingMessage, reply: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.last = { request, reply };
    connections.delete(request.socket);
    connections.set(request.socket, connection);
  };
  server.prependListener('request', note);
  server.prependListener('checkExpectation', note);
}

async function endIfSilent(socket: Socket, clock: Clock, ms: number, closed: AbortSignal): Promise<void> {
  if (!(await clock.sleep(ms, closed))) return;
  // What has arrived while this process was busy is read first.
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy();
  });
}

function stateOf({ last }: Connection): State {
  if (last === null || !last.request.complete) return 'unfinished';
  const { reply } = last;
  if (reply.writableFinished || reply.destroyed) return 'idle';
  return reply.writableEnded || reply.writableNeedDrain ? 'unread' : 'busy';
}

function makeRoom(all: readonly Connection[], newest: Connection, limits: ConnectionLimits): void {
  const older = all.filter((one) => one !== newest && !one.socket.destroyed);
  const own = older.filter(({ group }) => group === newest.group);
  if (!newest.isShared && own.length >= limits.maxOfAddress) return endOne(own, newest);
  if (older.length >= limits.max) return endOne(older, newest);
  if (older.length < limits.maxUnfinished) return;
  const unfinished = older.filter((one) => stateOf(one) === 'unfinished');
  if (unfinished.length >= limits.maxUnfinished) endOne(unfinished, newest);
}

/** Ends one of these connections, or the newest one if none of them can be ended. */
function endOne(candidates: readonly Connection[], newest: Connection): void {
  const byState = Map.groupBy(candidates, stateOf);
  const found = ENDED_FIRST.map((state) => byState.get(state)).find((ones) => ones !== undefined);
  const [oldest = newest] = found === undefined ? [] : ofBusiestGroup(found);
  // Without the usual farewell, for which the kernel would go on to keep the connection.
  oldest.socket.resetAndDestroy();
}

const ofBusiestGroup = (connections: readonly Connection[]): Connection[] =>
  [...Map.groupBy(connections, ({ group }) => group).values()].reduce((most, ones) =>
    ones.length > most.length ? ones : most,
  );
