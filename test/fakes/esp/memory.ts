import type { Chip } from './chips.ts';

const READ_FLASH_ID = 0x9f;
const START_OF_COMMAND = 1 << 18;

/** RAM and registers of a chip, as far as a client of the boot ROM uses them. */
export interface Memory {
  readRegister(address: number): number;
  /** Groups of address, value, mask and delay. */
  writeRegisters(words: readonly number[]): void;
  begin(words: readonly number[]): boolean;
  take(sequence: number, data: Uint8Array): boolean;
  /** Whether a program that was written whole covers this address. */
  canRun(entry: number): boolean;
}

/** Creates the memory of a chip after a reset. */
export function createMemory(chip: Chip, readFlashId: () => number, reportViolation: (what: string) => void): Memory {
  const registers = new Map(chip.registers);
  const written: { from: number; to: number }[] = [];
  let transfer: { from: number; size: number; block: number; blocks: number; next: number; taken: number } | null =
    null;
  const spi = {
    command: chip.spi.base,
    usr2: chip.spi.base + chip.spi.usr2,
    w0: chip.spi.base + chip.spi.w0,
  };

  function runSpiCommand(): void {
    const command = (registers.get(spi.usr2) ?? 0) & 0xffff;
    registers.set(spi.w0, command === READ_FLASH_ID ? readFlashId() : 0);
  }

  return {
    readRegister: (address) => registers.get(address) ?? 0,
    writeRegisters(words) {
      const [address = 0, value = 0, mask = 0xffffffff] = words;
      const kept = (registers.get(address) ?? 0) & ~mask;
      registers.set(address, (kept | (value & mask)) >>> 0);
      if (address !== spi.command || (value & START_OF_COMMAND) === 0) return;
      runSpiCommand();
      registers.set(spi.command, 0);
    },
    begin([size = 0, blocks = 0, block = 0, from = 0]) {
      const isRam = chip.ram.some(([start, end]) => from >= start && from + size <= end);
      if (!isRam || blocks !== Math.ceil(size / block)) {
        reportViolation(`a program of ${size} bytes in ${blocks} blocks at 0x${from.toString(16)}`);
        return false;
      }
      transfer = { from, size, block, blocks, next: 0, taken: 0 };
      return true;
    },
    take(sequence, data) {
      if (transfer === null || sequence !== transfer.next || data.length > transfer.block) {
        reportViolation(`block ${sequence} of a program, out of turn`);
        return false;
      }
      transfer.next += 1;
      transfer.taken += data.length;
      if (transfer.taken === transfer.size) {
        written.push({ from: transfer.from, to: transfer.from + transfer.size });
        transfer = null;
      }
      return true;
    },
    canRun: (entry) => transfer === null && written.some(({ from, to }) => entry >= from && entry < to),
  };
}
