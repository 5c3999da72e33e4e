import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listKernelPorts } from './kernel-ports.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-ports-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'serial ports of the kernel are listed with the ids of their USB devices',
  () => {
    const ports = join(root, 'class', 'tty');
    // As Linux lays them out: a CH340 at a hub, a chip with USB of its own, and ports that are not of USB.
    const plug = (name: string, device: string, [vendor, product]: readonly [string, string]): void => {
      const port = join(root, 'devices', 'usb1', '1-1', device, `${device}:1.0`, name);
      mkdirSync(join(ports, name), { recursive: true });
      mkdirSync(port, { recursive: true });
      writeFileSync(join(root, 'devices', 'usb1', '1-1', device, 'idVendor'), `${vendor}\n`);
      writeFileSync(join(root, 'devices', 'usb1', '1-1', device, 'idProduct'), `${product}\n`);
      symlinkSync(port, join(ports, name, 'device'));
    };
    plug('ttyUSB0', '1-1.2', ['1a86', '7523']);
    plug('ttyACM1', '1-1.3', ['303a', '1001']);
    for (const name of ['tty0', 'ttyS0', 'ttyUSB9']) mkdirSync(join(ports, name), { recursive: true });

    expect(listKernelPorts(ports)).toEqual([
      { path: '/dev/ttyACM1', usbVendorId: 0x303a, usbProductId: 0x1001 },
      { path: '/dev/ttyUSB0', usbVendorId: 0x1a86, usbProductId: 0x7523 },
      // Unplugged meanwhile.
      { path: '/dev/ttyUSB9' },
    ]);
    expect(listKernelPorts(join(root, 'nowhere'))).toEqual([]);
  },
);
