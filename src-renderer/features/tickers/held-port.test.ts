import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TickerPort } from '../../../src-shared/ticker/port.ts';
import { currentPort, heldPort, selectPort } from './held-port.ts';

const CH340 = { usbVendorId: 0x1a86, usbProductId: 0x7523 };
const CP2102 = { usbVendorId: 0x10c4, usbProductId: 0xea60 };

interface PluggedPort extends TickerPort {
  connected: boolean;
}
const plug = (ids = CH340): PluggedPort => ({
  ...{ connected: true, readable: null, writable: null },
  open: () => Promise.resolve(),
  close: () => Promise.resolve(),
  setSignals: () => Promise.resolve(),
  getInfo: () => ids,
});

const requestPort = vi.fn<() => Promise<TickerPort>>();
const getPorts = vi.fn<() => Promise<TickerPort[]>>();
let first: PluggedPort;
beforeEach(async () => {
  vi.stubGlobal('navigator', { serial: { requestPort, getPorts } });
  first = plug();
  requestPort.mockReset().mockResolvedValueOnce(first);
  await selectPort();
});
afterEach(() => vi.unstubAllGlobals());

it('keeps the port that was selected while its board is plugged in', async () => {
  expect(await currentPort()).toBe(first);
  expect(requestPort).toHaveBeenCalledOnce();
});

it('takes the new port of a board that the browser remembers, and asks nobody', async () => {
  first.connected = false;
  const second = plug();
  getPorts.mockResolvedValue([first, plug(CP2102), second]);
  expect(await currentPort()).toBe(second);
  expect(heldPort()).toBe(second);
  expect(requestPort).toHaveBeenCalledOnce();
});

it.each([
  ['the browser has forgotten the board', []],
  ['two boards of its kind are there', [plug(), plug()]],
])('lets the user select the port when %s', async (_, ports) => {
  first.connected = false;
  const second = plug();
  getPorts.mockResolvedValue(ports);
  requestPort.mockResolvedValueOnce(second);
  expect(await currentPort()).toBe(second);
});

it('has no port when the user closes the picker, and asks again at the next try', async () => {
  first.connected = false;
  getPorts.mockResolvedValue([]);
  requestPort.mockRejectedValueOnce(new DOMException('No port selected by the user.', 'NotFoundError'));
  expect(await currentPort()).toBeNull();
  const second = plug();
  requestPort.mockResolvedValueOnce(second);
  expect(await currentPort()).toBe(second);
});
