import { setTimeout as wait } from 'node:timers/promises';
import type { Board } from './board.ts';

/** What a port says of its adapter. */
export interface AdapterIds {
  usbVendorId?: number;
  usbProductId?: number;
}

/** The CH340C on the USB socket of the boards. */
const CH340: AdapterIds = { usbVendorId: 0x1a86, usbProductId: 0x7523 };
const BITS_PER_BYTE = 10;

/** The board's serial port as Web Serial has it, within this process. */
export interface FakePort {
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  setSignals(signals: { dataTerminalReady?: boolean; requestToSend?: boolean; break?: boolean }): Promise<void>;
  getInfo(): AdapterIds;
}

/**
 * Connects a board to a port. With `isPaced`, bytes take the time that the line's speed gives them; otherwise they
 * arrive at once.
 */
export function connectPort(board: Board, { ids = CH340, isPaced = false } = {}): FakePort {
  let readable: ReadableStream<Uint8Array> | null = null;
  let writable: WritableStream<Uint8Array> | null = null;
  let closeStreams: (error?: DOMException) => void = () => undefined;
  let isPulled = false;

  board.on('hang-up', () => {
    isPulled = true;
    closeStreams(new DOMException('The device has been lost.', 'NetworkError'));
  });

  function lost(): DOMException {
    return new DOMException('The device has been lost.', 'NetworkError');
  }

  function openReadable(): ReadableStream<Uint8Array> {
    let listener: (bytes: Uint8Array) => void = () => undefined;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        listener = (bytes) => controller.enqueue(Uint8Array.from(bytes));
        board.on('bytes', listener);
        closeStreams = (error) => {
          board.off('bytes', listener);
          readable = null;
          writable = null;
          if (error !== undefined) controller.error(error);
        };
      },
      cancel: () => board.off('bytes', listener),
    });
  }

  return {
    get readable() {
      return readable;
    },
    get writable() {
      return writable;
    },
    async open({ baudRate }) {
      if (isPulled) throw new DOMException('Failed to open serial port.', 'NetworkError');
      if (readable !== null) throw new DOMException('The port is already open.', 'InvalidStateError');
      board.setHostBaud(baudRate);
      readable = openReadable();
      writable = new WritableStream<Uint8Array>({
        async write(bytes) {
          if (isPulled) throw lost();
          if (isPaced) await wait((bytes.length * BITS_PER_BYTE * 1000) / baudRate);
          board.receive(bytes, baudRate);
        },
      });
    },
    async close() {
      if (readable?.locked || writable?.locked) throw new TypeError('A stream of the port is locked.');
      closeStreams();
    },
    async setSignals(signals) {
      if (isPulled) throw lost();
      const lines: { dtr?: boolean; rts?: boolean } = {};
      if (signals.dataTerminalReady !== undefined) lines.dtr = signals.dataTerminalReady;
      if (signals.requestToSend !== undefined) lines.rts = signals.requestToSend;
      board.setLines(lines);
    },
    getInfo: () => ids,
  };
}
