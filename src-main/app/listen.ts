import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../platform/kernel/clock.ts';

/** Time for open requests to finish when the program stops. */
const DRAIN_MS = 2000;
/** Connections that wait to be accepted: a client beyond it tries again after one second, then three. */
const BACKLOG = 4096;

/** Starts listening; resolves to the address with the actual port. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const address = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${address.port}`);
    });
  });
}

/** Stops listening, lets open requests finish, and then ends their connections. */
export async function close(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, clock.sleep(DRAIN_MS)]);
  server.closeAllConnections();
  await closed;
}
