import { join } from 'node:path';
import { run } from './build.ts';
import type { Chip } from './image.ts';

const MACHINES = {
  rv32imc: { program: 'qemu-system-riscv32', words: ['-M', 'virt', '-bios', 'none', '-serial', 'stdio'] },
  lx106: { program: 'qemu-system-xtensa', words: ['-M', 'sim', '-cpu', 'lx106', '-semihosting'] },
} as const;

/** The program of QEMU that runs a chip's instructions. */
export const machineOf = (chip: Chip): string => MACHINES[chip].program;

/** Runs a linked program on the instruction set of the chip and returns its output. */
export function runOn(chip: Chip, place: string, program: string): string {
  const { program: qemu, words } = MACHINES[chip];
  return run(
    qemu,
    [...words, '-display', 'none', '-monitor', 'none', '-kernel', join(place, program)],
    180_000,
  ).toString('utf8');
}
