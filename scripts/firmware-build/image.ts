import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './build.ts';

const PREFIX = { lx106: 'xtensa-lx106-elf', rv32imc: 'riscv64-unknown-elf' } as const;
export type Chip = keyof typeof PREFIX;

/**
 * Bytes of the core in a linked program: instructions with their literals, tables in flash, other constants, and
 * variables.
 */
export type CoreSize = { text: number; tables: number; constants: number; variables: number };

/** Adds up the sizes of the objects of the core in a linker map. */
export function coreSize(mapFile: string): CoreSize {
  const size: CoreSize = { text: 0, tables: 0, constants: 0, variables: 0 };
  // `.rodata         0x50010000     0x1234` begins what goes to one place;
  // ` .text._ZN6hearth3App5startEv\n                0x50000010       0x84 CMakeFiles/core.dir/…/app.cpp.obj` is a part of it
  let place = '';
  for (const [, output, section = '', bytes = '', object = ''] of readFileSync(mapFile, 'utf8')
    .split('Linker script and memory map')[1]
    ?.matchAll(/^(\.[\w.]+)(?=\s)|^ (\.[\w.$*-]+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$/gm) ?? []) {
    if (output) place = output;
    if (!object.includes('/core.dir/')) continue;
    if (place.startsWith('.irom') || section.startsWith('.irom')) size.tables += parseInt(bytes, 16);
    else if (/^\.(text|literal)/.test(section)) size.text += parseInt(bytes, 16);
    else if (/^\.s?rodata/.test(section)) size.constants += parseInt(bytes, 16);
    else if (/^\.s?(data|bss)/.test(section)) size.variables += parseInt(bytes, 16);
  }
  return size;
}

/** Size of one symbol of a linked program. */
export function sizeOfSymbol(chip: Chip, file: string, part: string): number {
  const line = run(`${PREFIX[chip]}-nm`, ['-S', file])
    .toString('utf8')
    .split('\n')
    .find((row) => row.includes(part));
  return parseInt(line?.split(' ')[1] ?? '', 16); // 5001b028 00002028 b _ZN12_GLOBAL__N_110app_memoryE
}

/** Names of everything that a linked program holds. */
export function symbols(chip: Chip, file: string): string[] {
  return run(`${PREFIX[chip]}-nm`, ['--format=posix', file])
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name !== '');
}

/** Lists the functions that the vtables of a library's objects refer to. */
export function virtualFunctions(chip: Chip, folder: string): Set<string> {
  const objects = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.obj'))
    .map((name) => join(folder, name));
  const found = new Set<string>();
  let inTable = false;
  for (const line of run(`${PREFIX[chip]}-objdump`, ['-r', ...objects])
    .toString('utf8')
    .split('\n')) {
    // RELOCATION RECORDS FOR [.rodata._ZTVN6hearth10BufferSinkE]:
    const section = /^RELOCATION RECORDS FOR \[(.*)\]/.exec(line);
    if (section) inTable = section[1]?.includes('_ZTV') ?? false;
    const target = /\s(_Z\w+)(?:\+0x0)?\s*$/.exec(line) ?? /\s\.text\.(_Z\w+)/.exec(line);
    if (inTable && target?.[1]) found.add(target[1]);
  }
  return found;
}
