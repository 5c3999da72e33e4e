import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIRMWARE } from './firmware.ts';

const BUILDS = fileURLToPath(new URL('../../.cache/firmware-core', import.meta.url));
/** How long a build and its tests may take. */
export const CORE_TIMEOUT_MS = 1_200_000;

/**
 * Runs a program to its end and answers what it wrote; an end with another status than 0 throws with its last lines.
 */
export function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout.slice(-6000)}${stderr.slice(-6000)}`,
    );
  return stdout;
}

/** Builds the host build of the firmware with options of CMake, in a folder of its own, which it answers. */
export function buildCore(name: string, options: string[]): string {
  const folder = join(BUILDS, name);
  run('cmake', ['-S', FIRMWARE, '-B', folder, '-G', 'Ninja', ...options], FIRMWARE);
  run('cmake', ['--build', folder], FIRMWARE);
  return folder;
}
