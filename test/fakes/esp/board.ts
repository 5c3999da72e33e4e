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

/** Creates a board that starts what is in its flash. */
export function createBoard(options: BoardOptions): Board {
  const chip = createChip(options.chip, options.mac);
  const flash = createNorFlash(options.flashMegabytes ?? 4, options.content);
  const faults: Faults = { ...NO_FAULTS, ...options.faults };
  const violations: string[] = [];
  const events: string[] = [];
  const emitter = new EventEmitter().setMaxListeners(50);
  const slip = createSlipReader((what) => violations.push(what));
  const lines = { dtr: false, rts: false };
  let state: 'loader' | 'application' | 'stuck' = 'stuck';
  let loader: Loader | null = null;
  let baud = APPLICATION_BAUD;
  let hostBaud = APPLICATION_BAUD;
  let lostBytes = 0;
  let application: ChildProcess | null = null;
  let queue = Promise.resolve();

  function emitBytes(bytes: Uint8Array): void {
    if (baud !== hostBaud) {
      lostBytes += bytes.length;
      return;
    }
    const isUnclean = faults.cleanUpToBaud > 0 && baud > faults.cleanUpToBaud;
    emitter.emit('bytes', isUnclean ? bytes.map((byte, at) => (at % 7 === 3 ? byte ^ 0x10 : byte)) : bytes);
  }

  function startApplication(): void {
    state = 'application';
    events.push('application');
    const [program, ...args] = options.application ?? [];
    if (program === undefined) return;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (bytes: Buffer) => emitBytes(bytes));
    application = child;
  }

  function startFlash(): void {
    loader = null;
    baud = chip.bootLogBaud;
    emitBytes(Buffer.from(chip.bootLog));
    baud = APPLICATION_BAUD;
    if (flash.bytes[chip.bootOffset] === IMAGE_MAGIC) startApplication();
    else {
      state = 'stuck';
      events.push('no image');
      emitBytes(Buffer.from('invalid header: 0xffffffff\r\n'));
    }
  }

  function startLoader(): void {
    baud = chip.bootLogBaud;
    emitBytes(Buffer.from(chip.downloadLog));
    baud = APPLICATION_BAUD;
    state = 'loader';
    const current = createLoader({
      chip,
      flash,
      faults,
      send: (payload) => {
        if (loader === current) emitBytes(encodeSlip(payload));
      },
      setBaud: (value) => {
        if (loader !== current) return;
        baud = value;
        events.push(`baud ${value}`);
      },
      reportViolation: (what) => violations.push(what),
      boot: () => reset(false),
      hangUp: () => emitter.emit('hang-up'),
    });
    loader = current;
  }

  function reset(isBootHeld: boolean): void {
    application?.kill();
    application = null;
    slip.clear();
    events.push(isBootHeld ? 'reset loader' : 'reset flash');
    if (isBootHeld) startLoader();
    else startFlash();
  }

  /** EN is low while RTS and not DTR; GPIO0 is low while DTR and not RTS. The strap is read when EN rises. */
  function setLines(changed: { dtr?: boolean; rts?: boolean }): void {
    if (faults.hasNoResetLines) return;
    const wasInReset = lines.rts && !lines.dtr;
    Object.assign(lines, changed);
    const isInReset = lines.rts && !lines.dtr;
    if (!wasInReset || isInReset) return;
    reset(lines.dtr && !lines.rts);
  }

  startFlash();
  return {
    flash,
    faults,
    violations,
    events,
    get state() {
      if (state !== 'loader') return state;
      return loader!.isInRam ? 'ram' : 'rom';
    },
    get lostBytes() {
      return lostBytes;
    },
    receive(bytes, atBaud) {
      if (atBaud !== baud) {
        lostBytes += bytes.length;
        return;
      }
      if (state === 'application') application?.stdin?.write(bytes);
      const current = loader;
      if (current === null) return;
      for (const frame of slip.push(bytes)) {
        queue = queue.then(async () => {
          if (loader === current) await current.receive(frame);
        });
      }
    },
    setLines,
    reset,
    setHostBaud: (value) => (hostBaud = value),
    on: (event: string, listener: (bytes: Uint8Array) => void) => void emitter.on(event, listener),
    off: (event, listener) => void emitter.off(event, listener),
    stop: () => void application?.kill(),
  };
}
