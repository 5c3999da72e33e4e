import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isInHomeNetwork } from '../../src-main/features/tickers/lan-device.ts';

/** A way to a simulated device. */
export interface DeviceWay {
  /** Host and port, as people type them. */
  address: string;
  close(): void;
}

/** An address of this computer that the core takes for one of a home network; undefined if it has none. */
export const findHomeAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .find((address) => {
      const url = URL.parse(`http://${hostOf(address)}`);
      return url !== null && isInHomeNetwork(url);
    });

const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/**
 * Forwards requests for an address of this computer to a simulated device, which serves 127.0.0.1 alone and answers
 * only to its own names.
 * @param before runs before a request is forwarded
 */
export async function openDeviceWay(
  web: string,
  listen: string,
  before: (method: string, path: string) => Promise<void> = () => Promise.resolve(),
): Promise<DeviceWay> {
  const server: Server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { method = '', url = '' } = request;
      const body = Buffer.concat(await request.toArray());
      await before(method, url);
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
      const reply = await fetch(web + url, { method, headers, ...(body.length > 0 && { body }) });
      const challenge = reply.headers.get('www-authenticate');
      response.writeHead(reply.status, challenge === null ? {} : { 'www-authenticate': challenge });
      response.end(Buffer.from(await reply.arrayBuffer()));
    };
    forward().catch(() => request.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, listen, resolve));
  return {
    address: `${hostOf(listen)}:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
