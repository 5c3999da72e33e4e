import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PortIds } from '../../../src-shared/ticker/port.ts';

/** A port that the system lists. */
export interface ListedPort extends PortIds {
  path: string;
}

/** Ports of USB converters, and of chips that speak USB themselves. */
const USB_PORT = /^tty(?:USB|ACM)\d+$/;
/** A port belongs to an interface, and that to the USB device, which has the ids; a hub is above it. */
const MAX_PARENTS = 4;

/**
 * Lists serial ports over USB as the kernel of Linux names them (`Documentation/ABI/stable/sysfs-class-tty`), for
 * systems without `udevadm`. `folder` holds a link for each port; without it, the list is empty.
 */
export function listKernelPorts(folder = '/sys/class/tty'): ListedPort[] {
  return namesIn(folder)
    .filter((name) => USB_PORT.test(name))
    .sort()
    .map((name) => ({ path: `/dev/${name}`, ...idsOf(join(folder, name, 'device')) }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The ids of the USB device that a port belongs to; none if it was unplugged meanwhile. */
function idsOf(port: string): PortIds {
  try {
    let device = realpathSync(port);
    for (let parents = 0; parents <= MAX_PARENTS; parents += 1, device = dirname(device)) {
      const [usbVendorId, usbProductId] = [idIn(device, 'idVendor'), idIn(device, 'idProduct')];
      if (usbVendorId !== null && usbProductId !== null) return { usbVendorId, usbProductId };
    }
  } catch {
    // The port is gone.
  }
  return {};
}

function idIn(device: string, name: string): number | null {
  try {
    const id = Number.parseInt(readFileSync(join(device, name), 'latin1'), 16);
    return Number.isNaN(id) ? null : id;
  } catch {
    return null;
  }
}
