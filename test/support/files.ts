import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Absolute paths of the files below a folder, in order. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
/** The same, and nothing of a folder that does not exist. */
export const filesBelowIfPresent = (folder: string): string[] => (existsSync(folder) ? filesBelow(folder) : []);
export const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** What a vault holds for its owner, by path, without what a program makes anew. */
export const contentsOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    ['inbox', 'patients', 'unclassified', 'trash'].flatMap((folder) =>
      filesBelow(join(root, folder)).map((path) => [relative(root, path), hashOf(path)]),
    ),
  );
