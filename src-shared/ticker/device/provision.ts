import { ImprovSerial } from 'improv-wifi-serial-sdk/dist/serial.js';
import { withinTime } from '../flash/guarded-port.ts';
import { TickerError } from '../flash/ticker-error.ts';
import type { DeviceLine, SidePort } from './line.ts';

/** A Wi-Fi network that the device saw. */
export interface SeenNetwork {
  name: string;
  /** dBm. */
  rssi: number;
  secured: boolean;
}

const ANSWER_MS = 10_000;
const SCAN_MS = 30_000;
/** The device tries for 20 s. */
const JOIN_MS = 40_000;
/** ImprovSerialErrorState.UNABLE_TO_CONNECT. */
const UNABLE_TO_CONNECT = 3;
const silent = { log: () => undefined, error: () => undefined, debug: () => undefined };

/** The networks that the device sees, each once, the strongest first. */
export function scanNetworks(line: DeviceLine): Promise<SeenNetwork[]> {
  return line.withSidePort(async (port) => {
    const networks = await withClient(port, (client) => client.scan(SCAN_MS));
    const byName = new Map<string, SeenNetwork>();
    // A network with several senders is one choice, and a hidden one has nothing to choose by.
    for (const network of [...networks].sort((one, other) => other.rssi - one.rssi))
      if (network.name !== '' && !byName.has(network.name)) byName.set(network.name, network);
    return [...byName.values()];
  });
}

/** Lets the device join a network; it stores it once that succeeded. Returns the address of its page. */
export function joinNetwork(line: DeviceLine, name: string, password: string): Promise<string> {
  return line.withSidePort((port) =>
    withClient(port, async (client) => {
      try {
        await client.provision(name, password, JOIN_MS);
      } catch {
        throw new TickerError(client.error === UNABLE_TO_CONNECT ? 'ticker.wifi_refused' : 'ticker.wifi_failed', {
          name,
        });
      }
      return client.nextUrl ?? '';
    }),
  );
}

async function withClient<T>(port: SidePort, use: (client: ImprovSerial) => Promise<T>): Promise<T> {
  const client = new ImprovSerial(port as unknown as ConstructorParameters<typeof ImprovSerial>[0], silent);
  await client.initialize(ANSWER_MS).catch(() => {
    throw new TickerError('ticker.not_hearth');
  });
  try {
    return await use(client);
  } catch (error) {
    throw error instanceof TickerError ? error : new TickerError('ticker.device_silent');
  } finally {
    await withinTime(client.close(), ANSWER_MS, () => new TickerError('ticker.timed_out')).catch(() => undefined);
  }
}
