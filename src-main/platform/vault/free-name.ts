import { existsSync, readdirSync } from 'node:fs';
import { numberedName } from './layout.ts';

/** True for names that some file systems treat as equal: ignoring case, in one normal form (APFS, NTFS, exFAT). */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

const namesIn = (absolute: string): string[] => (existsSync(absolute) ? readdirSync(absolute) : []);

/** Returns the spelling of the folder entry that the file system treats as `name`; `name` itself when there is none. */
export function spellingIn(absolute: string, name: string): string {
  const names = namesIn(absolute);
  return names.includes(name) ? name : (names.find((other) => foldName(other) === foldName(name)) ?? name);
}

/**
 * Returns the first of `name`, `name-2`, `name-3` … that no entry of the folder uses on any file system and that
 * `isKnown` does not know. `own`, the current name in this folder, counts as free.
 */
export function freeName(
  absolute: string,
  name: string,
  own: string | null,
  isKnown: (name: string) => boolean,
): string {
  const takenNames = new Set(
    namesIn(absolute)
      .filter((other) => other !== own)
      .map(foldName),
  );
  for (let n = 1; ; n += 1) {
    const candidate = numberedName(name, n);
    if (!takenNames.has(foldName(candidate)) && (candidate === own || !isKnown(candidate))) return candidate;
  }
}
