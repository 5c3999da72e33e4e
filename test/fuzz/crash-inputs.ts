import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('crash-inputs', import.meta.url));

/** Inputs that once broke a reader: `crash-inputs/<target>/<what it is>.bin`. They are read in every run. */
export function readCrashInputs(target: string): Uint8Array[] {
  const folder = join(FOLDER, target);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name)))
    : [];
}
