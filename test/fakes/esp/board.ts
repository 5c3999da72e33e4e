import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { type ChipName, createChip } from './chips.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import { createLoader, type Loader } from './loader.ts';
import { createNorFlash, type NorFlash } from './nor-flash.ts';
import { createSlipReader, encodeSlip } from './slip.ts';

const IMAGE_MAGIC = 0xe9;
const APPLICATION_BAUD = 115_200;

/** How a board is built. */
export interface BoardOptions {
  chip: ChipName;
  flashMegabytes?: number;
  /** What is in its flash at first. */
  content?: Uint8Array;
  faults?: Partial<Faults>;
  /** A program whose input and output become the line after a start from flash. */
  application?: readonly [string, ...string[]];
  mac?: Parameters<typeof createChip>[1];
}

/** A board with a boot ROM, on a serial line. */
export interface Board {
  readonly flash: NorFlash;
  readonly faults: Faults;
  /** What a client did that the protocol does not have. */
  readonly violations: string[];
  /** Names of what happened: `reset loader`, `reset flash`, `application`, `no image`, `baud N`. */
  readonly events: string[];
  readonly state: 'rom' | 'ram' | 'application' | 'stuck';
  /** Bytes that came or went at a speed that the other side did not have. */
  readonly lostBytes: number;
  /** The other side sends bytes at a speed. */
  receive(bytes: Uint8Array, baud: number): void;
  /** The other side sets its lines: true is asserted, so low on the chip's pin. */
  setLines(lines: { dtr?: boolean; rts?: boolean }): void;
  /** The buttons: a reset, into the loader while BOOT is held. */
  reset(isBootHeld: boolean): void;
  /** The speed at which the other side listens; bytes at another one are lost. */
  setHostBaud(baud: number): void;
  on(event: 'bytes', listener: (bytes: Uint8Array) => void): void;
  on(event: 'hang-up', listener: () => void): void;
  off(event: 'bytes' | 'hang-up', listener: (bytes: Uint8Array) => void): void;
  stop(): void;
}

/**
 * From the rise of EN to the reading of the strap. On boards it is some 10 ms (10 kΩ and 1 µF); a port behind a network
 * (RFC 2217) needs 100 ms for each line, and Espressif's program sets them one after the other.
 */
const EN_RISE_MS = 250;

/** What the parts of a board share. */
interface Parts {
  options: BoardOptions;
  chip: ReturnType<typeof createChip>;
  flash: NorFlash;
  faults: Faults;
  violations: string[];
  events: string[];
  emitter: EventEmitter;
  slip: ReturnType<typeof createSlipReader>;
  lines: { dtr: boolean; rts: boolean };
  /** While EN rises with both lines asserted. */
  rising: NodeJS.Timeout | null;
  state: 'loader' | 'application' | 'stuck';
  loader: Loader | null;
  baud: number;
  hostBaud: number;
  lostBytes: number;
  application: ChildProcess | null;
  /** The last frame; the next one is answered after it. */
  queue: Promise<void>;
}

/** Creates a board that starts what is in its flash. */
export function createBoard(options: BoardOptions): Board {
  const violations: string[] = [];
  const board: Parts = {
    ...{ options, violations, events: [], chip: createChip(options.chip, options.mac) },
    flash: createNorFlash(options.flashMegabytes ?? 4, options.content),
    faults: { ...NO_FAULTS, ...options.faults },
    emitter: new EventEmitter().setMaxListeners(50),
    slip: createSlipReader((what) => violations.push(what)),
    ...{ lines: { dtr: false, rts: false }, rising: null },
    ...{ state: 'stuck', loader: null, baud: APPLICATION_BAUD, hostBaud: APPLICATION_BAUD, lostBytes: 0 },
    ...{ application: null, queue: Promise.resolve() },
  };
  const { flash, faults, events, emitter } = board;
  startFlash(board);
  return {
    ...{ flash, faults, violations, events },
    get state() {
      if (board.state !== 'loader') return board.state;
      return board.loader!.isInRam ? 'ram' : 'rom';
    },
    get lostBytes() {
      return board.lostBytes;
    },
    receive: (bytes, atBaud) => receive(board, bytes, atBaud),
    setLines: (lines) => setLines(board, lines),
    reset: (isBootHeld) => reset(board, isBootHeld),
    setHostBaud: (value) => (board.hostBaud = value),
    on: (event: string, listener: (bytes: Uint8Array) => void) => void emitter.on(event, listener),
    off: (event, listener) => void emitter.off(event, listener),
    stop: () => void board.application?.kill(),
  };
}

function emitBytes(board: Parts, bytes: Uint8Array): void {
  const { baud, hostBaud, faults, emitter } = board;
  if (baud !== hostBaud) {
    board.lostBytes += bytes.length;
    return;
  }
  const isUnclean = faults.cleanUpToBaud > 0 && baud > faults.cleanUpToBaud;
  emitter.emit('bytes', isUnclean ? bytes.map((byte, at) => (at % 7 === 3 ? byte ^ 0x10 : byte)) : bytes);
}

function receive(board: Parts, bytes: Uint8Array, atBaud: number): void {
  if (atBaud !== board.baud) {
    board.lostBytes += bytes.length;
    return;
  }
  if (board.state === 'application') board.application?.stdin?.write(bytes);
  const current = board.loader;
  if (current === null) return;
  for (const frame of board.slip.push(bytes)) {
    board.queue = board.queue.then(async () => {
      if (board.loader === current) await current.receive(frame);
    });
  }
}

function startApplication(board: Parts): void {
  board.state = 'application';
  board.events.push('application');
  const [program, ...args] = board.options.application ?? [];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (bytes: Buffer) => emitBytes(board, bytes));
  board.application = child;
}

function startFlash(board: Parts): void {
  const { chip, flash } = board;
  board.loader = null;
  board.baud = chip.bootLogBaud;
  emitBytes(board, Buffer.from(chip.bootLog));
  board.baud = APPLICATION_BAUD;
  if (flash.bytes[chip.bootOffset] === IMAGE_MAGIC) startApplication(board);
  else {
    board.state = 'stuck';
    board.events.push('no image');
    emitBytes(board, Buffer.from('invalid header: 0xffffffff\r\n'));
  }
}

function startLoader(board: Parts): void {
  const { chip, flash, faults, violations, events, emitter } = board;
  board.baud = chip.bootLogBaud;
  emitBytes(board, Buffer.from(chip.downloadLog));
  board.baud = APPLICATION_BAUD;
  board.state = 'loader';
  const current = createLoader({
    ...{ chip, flash, faults },
    send: (payload) => {
      if (board.loader === current) emitBytes(board, encodeSlip(payload));
    },
    setBaud: (value) => {
      if (board.loader !== current) return;
      board.baud = value;
      events.push(`baud ${value}`);
    },
    reportViolation: (what) => violations.push(what),
    boot: () => reset(board, false),
    hangUp: () => emitter.emit('hang-up'),
  });
  board.loader = current;
}

function reset(board: Parts, isBootHeld: boolean): void {
  board.application?.kill();
  board.application = null;
  board.slip.clear();
  board.events.push(isBootHeld ? 'reset loader' : 'reset flash');
  if (isBootHeld) startLoader(board);
  else startFlash(board);
}

/**
 * EN is low while RTS and not DTR; GPIO0 is low while DTR and not RTS. The strap is read when EN has risen, which a
 * capacitor delays: programs that set one line after the other, as Espressif's own does, pass through both asserted.
 */
function setLines(board: Parts, changed: { dtr?: boolean; rts?: boolean }): void {
  const { lines, faults } = board;
  if (faults.hasNoResetLines) return;
  const wasInReset = board.rising !== null || (lines.rts && !lines.dtr);
  clearTimeout(board.rising ?? undefined);
  board.rising = null;
  Object.assign(lines, changed);
  const isInReset = lines.rts && !lines.dtr;
  if (!wasInReset || isInReset) return;
  if (lines.dtr && lines.rts)
    board.rising = setTimeout(() => {
      board.rising = null;
      reset(board, false);
    }, EN_RISE_MS);
  else reset(board, lines.dtr && !lines.rts);
}
