import { spawnSync } from 'node:child_process';
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
