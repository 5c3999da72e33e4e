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
  /** Milliseconds since the epoch. */
  since: number;
  /** The last request, and the reply to it. */
  last: { request: IncomingMessage; reply: ServerResponse } | null;
}

/** `fresh`: a moment ago, so that the request may be on its way. `unread`: the client does not take what was sent. */
type State = 'unfinished' | 'idle' | 'unread' | 'fresh' | 'busy';

/** Who makes room, first. Connections that wait for this process end last. */
const ENDED_FIRST: readonly State[] = ['unfinished', 'idle', 'unread', 'fresh'];
const FRESH_MS = 1000;

/**
 * Keeps a server open for honest clients while others hold connections: those beyond a limit take the place of ones whose
 * request is not complete, otherwise of idle ones, of the address that has the most of them. Whoever sends a request at
 * once loses nothing. Addresses that many people share have no limit of their own.
 */
export function limitConnections(server: Server, clock: Clock, limits: ConnectionLimits): void {
  /** Those that were used last at the end. */
  const connections = new Map<Socket, Connection>();
  let isTrimming = false;
  const trimLater = (): void => {
    if (isTrimming) return;
    isTrimming = true;
    // What the new connections have sent already is read first, however long this process was busy.
    setImmediate(() =>
      setImmediate(() => {
        isTrimming = false;
        trim([...connections.values()], clock.now(), limits);
      }),
    );
  };
  // As many may arrive at once, before others end.
  server.maxConnections = 2 * limits.max;
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const [group, isShared] = [limits.groupOf(peer), limits.isShared(peer)];
    connections.set(socket, { socket, group, isShared, since: clock.now(), last: null });
    const closed = new AbortController();
    socket.once('close', () => {
      connections.delete(socket);
      closed.abort();
    });
    trimLater();
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

function stateOf({ last, since }: Connection, now: number): State {
  if (last === null) return now - since < FRESH_MS ? 'fresh' : 'unfinished';
  if (!last.request.complete) return 'unfinished';
  const { reply } = last;
  if (reply.writableFinished || reply.destroyed) return 'idle';
  return reply.writableEnded || reply.writableNeedDrain ? 'unread' : 'busy';
}

/** Ends connections until all limits hold. */
function trim(all: readonly Connection[], now: number, limits: ConnectionLimits): void {
  const open = (): Connection[] => all.filter(({ socket }) => !socket.destroyed);
  const ofOne = Map.groupBy(
    open().filter(({ isShared }) => !isShared),
    ({ group }) => group,
  );
  for (const ones of ofOne.values()) endSome(ones, ones.length - limits.maxOfAddress, now);
  const unfinished = open().filter(({ last }) => last === null || !last.request.complete);
  endOldest(unfinished, unfinished.length - limits.maxUnfinished);
  const left = open();
  endSome(left, left.length - limits.max, now);
}

/** Ends so many of these connections. */
function endSome(candidates: readonly Connection[], count: number, now: number): void {
  if (count <= 0) return;
  const byState = Map.groupBy(candidates, (one) => stateOf(one, now));
  let left = count;
  for (const state of ENDED_FIRST) left -= endOldest(byState.get(state) ?? [], left);
  // All others wait for a reply, and the last one for the shortest time.
  if (left > 0) for (const { socket } of (byState.get('busy') ?? []).slice(-left)) socket.resetAndDestroy();
}

/** Ends so many of these connections, each time one of the address that has the most; returns how many there were. */
function endOldest(connections: readonly Connection[], count: number): number {
  const groups = [...Map.groupBy(connections, ({ group }) => group).values()].map((ones) => ones.toReversed());
  const most = Math.max(0, Math.min(count, connections.length));
  for (let ended = 0; ended < most; ended += 1) {
    const busiest = groups.reduce((a, b) => (b.length > a.length ? b : a));
    // Without the usual farewell, for which the kernel would go on to keep the connection.
    busiest.pop()?.socket.resetAndDestroy();
  }
  return most;
}
