import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An entry of package-lock.json. */
export interface LockEntry {
  /** Only of an alias, which is installed under another name. */
  name?: string;
  version: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The packages of package-lock.json by their folder. */
export const lock = (
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockEntry> }
).packages;

/** The name of the package in a folder. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The name under which the registry has the package in a folder. */
export const publishedName = (path: string): string => lock[path]!.name ?? nameOf(path);

/** Folders of `roots` and of everything they depend on, found the way Node resolves packages. */
export function packagesBelow(
  roots: readonly string[],
  isWanted: (path: string, entry: LockEntry) => boolean = () => true,
): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, parent: string): void => {
    const path = resolveLocked(name, parent);
    if (path === null || found.has(path) || !isWanted(path, lock[path]!)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = lock[path]!;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) visit(dependency, path);
  };
  for (const root of roots) visit(root, '');
  return found;
}

/** The folder in which a package at `parent` finds `name`; null if it is not installed. */
export function resolveLocked(name: string, parent: string): string | null {
  const path = `${parent && `${parent}/`}node_modules/${name}`;
  if (path in lock) return path;
  if (parent === '') return null;
  const outer = parent.lastIndexOf('/node_modules/');
  return resolveLocked(name, outer === -1 ? '' : parent.slice(0, outer));
}
