import type { Page } from 'playwright-core';
import type { Board } from '../fakes/esp/board.ts';

declare global {
  interface Window {
    boardOpen(baudRate: number): Promise<void>;
    boardWrite(bytes: string, baudRate: number): Promise<void>;
    boardSignals(dtr: boolean | null, rts: boolean | null): Promise<void>;
    boardSays(bytes: string): void;
    boardLost(): void;
  }
}

/** The port of the page: Web Serial's interface, with the board in the process of the test behind it. */
function installSerial(): void {
  let readable: ReadableStream<Uint8Array> | null = null;
  let writable: WritableStream<Uint8Array> | null = null;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const encode = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  window.boardSays = (bytes) => controller?.enqueue(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
  const lost = (): DOMException => new DOMException('The device has been lost.', 'NetworkError');
  let current: object | null = null;
  /** A board that is plugged in again is another port, and the old one stays dead. */
  const createPort = (): object => {
    const isPlugged = (): boolean => current === port;
    const port = {
      get connected() {
        return isPlugged();
      },
      get readable() {
        return isPlugged() ? readable : null;
      },
      get writable() {
        return isPlugged() ? writable : null;
      },
      async open({ baudRate }: { baudRate: number }) {
        if (!isPlugged()) throw lost();
        if (readable !== null) throw new DOMException('The port is already open.', 'InvalidStateError');
        await window.boardOpen(baudRate);
        readable = new ReadableStream({
          start: (created) => {
            controller = created;
          },
          cancel: () => {
            controller = null;
          },
        });
        writable = new WritableStream({ write: (bytes) => window.boardWrite(encode(bytes), baudRate) });
      },
      async close() {
        if (!isPlugged()) return;
        if (readable?.locked || writable?.locked) throw new TypeError('A stream of the port is locked.');
        [readable, writable, controller] = [null, null, null];
      },
      setSignals: ({ dataTerminalReady, requestToSend }: { dataTerminalReady?: boolean; requestToSend?: boolean }) =>
        window.boardSignals(dataTerminalReady ?? null, requestToSend ?? null),
      getInfo: () => ({ usbVendorId: 0x1a86, usbProductId: 0x7523 }),
    };
    return port;
  };
  current = createPort();
  window.boardLost = () => {
    controller?.error(lost());
    [readable, writable, controller] = [null, null, null];
    current = createPort();
  };
  // A chip without a serial number, as the CH340, is forgotten when it is unplugged.
  const serial = { requestPort: () => Promise.resolve(current), getPorts: () => Promise.resolve([]) };
  Object.defineProperty(navigator, 'serial', { value: serial });
}

/** Gives a page a board on a serial port, which it gets when it asks for one. Call it before the page loads. */
export async function plugIn(page: Page, board: Board): Promise<void> {
  let waiting: Uint8Array[] = [];
  const flush = (): void => {
    const bytes = Buffer.concat(waiting).toString('base64');
    waiting = [];
    // A page that was closed has nobody to listen.
    page.evaluate((said) => window.boardSays(said), bytes).catch(() => undefined);
  };
  board.on('bytes', (bytes) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(bytes);
  });
  board.on('hang-up', () => void page.evaluate(() => window.boardLost()));
  await page.exposeFunction('boardOpen', (baudRate: number) => board.setHostBaud(baudRate));
  await page.exposeFunction('boardWrite', (bytes: string, baudRate: number) =>
    board.receive(Buffer.from(bytes, 'base64'), baudRate),
  );
  await page.exposeFunction('boardSignals', (dtr: boolean | null, rts: boolean | null) =>
    board.setLines({ ...(dtr !== null && { dtr }), ...(rts !== null && { rts }) }),
  );
  await page.addInitScript(installSerial);
}
