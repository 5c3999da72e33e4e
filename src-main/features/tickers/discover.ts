import type { BrowserConfig, Service } from 'bonjour-service';
import { deviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { type MayReach, openLanDevice } from './lan-device.ts';

/** Other web servers of a home answer, too; more than these are not asked. */
const MAX_ASKED = 40;
const ASK_MS = 3_000;

/** A device that answered, by the address to enter. */
export interface FoundDevice {
  name: string;
  address: string;
  /** Null if it tells nothing without its password. */
  version: string | null;
  board: string | null;
}

/** A web server that announced itself (DNS-SD, `_http._tcp`). */
export interface Announced {
  name: string;
  /** Host and port. */
  address: string;
}

/** Listens for web servers on the network by multicast DNS. */
export async function browseNetwork(seconds: number, options: object = {}): Promise<Announced[]> {
  const { Bonjour } = await import('bonjour-service');
  const bonjour = new Bonjour(options, () => undefined);
  const found = new Map<string, Announced>();
  const browser = bonjour.find({ type: 'http' } satisfies BrowserConfig, (service) => {
    const announced = addressOf(service);
    if (announced !== null && found.size < MAX_ASKED) found.set(announced.address, announced);
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  browser.stop();
  await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
  return [...found.values()];
}

/** The address that the answer came from: what it says of itself may be out of date, or another's. */
function addressOf({ name, port, referer }: Service): Announced | null {
  if (referer?.family !== 'IPv4') return null;
  return { name, address: port === 80 ? referer.address : `${referer.address}:${port}` };
}

/** Those of the announced servers that are tickers. */
export async function findDevices(announced: readonly Announced[], mayReach: MayReach): Promise<FoundDevice[]> {
  const asked = await Promise.all(announced.slice(0, MAX_ASKED).map((one) => identify(one, mayReach)));
  return asked.flatMap((device) => device ?? []);
}

async function identify({ name, address }: Announced, mayReach: MayReach): Promise<FoundDevice | null> {
  try {
    const device = openLanDevice({ address, user: '', password: '' }, mayReach, ASK_MS);
    const reply = await device.send('GET', '/api/status', undefined, {}, { isLoginAsked: false });
    if (reply.status === 401 && reply.realm === 'SmallTV') return { name, address, version: null, board: null };
    const status = deviceStatus.safeParse(reply.body);
    if (!status.success) return null;
    const { hostname, version, board } = status.data;
    return { name: hostname, address, version, board };
  } catch {
    return null;
  }
}
