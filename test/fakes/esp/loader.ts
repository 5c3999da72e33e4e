import { setTimeout as wait } from 'node:timers/promises';
import type { Chip } from './chips.ts';
import type { Faults } from './faults.ts';
import { createFlashWriter, type FlashWriter } from './flash-writer.ts';
import { type NorFlash, SECTOR_BYTES } from './nor-flash.ts';
import { createMemory } from './memory.ts';

export const OP = {
  flashBegin: 0x02,
  flashData: 0x03,
  flashEnd: 0x04,
  memBegin: 0x05,
  memEnd: 0x06,
  memData: 0x07,
  sync: 0x08,
  writeReg: 0x09,
  readReg: 0x0a,
  spiSetParams: 0x0b,
  spiAttach: 0x0d,
  readFlashSlow: 0x0e,
  changeBaud: 0x0f,
  deflBegin: 0x10,
  deflData: 0x11,
  deflEnd: 0x12,
  md5: 0x13,
  securityInfo: 0x14,
  eraseFlash: 0xd0,
  eraseRegion: 0xd1,
  readFlash: 0xd2,
  runUserCode: 0xd3,
} as const;

const ONLY_IN_RAM = [OP.deflBegin, OP.deflData, OP.deflEnd, OP.md5, OP.spiSetParams, OP.spiAttach, OP.changeBaud];
const RAM_COMMANDS = new Set<number>([
  ...[0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x14],
  ...ONLY_IN_RAM,
  ...[OP.eraseFlash, OP.eraseRegion, OP.readFlash, OP.runUserCode],
]);
const DATA_COMMANDS = new Set<number>([OP.flashData, OP.memData, OP.deflData]);
/** In the flags of the security information. */
const SECURE_DOWNLOAD = 1 << 2;
const UNKNOWN_CHIP = 99;
const SYNC_PAYLOAD = Buffer.from([7, 7, 0x12, 0x20, ...Array.from({ length: 32 }, () => 0x55)]);
/** Errors of the ROM, and those of a loader in RAM that differ. */
const ERROR = { badMessage: 5, failed: 6, checksum: 7, inflate: 0x0b, ramChecksum: 0xc1, ramUnknown: 0xff } as const;

/** What a loader needs of its board. */
export interface LoaderHost {
  chip: Chip;
  flash: NorFlash;
  faults: Faults;
  /** Sends one frame. */
  send(payload: Uint8Array): void;
  /** Changes the speed of the chip's UART, after what was sent has left. */
  setBaud(baud: number): void;
  reportViolation(what: string): void;
  /** Starts what is in flash. */
  boot(): void;
  hangUp(): void;
}

/** The program that answers on the line before an application runs: the boot ROM, then a loader in RAM. */
export interface Loader {
  readonly isInRam: boolean;
  receive(frame: Uint8Array): Promise<void>;
}

interface Command {
  op: number;
  data: Buffer;
  words: number[];
}

interface Reply {
  value?: number;
  data?: Uint8Array;
  error?: number;
}

/** A read of the flash that the client acknowledges block by block. */
interface RunningRead {
  offset: number;
  length: number;
  block: number;
  window: number;
  sent: number;
  acked: number;
}

/** The loader between two resets. */
interface State extends LoaderHost {
  memory: ReturnType<typeof createMemory>;
  isInRam: boolean;
  isSilent: boolean;
  /** Data blocks since the reset. */
  blocks: number;
  writer: FlashWriter | null;
  read: RunningRead | null;
}

/** Lines that nobody drives are high. */
const flashId = ({ flash, faults }: LoaderHost): number => (faults.hasNoFlash ? 0xffffff : flash.id);

/** Creates the loader in the state after a reset: the ROM. */
export function createLoader(host: LoaderHost): Loader {
  const memory = createMemory(host.chip, () => flashId(host), host.reportViolation);
  const state: State = { ...host, memory, isInRam: false, isSilent: false, blocks: 0, writer: null, read: null };
  return {
    get isInRam() {
      return state.isInRam;
    },
    async receive(frame) {
      if (state.isSilent) return;
      if (state.read !== null && frame.length === 4) return acknowledgeRead(state, frame);
      if (state.read !== null) {
        state.reportViolation('a command in the middle of a read');
        state.read = null;
      }
      const command = parse(state, frame);
      if (command !== null) await answer(state, command);
    },
  };
}

function reply(state: State, op: number, { value = 0, data = new Uint8Array(0), error = 0 }: Reply): void {
  const status = state.isInRam ? 2 : state.chip.statusBytes;
  const bytes = Buffer.alloc(8 + data.length + status);
  bytes[0] = 1;
  bytes[1] = op;
  bytes.writeUInt16LE(data.length + status, 2);
  bytes.writeUInt32LE(value >>> 0, 4);
  bytes.set(data, 8);
  if (error !== 0) bytes.set([1, error], 8 + data.length);
  if (DATA_COMMANDS.has(op) && op !== OP.memData && state.faults.corruptedReplies > 0) {
    state.faults.corruptedReplies -= 1;
    bytes[1]! ^= 0x40;
  }
  state.send(bytes);
}

function parse(state: State, frame: Uint8Array): Command | null {
  const bytes = Buffer.from(frame);
  if (bytes.length < 8 || bytes[0] !== 0) {
    state.reportViolation(`a frame of ${bytes.length} bytes that is not a request`);
    return null;
  }
  const data = bytes.subarray(8);
  const op = bytes[1]!;
  if (bytes.readUInt16LE(2) !== data.length)
    state.reportViolation(`command ${hex(op)} announces ${bytes.readUInt16LE(2)} bytes and has ${data.length}`);
  const words = Array.from({ length: Math.min(8, data.length >> 2) }, (_, at) => data.readUInt32LE(at * 4));
  if (DATA_COMMANDS.has(op)) {
    const checksum = data.subarray(16).reduce((sum, byte) => sum ^ byte, 0xef);
    if (state.faults.corruptedBlocks > 0 && op !== OP.memData) {
      state.faults.corruptedBlocks -= 1;
      reply(state, op, { error: state.isInRam ? ERROR.ramChecksum : ERROR.checksum });
      return null;
    }
    if ((bytes.readUInt32LE(4) & 0xff) !== checksum || words[0] !== data.length - 16) {
      state.reportViolation(`command ${hex(op)} has a wrong checksum or length`);
      reply(state, op, { error: state.isInRam ? ERROR.ramChecksum : ERROR.checksum });
      return null;
    }
  }
  return { op, data, words };
}

/** The parts that both kinds of data blocks share: faults that come at a block. */
async function meetBlock(state: State): Promise<boolean> {
  state.blocks += 1;
  if (state.faults.slowBlockMs > 0) await wait(state.faults.slowBlockMs);
  if (state.faults.hangUpAtBlock === state.blocks) {
    state.faults.hangUpAtBlock = 0;
    state.hangUp();
    return false;
  }
  if (state.faults.silentFromBlock > 0 && state.blocks >= state.faults.silentFromBlock) {
    state.faults.silentFromBlock = 0;
    state.isSilent = true;
    return false;
  }
  return true;
}

function begin(state: State, { op, words, data }: Command): Reply {
  const wanted = state.isInRam ? 4 : state.chip.beginWords;
  if (data.length !== wanted * 4)
    state.reportViolation(`command ${hex(op)} has ${data.length} bytes of parameters, not ${wanted * 4}`);
  const [size = 0, count = 0, blockBytes = 0, offset = 0] = words;
  state.writer = createFlashWriter(state, {
    isCompressed: op === OP.deflBegin,
    isInRam: state.isInRam,
    size,
    count,
    blockBytes,
    offset,
  });
  return state.writer.error === 0 ? {} : { error: ERROR.failed };
}

async function takeBlock(state: State, { words, data, op }: Command): Promise<Reply | null> {
  if (!(await meetBlock(state))) return null;
  if (state.writer === null || state.writer.isCompressed !== (op === OP.deflData)) {
    state.reportViolation(`command ${hex(op)} comes without its beginning`);
    return { error: ERROR.failed };
  }
  return { error: await state.writer.take(words[1]!, data.subarray(16)) };
}

function end(state: State, { words }: Command): Reply {
  const error = state.writer?.finish() ?? ERROR.failed;
  state.writer = null;
  if (error === 0 && words[0] === 0) setImmediate(state.boot);
  return { error };
}

function startLoader(state: State, entry: number): Reply {
  if (!state.memory.canRun(entry)) {
    state.reportViolation(`the loader would start at ${hex(entry)}, where nothing was written`);
    state.isSilent = true;
    return {};
  }
  setImmediate(() => {
    state.isInRam = true;
    if (state.faults.crashedLoaders > 0) {
      state.faults.crashedLoaders -= 1;
      state.isSilent = true;
    } else state.send(Buffer.from('OHAI'));
  });
  return {};
}

function sendReads(state: State): void {
  while (
    state.read !== null &&
    state.read.sent < state.read.length &&
    state.read.sent - state.read.acked < state.read.window
  ) {
    const size = Math.min(state.read.block, state.read.length - state.read.sent);
    const bytes = state.flash.bytes.slice(
      state.read.offset + state.read.sent,
      state.read.offset + state.read.sent + size,
    );
    if (state.faults.corruptedReads > 0) {
      state.faults.corruptedReads -= 1;
      bytes[0]! ^= 1;
    }
    state.read.sent += size;
    state.send(bytes);
  }
}

function acknowledgeRead(state: State, frame: Uint8Array): void {
  const total = frame.length === 4 ? Buffer.from(frame).readUInt32LE(0) : -1;
  if (total < state.read!.acked || total > state.read!.sent) {
    state.reportViolation(`an acknowledgement of ${total} bytes after ${state.read!.sent}`);
    state.read = null;
    return;
  }
  state.read!.acked = total;
  if (total === state.read!.length) {
    state.send(state.flash.md5(state.read!.offset, state.read!.length));
    state.read = null;
  } else sendReads(state);
}

function startRead(state: State, [offset = 0, length = 0, block = 0, window = 0]: number[]): Reply {
  if (offset + length > state.flash.bytes.length || block === 0 || window === 0) {
    state.reportViolation(`a read of ${length} bytes at ${hex(offset)} that the flash does not have`);
    return { error: ERROR.failed };
  }
  state.read = { offset, length, block, window, sent: 0, acked: 0 };
  setImmediate(() => sendReads(state));
  return {};
}

function digest(state: State, [offset = 0, size = 0]: number[]): Reply {
  if (offset + size > state.flash.bytes.length) {
    state.reportViolation(`an MD5 beyond the end of the flash`);
    return { error: ERROR.failed };
  }
  const md5 = Buffer.from(state.flash.md5(offset, size));
  if (state.faults.wrongDigests > 0) {
    state.faults.wrongDigests -= 1;
    md5[0]! ^= 1;
  }
  return { data: state.isInRam ? md5 : Buffer.from(md5.toString('hex')) };
}

function erase(state: State, offset: number, size: number): Reply {
  if (offset % SECTOR_BYTES !== 0 || size % SECTOR_BYTES !== 0 || offset + size > state.flash.bytes.length) {
    state.reportViolation(`an erase of ${size} bytes at ${hex(offset)}`);
    return { error: ERROR.failed };
  }
  state.flash.erase(offset, size);
  return {};
}

function changeBaud(state: State, [baud = 0, old = 0]: number[]): Reply {
  if (state.isInRam === (old === 0))
    state.reportViolation('a change of speed whose second word is for the other loader');
  setImmediate(() => state.setBaud(baud));
  return {};
}

function securityInfo(state: State): Reply {
  const data = Buffer.alloc(20);
  data.writeUInt32LE(state.faults.isLocked ? SECURE_DOWNLOAD : 0, 0);
  data.writeUInt32LE(state.faults.isOtherChip ? UNKNOWN_CHIP : state.chip.chipId, 12);
  return { data };
}

function sync(state: State, { data }: Command): void {
  if (!data.equals(SYNC_PAYLOAD)) state.reportViolation('a SYNC with other bytes');
  if (state.faults.droppedSyncs > 0) {
    state.faults.droppedSyncs -= 1;
    return;
  }
  for (let time = 0; time < 8; time += 1) reply(state, OP.sync, { value: state.isInRam ? 0 : 0x20120707 });
}

async function run(state: State, command: Command): Promise<Reply | null> {
  const { op, words } = command;
  switch (op) {
    case OP.readReg:
      return { value: state.memory.readRegister(words[0]!) };
    case OP.writeReg:
      state.memory.writeRegisters(words);
      return {};
    case OP.memBegin:
      return { error: state.memory.begin(words) ? 0 : ERROR.failed };
    case OP.memData:
      return { error: state.memory.take(words[1]!, command.data.subarray(16)) ? 0 : ERROR.failed };
    case OP.memEnd:
      return words[0] === 0 ? startLoader(state, words[1]!) : {};
    case OP.flashBegin:
    case OP.deflBegin:
      return begin(state, command);
    case OP.flashData:
    case OP.deflData:
      return takeBlock(state, command);
    case OP.flashEnd:
    case OP.deflEnd:
      return end(state, command);
    case OP.changeBaud:
      return changeBaud(state, words);
    case OP.md5:
      return digest(state, words);
    case OP.securityInfo:
      return securityInfo(state);
    case OP.eraseFlash:
      return erase(state, 0, state.flash.bytes.length);
    case OP.eraseRegion:
      return erase(state, words[0]!, words[1]!);
    case OP.readFlash:
      return startRead(state, words);
    case OP.readFlashSlow:
      return { data: state.flash.bytes.subarray(words[0]!, words[0]! + 64) };
    case OP.runUserCode:
      state.boot();
      return null;
    default:
      return {};
  }
}

async function answer(state: State, command: Command): Promise<void> {
  const { op } = command;
  const isKnown = state.isInRam ? RAM_COMMANDS.has(op) : state.chip.romCommands.has(op);
  if (!isKnown || (op === OP.securityInfo && !state.chip.hasSecurityInfo)) {
    // Clients ask every chip for its security information, and take the refusal for an older one.
    if (op !== OP.securityInfo) state.reportViolation(`command ${hex(op)} is unknown here`);
    reply(state, op, { error: state.isInRam ? ERROR.ramUnknown : ERROR.badMessage });
  } else if (op === OP.sync) sync(state, command);
  else {
    const result = await run(state, command);
    if (result !== null) reply(state, op, result);
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
