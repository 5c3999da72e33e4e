import type { BrowserConfig, Service } from 'bonjour-service';
import { deviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { DEVICE_REALM } from './digest.ts';
import { type MayReach, openLanDevice } from './lan-device.ts';

/** Other web servers of a home answer, too; more than these are not asked. */
const MAX_ASKED = 40;
/** So that one machine that announces a thousand servers does not take the places of all others. */
const MAX_ASKED_OF_ADDRESS = 4;
/** Of a label in DNS. */
const MAX_NAME_CHARACTERS = 63;
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
  const browser = bonjour.find({ type: 'http' } satisfies BrowserConfig, (service) => takeAnnounced(found, service));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  browser.stop();
  await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
  return [...found.values()];
}

/** Keeps a server by the address that the answer came from: what it says of itself may be out of date, or another's. */
export function takeAnnounced(
  found: Map<string, Announced>,
  { name, port, referer }: Pick<Service, 'name' | 'port' | 'referer'>,
): void {
  if (referer?.family !== 'IPv4' || !Number.isInteger(port) || port < 1 || port > 65_535) return;
  const { address: host } = referer;
  const ofHost = [...found.values()].filter(({ address }) => address.split(':')[0] === host).length;
  if (found.size >= MAX_ASKED || ofHost >= MAX_ASKED_OF_ADDRESS) return;
  const address = port === 80 ? host : `${host}:${port}`;
  found.set(address, { name: plainName(name), address });
}

/** A name from the network, without characters that are not seen or that turn the text around. */
const plainName = (name: unknown): string => String(name).replace(/\p{C}/gu, '').slice(0, MAX_NAME_CHARACTERS);

/** Those of the announced servers that are tickers. */
export async function findDevices(announced: readonly Announced[], mayReach: MayReach): Promise<FoundDevice[]> {
  const asked = await Promise.all(announced.slice(0, MAX_ASKED).map((one) => identify(one, mayReach)));
  return asked.flatMap((device) => device ?? []);
}

async function identify({ name, address }: Announced, mayReach: MayReach): Promise<FoundDevice | null> {
  try {
    const device = openLanDevice({ address, user: '', password: '' }, mayReach, ASK_MS);
    const reply = await device.send('GET', '/api/status', undefined, {}, { isLoginAsked: false });
    if (reply.status === 401 && reply.realm === DEVICE_REALM) return { name, address, version: null, board: null };
    const status = deviceStatus.safeParse(reply.body);
    if (!status.success) return null;
    const { hostname, version, board } = status.data;
    return { name: plainName(hostname), address, version: plainName(version), board: plainName(board) };
  } catch {
    return null;
  }
}
