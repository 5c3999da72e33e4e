import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The directory of an imaging disc (PS3.10, section 8.6), as systems spell it; a list of the folder takes longer. */
const DIRECTORIES = ['DICOMDIR', 'dicomdir', 'Dicomdir'];

/**
 * The folder of the imaging disc that a file of the inbox belongs to: the outermost one with a DICOMDIR. The inbox
 * itself is none, because it may hold anything.
 */
export function discRootOf(inbox: string, absolute: string): string | null {
  let root: string | null = null;
  for (let folder = dirname(absolute); folder.startsWith(`${inbox}${sep}`); folder = dirname(folder))
    if (DIRECTORIES.some((name) => existsSync(join(folder, name)))) root = folder;
  return root;
}
