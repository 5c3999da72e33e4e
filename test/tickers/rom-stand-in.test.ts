import { createHash, randomBytes } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { ESPLoader, Transport } from 'esptool-js';
import { describe, expect, test, vi } from 'vitest';
import { createNodePort, listPorts } from '../../src-main/features/tickers/node-port.ts';
import { type Board, createBoard } from '../fakes/esp/board.ts';
import { createNorFlash } from '../fakes/esp/nor-flash.ts';
import { openPty } from '../fakes/esp/pty.ts';
import { encodeSlip } from '../fakes/esp/slip.ts';
import { connectPort } from '../fakes/esp/web-serial.ts';
import { describeWith } from '../support/requirements.ts';

const SILENT = { clean: () => undefined, write: () => undefined, writeLine: () => undefined };
const KNOWN = [
  ['esp8266', 'ESP8266EX', 0x0],
  ['esp32', 'ESP32-D0WD-V3 (revision 3)', 0x1000],
  ['esp32c2', 'ESP32-C2 (revision 1)', 0x0],
  ['esp32c3', 'ESP32-C3 (QFN32) (revision v0.3)', 0x0],
] as const;

async function connect(
  board: Board,
  port: unknown = connectPort(board),
  baudrate = 460_800,
): Promise<{ loader: ESPLoader; chip: string }> {
  const transport = new Transport(port as never);
  transport.trace = () => undefined;
  const loader = new ESPLoader({ transport, baudrate, terminal: SILENT });
  return { loader, chip: await loader.main() };
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

const IMAGE_OPTIONS = { flashSize: 'keep', flashMode: 'keep', flashFreq: 'keep', eraseAll: false } as const;

/** A request without what a client's library adds. */
function request(op: number, words: number[], tail: Uint8Array = new Uint8Array(0), checksum = 0): Uint8Array {
  const bytes = Buffer.alloc(8 + words.length * 4 + tail.length);
  bytes[1] = op;
  bytes.writeUInt16LE(bytes.length - 8, 2);
  bytes.writeUInt32LE(checksum, 4);
  words.forEach((word, at) => bytes.writeUInt32LE(word, 8 + at * 4));
  bytes.set(tail, 8 + words.length * 4);
  return encodeSlip(bytes);
}

describe('the stand-in of a boot ROM, before the client of Espressif', () => {
  test.concurrent.each(KNOWN)(
    '%s is recognized, written, verified and read, and nothing breaks the protocol',
    async (name, description, offset) => {
      const board = createBoard({ chip: name, content: randomBytes(70_000) });
      const { loader, chip } = await connect(board);
      expect(chip).toBe(description);
      expect(await loader.chip.readMac(loader)).toBe('24:0a:c4:12:34:56');
      expect(await loader.detectFlashSize()).toBe('4MB');

      const image = Uint8Array.from([0xe9, ...randomBytes(50_000), ...new Uint8Array(30_003)]);
      await loader.writeFlash({
        fileArray: [{ data: image, address: offset }],
        ...IMAGE_OPTIONS,
        compress: true,
        calculateMD5Hash: md5,
      });
      expect(board.flash.bytes.slice(offset, offset + image.length)).toEqual(image);
      expect(await loader.readFlash(offset, 10_000)).toEqual(image.slice(0, 10_000));
      await loader.transport.disconnect();
      expect(board.violations).toEqual([]);
      expect(board.events).toContain('baud 460800');
    },
  );
});

describeWith({ programs: ['python3'], packages: ['serialport'] }, 'the stand-in of a boot ROM on a line', () => {
  test('is reached by a program over a pseudo-terminal, and the reset line starts the application on the same line', async () => {
    const board = createBoard({ chip: 'esp32c3', application: ['cat'] });
    const pty = await openPty(board);
    expect(await listPorts()).toBeInstanceOf(Array);
    try {
      const port = (await createNodePort(pty.path))!;
      const { loader } = await connect(board, port);
      const image = Uint8Array.from([0xe9, ...randomBytes(20_000)]);
      await loader.writeFlash({ fileArray: [{ data: image, address: 0 }], ...IMAGE_OPTIONS, compress: true });
      expect(board.flash.bytes.slice(0, image.length)).toEqual(image);
      expect(board.violations).toEqual([]);
      await loader.transport.disconnect();

      await port.open({ baudRate: 115_200 });
      // A client that leaves without reading its answers resets the socket.
      const control = connectSocket(pty.control).pause();
      control.write('rts 1\nrts 0\n');
      await expect.poll(() => board.state).toBe('application');
      control.destroy();
      const reader = port.readable!.getReader();
      const writer = port.writable!.getWriter();
      await writer.write(Buffer.from('hello ticker\n'));
      let said = '';
      while (!said.includes('hello ticker')) said += Buffer.from((await reader.read()).value!).toString();
      await reader.cancel();
      reader.releaseLock();
      writer.releaseLock();
      await port.close();
    } finally {
      board.stop();
      await pty.stop();
    }
  });
});

describe('the stand-in notes what breaks the protocol', () => {
  const hello = request(0x08, [0x20120707, ...Array.from({ length: 8 }, () => 0x55555555)]);

  test.each([
    [
      'a wrong checksum',
      [request(0x05, [4, 1, 0x1800, 0x40380000]), request(0x07, [4, 0, 0, 0], Buffer.from('abcd'), 1)],
      /wrong checksum/,
    ],
    [
      'a block without its beginning',
      [request(0x11, [4, 0, 0, 0], Buffer.from('abcd'), 0xef ^ 0x61 ^ 0x62 ^ 0x63 ^ 0x64)],
      /without its beginning/,
    ],
    ['a command of a loader that does not run', [request(0xd0, [])], /unknown here/],
    ['parameters of another chip', [request(0x02, [4096, 1, 1024, 0])], /16 bytes of parameters, not 20/],
    ['a transfer that is no sector', [request(0x02, [4096, 1, 1024, 100, 0])], /transfer of 4096 bytes to 0x64/],
    ['an escape that does not exist', [Buffer.from([0xc0, 0xdb, 0x00, 0xc0])], /DB is followed by 0/],
    ['a loader that was not written', [request(0x06, [0, 0x40380000])], /nothing was written/],
  ])('%s', async (_, frames, expected) => {
    const board = createBoard({ chip: 'esp32c3' });
    board.reset(true);
    for (const frame of [hello, ...frames]) board.receive(frame, 115_200);
    await expect.poll(() => board.violations.join()).toMatch(expected);
  });

  test('bytes that were not erased keep their zero bits', () => {
    const flash = createNorFlash(1, Uint8Array.from([0x0f]));
    expect(flash.program(0, Uint8Array.from([0xf1]))).toBe(1);
    expect(flash.bytes[0]).toBe(0x01);
    flash.erase(0, 4096);
    expect(flash.program(0, Uint8Array.from([0xf1]))).toBe(0);
  });

  test('the strap is read once EN has risen, for programs that set one line after the other', async () => {
    const board = createBoard({ chip: 'esp32', content: Uint8Array.from([...new Uint8Array(0x1000), 0xe9]) });
    const setInTurn = (...steps: { dtr?: boolean; rts?: boolean }[]): void => steps.forEach(board.setLines);
    setInTurn({ dtr: false }, { rts: true }, { dtr: true }, { rts: false }, { dtr: false });
    expect(board.state).toBe('rom');
    expect(board.events).toEqual(['application', 'reset loader']);
    setInTurn({ rts: true }, { dtr: true });
    await expect.poll(() => board.state).toBe('application');
    expect(board.events.slice(2)).toEqual(['reset flash', 'application']);
  });

  test('lines that a network delays by 100 ms each still lead into the loader', () => {
    vi.useFakeTimers();
    try {
      const board = createBoard({ chip: 'esp32', content: Uint8Array.from([...new Uint8Array(0x1000), 0xe9]) });
      for (const line of [{ dtr: false }, { rts: true }, { dtr: true }, { rts: false }, { dtr: false }]) {
        board.setLines(line);
        vi.advanceTimersByTime(100);
      }
      expect(board.state).toBe('rom');
      expect(board.events).toEqual(['application', 'reset loader']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('bytes at another speed are lost', async () => {
    const board = createBoard({ chip: 'esp32' });
    board.reset(true);
    const before = board.lostBytes;
    board.receive(hello, 57_600);
    expect(board.lostBytes).toBe(before + hello.length);
    expect(board.violations).toEqual([]);
  });
});
