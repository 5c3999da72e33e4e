import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FIRMWARE = fileURLToPath(new URL('../../firmware', import.meta.url));

const COMPILERS = {
  host: ['g++'],
  rv32imc: ['riscv64-unknown-elf-g++'],
  lx106: ['xtensa-lx106-elf-g++'],
  wasm32: ['clang++', 'wasm-ld'],
} as const;
export type Target = keyof typeof COMPILERS;

/** What a build for `target` needs. */
export const programsOf = (target: Target): string[] => ['cmake', 'ninja', ...COMPILERS[target]];

/** Runs a program to its end and returns its output; throws with that output when it fails. */
export function run(program: string, words: readonly string[], timeoutMs = 120_000): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    timeout: timeoutMs,
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw new Error(`${program}: ${error.message}`);
  if (status !== 0)
    throw new Error(
      `${program} ${words.join(' ')} ended with ${status}\n${stdout.toString('utf8').slice(-8000)}${stderr.toString('utf8').slice(-8000)}`,
    );
  return stdout;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'hearth-firmware-'));

/** Configures and builds `what` of the target in `folder`; returns the folder of its programs. */
export function build(
  target: Target,
  folder: string,
  what: readonly string[],
  definitions: Readonly<Record<string, string>> = {},
): string {
  const place = join(folder, target);
  mkdirSync(place, { recursive: true });
  const project = target === 'host' ? FIRMWARE : join(FIRMWARE, target === 'wasm32' ? 'wasm' : 'cross');
  const toolchain =
    target === 'host'
      ? ['-DCMAKE_BUILD_TYPE=Release']
      : [`-DCMAKE_TOOLCHAIN_FILE=${join(FIRMWARE, 'cmake', `${target}.cmake`)}`];
  run('cmake', [
    '-S',
    project,
    '-B',
    place,
    '-G',
    'Ninja',
    ...toolchain,
    ...Object.entries(definitions).map(([name, value]) => `-D${name}=${value}`),
  ]);
  run('ninja', ['-C', place, ...what], 300_000);
  return place;
}
