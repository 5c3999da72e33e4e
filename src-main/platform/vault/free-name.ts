import { existsSync, readdirSync } from 'node:fs';
import { numberedName } from './layout.ts';

/** Two names that some file systems take for one: without case, in one normal form (APFS, NTFS, exFAT). */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

const namesIn = (absolute: string): string[] => (existsSync(absolute) ? readdirSync(absolute) : []);

/** How an entry of this folder is spelled that is taken for `name`; `name` itself where there is none. */
export function spellingIn(absolute: string, name: string): string {
  const names = namesIn(absolute);
  return names.includes(name) ? name : (names.find((other) => foldName(other) === foldName(name)) ?? name);
}

/**
 * The first of `name`, `name-2`, `name-3` … that no entry of the folder has on any file system, and of which `isKnown` knows nothing.
 * `own` is the name that the asker has in this folder already: it does not count.
 */
export function freeName(
  absolute: string,
  name: string,
  own: string | null,
  isKnown: (name: string) => boolean,
): string {
  const taken = new Set(
    namesIn(absolute)
      .filter((other) => other !== own)
      .map(foldName),
  );
  for (let n = 1; ; n += 1) {
    const candidate = numberedName(name, n);
    if (!taken.has(foldName(candidate)) && (candidate === own || !isKnown(candidate))) return candidate;
  }
}
