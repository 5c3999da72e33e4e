import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ReadStream } from 'node:tty';
import type { TickerPort } from '../../src-shared/ticker/port.ts';
import { buildFirmware } from './firmware.ts';

/** The program of a simulated device; it is built once. */
export const simulatorProgram = (): string => join(buildFirmware('ticker-sim'), 'sim/ticker-sim');

/** A port over a pseudo-terminal without a driver, whose cable can be pulled in the middle of a write. */
export interface PtyPort extends TickerPort {
  /** After this many bytes more, nothing leaves and the port is lost. */
  pullAfter(bytes: number): void;
}

/** Opens the line of a simulated device as Web Serial's interface. */
export function createPtyPort(path: string): PtyPort {
  let out = -1;
  let input: ReadStream | null = null;
  let readable: ReadableStream<Uint8Array> | null = null;
  let writable: WritableStream<Uint8Array> | null = null;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let room = Infinity;
  const lose = (): never => {
    const lost = new DOMException('The device has been lost.', 'NetworkError');
    controller?.error(lost);
    controller = null;
    throw lost;
  };
  return {
    pullAfter: (bytes) => void (room = bytes),
    get readable() {
      return readable;
    },
    get writable() {
      return writable;
    },
    async open() {
      out = openSync(path, 'r+');
      const stream = new ReadStream(openSync(path, 'r+'));
      input = stream;
      // A read that waits when the device ends fails with EIO, as when a cable is pulled.
      stream.on('error', () => undefined);
      readable = new ReadableStream<Uint8Array>({
        start(created) {
          controller = created;
          stream.on('data', (bytes: Buffer) => controller?.enqueue(Uint8Array.from(bytes)));
        },
        cancel: () => void (controller = null),
      });
      writable = new WritableStream<Uint8Array>({
        write(bytes) {
          const sent = bytes.subarray(0, room);
          if (sent.length > 0) writeSync(out, sent);
          room -= sent.length;
          if (sent.length < bytes.length) lose();
        },
      });
    },
    async close() {
      input?.destroy();
      if (out >= 0) closeSync(out);
      [out, input, readable, writable, controller] = [-1, null, null, null, null];
    },
    setSignals: () => Promise.resolve(),
    getInfo: () => ({}),
  };
}
