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

/** Creates the loader in the state after a reset: the ROM. */
export function createLoader(host: LoaderHost): Loader {
  const memory = createMemory(host.chip, host.flash, host.reportViolation);
  let isInRam = false;
  let isSilent = false;
  let blocks = 0;
  let writer: FlashWriter | null = null;
  let read: { offset: number; length: number; block: number; window: number; sent: number; acked: number } | null =
    null;

  const { faults, flash, chip } = host;

  function reply(op: number, { value = 0, data = new Uint8Array(0), error = 0 }: Reply): void {
    const status = isInRam ? 2 : chip.statusBytes;
    const bytes = Buffer.alloc(8 + data.length + status);
    bytes[0] = 1;
    bytes[1] = op;
    bytes.writeUInt16LE(data.length + status, 2);
    bytes.writeUInt32LE(value >>> 0, 4);
    bytes.set(data, 8);
    if (error !== 0) bytes.set([1, error], 8 + data.length);
    if (DATA_COMMANDS.has(op) && op !== OP.memData && faults.corruptedReplies > 0) {
      faults.corruptedReplies -= 1;
      bytes[1]! ^= 0x40;
    }
    host.send(bytes);
  }

  function parse(frame: Uint8Array): Command | null {
    const bytes = Buffer.from(frame);
    if (bytes.length < 8 || bytes[0] !== 0) {
      host.reportViolation(`a frame of ${bytes.length} bytes that is not a request`);
      return null;
    }
    const data = bytes.subarray(8);
    const op = bytes[1]!;
    if (bytes.readUInt16LE(2) !== data.length)
      host.reportViolation(`command ${hex(op)} announces ${bytes.readUInt16LE(2)} bytes and has ${data.length}`);
    const words = Array.from({ length: Math.min(8, data.length >> 2) }, (_, at) => data.readUInt32LE(at * 4));
    if (DATA_COMMANDS.has(op)) {
      const checksum = data.subarray(16).reduce((sum, byte) => sum ^ byte, 0xef);
      if (faults.corruptedBlocks > 0 && op !== OP.memData) {
        faults.corruptedBlocks -= 1;
        reply(op, { error: isInRam ? ERROR.ramChecksum : ERROR.checksum });
        return null;
      }
      if ((bytes.readUInt32LE(4) & 0xff) !== checksum || words[0] !== data.length - 16) {
        host.reportViolation(`command ${hex(op)} has a wrong checksum or length`);
        reply(op, { error: isInRam ? ERROR.ramChecksum : ERROR.checksum });
        return null;
      }
    }
    return { op, data, words };
  }

  /** The parts that both kinds of data blocks share: faults that come at a block. */
  async function meetBlock(): Promise<boolean> {
    blocks += 1;
    if (faults.slowBlockMs > 0) await wait(faults.slowBlockMs);
    if (faults.hangUpAtBlock === blocks) {
      faults.hangUpAtBlock = 0;
      host.hangUp();
      return false;
    }
    if (faults.silentFromBlock > 0 && blocks >= faults.silentFromBlock) {
      faults.silentFromBlock = 0;
      isSilent = true;
      return false;
    }
    return true;
  }

  function begin({ op, words, data }: Command): Reply {
    const wanted = isInRam ? 4 : chip.beginWords;
    if (data.length !== wanted * 4)
      host.reportViolation(`command ${hex(op)} has ${data.length} bytes of parameters, not ${wanted * 4}`);
    const [size = 0, count = 0, blockBytes = 0, offset = 0] = words;
    writer = createFlashWriter(host, { isCompressed: op === OP.deflBegin, isInRam, size, count, blockBytes, offset });
    return writer.error === 0 ? {} : { error: ERROR.failed };
  }

  async function takeBlock({ words, data, op }: Command): Promise<Reply | null> {
    if (!(await meetBlock())) return null;
    if (writer === null || writer.isCompressed !== (op === OP.deflData)) {
      host.reportViolation(`command ${hex(op)} comes without its beginning`);
      return { error: ERROR.failed };
    }
    return { error: await writer.take(words[1]!, data.subarray(16)) };
  }

  function end({ words }: Command): Reply {
    const error = writer?.finish() ?? ERROR.failed;
    writer = null;
    if (error === 0 && words[0] === 0) setImmediate(host.boot);
    return { error };
  }

  function startLoader(entry: number): Reply {
    if (!memory.canRun(entry)) {
      host.reportViolation(`the loader would start at ${hex(entry)}, where nothing was written`);
      isSilent = true;
      return {};
    }
    setImmediate(() => {
      isInRam = true;
      if (faults.crashedLoaders > 0) {
        faults.crashedLoaders -= 1;
        isSilent = true;
      } else host.send(Buffer.from('OHAI'));
    });
    return {};
  }

  function sendReads(): void {
    while (read !== null && read.sent < read.length && read.sent - read.acked < read.window) {
      const size = Math.min(read.block, read.length - read.sent);
      const bytes = flash.bytes.slice(read.offset + read.sent, read.offset + read.sent + size);
      if (faults.corruptedReads > 0) {
        faults.corruptedReads -= 1;
        bytes[0]! ^= 1;
      }
      read.sent += size;
      host.send(bytes);
    }
  }

  function acknowledgeRead(frame: Uint8Array): void {
    const total = frame.length === 4 ? Buffer.from(frame).readUInt32LE(0) : -1;
    if (total < read!.acked || total > read!.sent) {
      host.reportViolation(`an acknowledgement of ${total} bytes after ${read!.sent}`);
      read = null;
      return;
    }
    read!.acked = total;
    if (total === read!.length) {
      host.send(flash.md5(read!.offset, read!.length));
      read = null;
    } else sendReads();
  }

  function startRead([offset = 0, length = 0, block = 0, window = 0]: number[]): Reply {
    if (offset + length > flash.bytes.length || block === 0 || window === 0) {
      host.reportViolation(`a read of ${length} bytes at ${hex(offset)} that the flash does not have`);
      return { error: ERROR.failed };
    }
    read = { offset, length, block, window, sent: 0, acked: 0 };
    setImmediate(sendReads);
    return {};
  }

  function digest([offset = 0, size = 0]: number[]): Reply {
    if (offset + size > flash.bytes.length) {
      host.reportViolation(`an MD5 beyond the end of the flash`);
      return { error: ERROR.failed };
    }
    const md5 = Buffer.from(flash.md5(offset, size));
    if (faults.wrongDigests > 0) {
      faults.wrongDigests -= 1;
      md5[0]! ^= 1;
    }
    return { data: isInRam ? md5 : Buffer.from(md5.toString('hex')) };
  }

  function erase(offset: number, size: number): Reply {
    if (offset % SECTOR_BYTES !== 0 || size % SECTOR_BYTES !== 0 || offset + size > flash.bytes.length) {
      host.reportViolation(`an erase of ${size} bytes at ${hex(offset)}`);
      return { error: ERROR.failed };
    }
    flash.erase(offset, size);
    return {};
  }

  function changeBaud([baud = 0, old = 0]: number[]): Reply {
    if (isInRam === (old === 0)) host.reportViolation('a change of speed whose second word is for the other loader');
    setImmediate(() => host.setBaud(baud));
    return {};
  }

  function securityInfo(): Reply {
    const data = Buffer.alloc(20);
    data.writeUInt32LE(chip.chipId, 12);
    return { data };
  }

  function sync({ data }: Command): void {
    if (!data.equals(SYNC_PAYLOAD)) host.reportViolation('a SYNC with other bytes');
    if (faults.droppedSyncs > 0) {
      faults.droppedSyncs -= 1;
      return;
    }
    for (let time = 0; time < 8; time += 1) reply(OP.sync, { value: isInRam ? 0 : 0x20120707 });
  }

  async function run(command: Command): Promise<Reply | null> {
    const { op, words } = command;
    switch (op) {
      case OP.readReg:
        return { value: memory.readRegister(words[0]!) };
      case OP.writeReg:
        memory.writeRegisters(words);
        return {};
      case OP.memBegin:
        return { error: memory.begin(words) ? 0 : ERROR.failed };
      case OP.memData:
        return { error: memory.take(words[1]!, command.data.subarray(16)) ? 0 : ERROR.failed };
      case OP.memEnd:
        return words[0] === 0 ? startLoader(words[1]!) : {};
      case OP.flashBegin:
      case OP.deflBegin:
        return begin(command);
      case OP.flashData:
      case OP.deflData:
        return takeBlock(command);
      case OP.flashEnd:
      case OP.deflEnd:
        return end(command);
      case OP.changeBaud:
        return changeBaud(words);
      case OP.md5:
        return digest(words);
      case OP.securityInfo:
        return securityInfo();
      case OP.eraseFlash:
        return erase(0, flash.bytes.length);
      case OP.eraseRegion:
        return erase(words[0]!, words[1]!);
      case OP.readFlash:
        return startRead(words);
      case OP.readFlashSlow:
        return { data: flash.bytes.subarray(words[0]!, words[0]! + 64) };
      case OP.runUserCode:
        host.boot();
        return null;
      default:
        return {};
    }
  }

  async function answer(command: Command): Promise<void> {
    const { op } = command;
    const isKnown = isInRam ? RAM_COMMANDS.has(op) : chip.romCommands.has(op);
    if (!isKnown || (op === OP.securityInfo && !chip.hasSecurityInfo)) {
      // Clients ask every chip for its security information, and take the refusal for an older one.
      if (op !== OP.securityInfo) host.reportViolation(`command ${hex(op)} is unknown here`);
      reply(op, { error: isInRam ? ERROR.ramUnknown : ERROR.badMessage });
    } else if (op === OP.sync) sync(command);
    else {
      const result = await run(command);
      if (result !== null) reply(op, result);
    }
  }

  return {
    get isInRam() {
      return isInRam;
    },
    async receive(frame) {
      if (isSilent) return;
      if (read !== null && frame.length === 4) return acknowledgeRead(frame);
      if (read !== null) {
        host.reportViolation('a command in the middle of a read');
        read = null;
      }
      const command = parse(frame);
      if (command !== null) await answer(command);
    },
  };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
