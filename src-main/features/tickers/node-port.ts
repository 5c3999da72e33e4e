import type { SerialPort } from 'serialport';
import type { PortIds, TickerPort } from '../../../src-shared/ticker/port.ts';
import { listKernelPorts, type ListedPort } from './kernel-ports.ts';

type Package = typeof import('serialport');

/** The package with its native part, or null on a system for which there is none. */
async function loadPackage(): Promise<Package | null> {
  try {
    return await import('serialport');
  } catch {
    return null;
  }
}

/**
 * Lists the serial ports of this computer; null if this system has no driver for them. The package asks `udevadm` on
 * Linux, which small systems don't have.
 */
export async function listPorts(): Promise<ListedPort[] | null> {
  const serial = await loadPackage();
  if (serial === null) return null;
  try {
    return (await serial.SerialPort.list()).map(({ path, vendorId, productId }) => ({
      path,
      ...(vendorId !== undefined && { usbVendorId: Number.parseInt(vendorId, 16) }),
      ...(productId !== undefined && { usbProductId: Number.parseInt(productId, 16) }),
    }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'spawn udevadm') throw error;
    return listKernelPorts();
  }
}

/** Creates a port of Web Serial's shape over `serialport`; null if this system has no driver for serial ports. */
export async function createNodePort(path: string, ids: PortIds = {}): Promise<TickerPort | null> {
  const serial = await loadPackage();
  if (serial === null) return null;
  let port: SerialPort | null = null;
  let readable: ReadableStream<Uint8Array> | null = null;
  let writable: WritableStream<Uint8Array> | null = null;

  return {
    get readable() {
      return readable as globalThis.ReadableStream<Uint8Array> | null;
    },
    get writable() {
      return writable as globalThis.WritableStream<Uint8Array> | null;
    },
    async open({ baudRate }) {
      const opened = new serial.SerialPort({ path, baudRate, autoOpen: false });
      await settle((done) => opened.open(done));
      port = opened;
      readable = readFrom(opened);
      writable = new WritableStream<Uint8Array>({
        write: (bytes) => settle((done) => opened.write(bytes, (error) => done(error ?? null))),
      });
    },
    async close() {
      const closing = port;
      port = null;
      readable = null;
      writable = null;
      if (closing?.isOpen) await settle((done) => closing.close(done));
    },
    async setSignals({ dataTerminalReady, requestToSend, break: brk }) {
      // A pseudo-terminal and some adapters have no such lines: the client then finds out whether the chip answers.
      await settle((done) => port?.set({ dtr: dataTerminalReady, rts: requestToSend, brk }, done)).catch(
        () => undefined,
      );
    },
    setBaudRate: (baudRate) => settle((done) => port?.update({ baudRate }, done)),
    getInfo: () => ids,
  };
}

function readFrom(port: SerialPort): ReadableStream<Uint8Array> {
  let isDone = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      port.on('data', (bytes: Buffer) => {
        if (!isDone) controller.enqueue(Uint8Array.from(bytes));
      });
      port.on('error', () => undefined);
      port.on('close', (error: Error | null) => {
        if (isDone) return;
        isDone = true;
        if (error) controller.error(new DOMException('The device has been lost.', 'NetworkError'));
        else controller.close();
      });
    },
    cancel() {
      isDone = true;
    },
  });
}

function settle(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}
