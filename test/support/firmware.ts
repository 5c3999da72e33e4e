import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the firmware. */
export const FIRMWARE = fileURLToPath(new URL('../../firmware', import.meta.url));

/** Are these programs installed? Says what is skipped when not; with HEARTH_REQUIRE_FIRMWARE=1 that is an error. */
export function toolsOrSkip(what: string, ...tools: string[]): boolean {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (missing.length === 0) return true;
  const said = `${what} needs ${missing.join(', ')}`;
  if (process.env.HEARTH_REQUIRE_FIRMWARE === '1') throw new Error(said);
  process.stderr.write(`skipped: ${said}\n`);
  return false;
}

/** Builds targets of the firmware's host build, once for all tests; answers the folder where they stand. */
export function buildFirmware(...targets: string[]): string {
  const folder = join(FIRMWARE, '../.cache/firmware');
  mkdirSync(folder, { recursive: true });
  // Two test files may want it at the same time: the second waits at the lock.
  const script =
    'exec 9>"$2/lock" && flock 9 && cmake -S "$1" -B "$2" -G Ninja -DHEARTH_SIM=ON -DCMAKE_BUILD_TYPE=Release && cd "$2" && shift 2 && ninja "$@"';
  execFileSync('sh', ['-c', script, 'build', FIRMWARE, folder, ...targets], { stdio: 'pipe' });
  return folder;
}
