import { afterEach, expect, test, vi } from 'vitest';
import type { TickerPort } from '../port.ts';
import { UDEV_RULE, usbName } from '../usb-names.ts';
import { guardPort } from './guarded-port.ts';

afterEach(() => vi.useRealTimers());

const portThatSays = (error: unknown): TickerPort => ({
  readable: null,
  writable: null,
  open: () => (error === null ? new Promise(() => undefined) : Promise.reject(error as Error)),
  close: () => Promise.resolve(),
  setSignals: () => Promise.resolve(),
  getInfo: () => ({}),
});

// The texts are those of Chromium and of bindings-cpp of serialport.
test.each([
  [new DOMException('Failed to open serial port.', 'NetworkError'), 'ticker.port_busy'],
  [new DOMException('The port is already open.', 'InvalidStateError'), 'ticker.port_busy'],
  [new Error('Error Resource temporarily unavailable Cannot lock port'), 'ticker.port_busy'],
  [new Error('Error: Device or resource busy, cannot open /dev/ttyUSB0'), 'ticker.port_busy'],
  [new Error('Opening COM3: Access denied'), 'ticker.port_busy'],
  [new Error('Error: Permission denied, cannot open /dev/ttyUSB0'), 'ticker.port_denied'],
  [new Error('Error: No such file or directory, cannot open /dev/ttyUSB0'), 'ticker.device_gone'],
  [new Error('Opening COM3: File not found'), 'ticker.device_gone'],
  ['something else', 'ticker.port_busy'],
])('a port that does not open with “%s” ends with %s', async (error, code) => {
  await expect(guardPort(portThatSays(error)).open({ baudRate: 115_200 })).rejects.toMatchObject({ code });
});

test('a port that never opens is called busy after ten seconds', async () => {
  vi.useFakeTimers();
  const opening = guardPort(portThatSays(null)).open({ baudRate: 115_200 });
  const seen = expect(opening).rejects.toMatchObject({ code: 'ticker.port_busy' });
  await vi.advanceTimersByTimeAsync(10_000);
  await seen;
});

test('the rule for Linux gives each adapter that Hearth knows to who sits there, and nothing else', () => {
  const lines = UDEV_RULE.split('\n');
  // man udev: keys of a match with ==, of an assignment with +=, separated by commas.
  for (const line of lines)
    expect(line).toMatch(/^SUBSYSTEM=="tty", ATTRS\{idVendor\}=="[0-9a-f]{4}", TAG\+="uaccess"$/);
  const vendors = lines.map((line) => /idVendor\}=="(.{4})"/.exec(line)![1]!);
  expect(new Set(vendors).size).toBe(vendors.length);
  expect(vendors.toSorted()).toEqual(['0403', '067b', '10c4', '1a86', '303a']);
  expect(vendors.map((vendor) => usbName(vendor, null))).not.toContain(null);
});
