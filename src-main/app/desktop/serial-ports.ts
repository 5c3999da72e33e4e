import type { SerialPort, Session } from 'electron';
import type { BridgeSignal, ListedPort } from '../../../src-shared/contract/bridge.ts';
import { isSameDevice, type Preferences, type RememberedDevice } from './preferences.ts';
import { usbName } from '../../../src-shared/ticker/usb-names.ts';

export interface SerialDeps {
  origin: string;
  preferences: Pick<Preferences, 'devices' | 'remember'>;
  /** Shows the picker of the page. */
  sendSignal(signal: BridgeSignal): void;
}

export interface SerialPicker {
  /** What the user selected in the picker of the page; null if nothing. */
  choose(id: string | null): void;
}

type SerialSession = Pick<Session, 'setDevicePermissionHandler'> & {
  on(
    event: 'select-serial-port',
    listener: (
      event: { preventDefault(): void },
      ports: SerialPort[],
      contents: { getURL(): string } | null,
      answer: (portId: string) => void,
    ) => void,
  ): unknown;
  on(event: 'serial-port-added' | 'serial-port-removed', listener: (event: unknown, port: SerialPort) => void): unknown;
};

/** A picker that waits for the user. */
interface Pending {
  ports: SerialPort[];
  answer: (portId: string) => void;
}

/**
 * Lets the user select a serial port in the page, since Electron has no picker, and opens known devices without one.
 * Ports that come and go while the picker is open appear in it.
 */
export function pickSerialPorts(session: SerialSession, { origin, preferences, sendSignal }: SerialDeps): SerialPicker {
  let pending: Pending | null = null;
  const show = (): void => sendSignal({ kind: 'ports', ports: pending && pending.ports.map(listed) });
  const end = (portId: string): void => {
    const ended = pending;
    pending = null;
    // An empty id tells the page that nothing was selected.
    ended?.answer(portId);
    show();
  };
  session.on('select-serial-port', (event, ports, contents, answer) => {
    event.preventDefault();
    if (!contents || originOf(contents.getURL()) !== origin) return answer('');
    if (pending) end('');
    pending = { ports: [...ports], answer };
    show();
  });
  session.on('serial-port-added', (_event, port) => {
    if (!pending || pending.ports.some(({ portId }) => portId === port.portId)) return;
    pending.ports.push(port);
    show();
  });
  session.on('serial-port-removed', (_event, port) => {
    if (!pending) return;
    pending.ports = pending.ports.filter(({ portId }) => portId !== port.portId);
    show();
  });
  session.setDevicePermissionHandler(({ deviceType, origin: asking, device }) => {
    if (deviceType !== 'serial' || originOf(asking) !== origin) return false;
    const asked = remembered(device as SerialPort);
    return asked !== null && preferences.devices().some((known) => isSameDevice(known, asked));
  });
  return {
    choose(id) {
      const port = pending?.ports.find(({ portId }) => portId === id);
      const device = port ? remembered(port) : null;
      if (device) preferences.remember(device);
      end(port?.portId ?? '');
    },
  };
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

/** Only USB devices can be recognized again; a port of the computer itself has no identity. */
function remembered({ vendorId, productId, serialNumber }: Partial<SerialPort>): RememberedDevice | null {
  if (!vendorId || !productId) return null;
  return { vendorId, productId, serialNumber: serialNumber ?? null };
}

function listed({ portId, portName, displayName, vendorId, productId }: SerialPort): ListedPort {
  const [vendor, product] = [hexadecimal(vendorId), hexadecimal(productId)];
  return {
    id: portId.slice(0, 200),
    name: (usbName(vendor, product) ?? displayName ?? portName ?? '').slice(0, 200) || portId.slice(0, 200),
    vendor,
    product,
  };
}

/** Electron writes USB ids as decimal numbers, some systems in hexadecimal. */
function hexadecimal(id: string | undefined): string | null {
  if (!id) return null;
  const number = /^(?:0x|.*[a-f])/i.test(id) ? Number.parseInt(id, 16) : Number.parseInt(id, 10);
  return Number.isNaN(number) ? null : number.toString(16).padStart(4, '0').slice(0, 8);
}
