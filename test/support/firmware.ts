import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programsOf, type Target } from '../../scripts/firmware-build/build.ts';
import type { Requirements } from './requirements.ts';

/** The folder of the firmware. */
export const FIRMWARE = fileURLToPath(new URL('../../firmware', import.meta.url));

/** What the simulator's build uses: a host compiler, the TLS libraries of both chips and libpng. */
export const SIMULATOR: Requirements = {
  gate: 'firmware',
  programs: ['cmake', 'ninja', 'g++', 'flock'],
  headers: ['doctest/doctest.h', 'mbedtls/ssl.h', 'bearssl/bearssl.h', 'png.h'],
  libraries: ['libmbedtls.a', 'libbearssl.so', 'libpng.so'],
};
/** What any host build of the firmware uses. */
export const HOST_BUILD: Requirements = {
  gate: 'firmware',
  programs: programsOf('host'),
  headers: ['doctest/doctest.h'],
};
/** What a build for another processor uses; `programs` are needed besides. */
export const crossBuild = (target: Target, ...programs: string[]): Requirements => ({
  gate: 'firmware',
  programs: [...programsOf(target), ...programs],
});

/** Builds targets of the firmware's host build, once for all tests; returns the build folder. */
export function buildFirmware(...targets: string[]): string {
  const folder = join(FIRMWARE, '../.cache/firmware');
  mkdirSync(folder, { recursive: true });
  // Two test files may want it at the same time: the second waits at the lock.
  const script =
    'exec 9>"$2/lock" && flock 9 && cmake -S "$1" -B "$2" -G Ninja -DHEARTH_SIM=ON ' +
    '-DCMAKE_BUILD_TYPE=Release && cd "$2" && shift 2 && ninja "$@"';
  execFileSync('sh', ['-c', script, 'build', FIRMWARE, folder, ...targets], { stdio: 'pipe' });
  return folder;
}
