import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder, ensurePrivateFolder } from './load.ts';

/** A file that has grown beyond this begins anew; the one before is kept. */
const MAX_BYTES = 5_000_000;

/** Returns the path of the log file in the configuration folder, ready to be appended to. */
export function openLogFile(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = configFolder(environment);
  ensurePrivateFolder(folder);
  const file = join(folder, 'hearth.log');
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > MAX_BYTES) renameSync(file, `${file}.1`);
  return file;
}
