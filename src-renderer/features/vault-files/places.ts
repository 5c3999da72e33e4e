import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** `patients/elena/2024` → `patients`, `patients/elena`: what must be open for it to be seen. */
export const foldersAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_part, index, parts) => parts.slice(0, index + 1).join('/'));
/** The folder of one person or user, within which a file stays: `patients/elena`. */
export const homeOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** May this be put into that folder? The server asks more; this is what can be known from the paths. */
export function canMoveInto(from: string, folder: string): boolean {
  if (folder === parentOf(from) || folder === from || folder.startsWith(`${from}/`)) return false;
  return homeOf(folder) === homeOf(from) && folder.includes('/') && !folder.startsWith('inbox/');
}

/** One line of the tree. */
export interface TreeRow {
  entry: VaultEntry;
  level: number;
  isOpen: boolean;
}

/** The lines that can be seen: what the open folders hold, each below its folder. `childrenOf` gives null while a folder is on its way. */
export function visibleRows(
  top: readonly VaultEntry[],
  open: ReadonlySet<string>,
  childrenOf: (path: string) => readonly VaultEntry[] | null,
  level = 1,
): TreeRow[] {
  return top.flatMap((entry) => {
    const isOpen = entry.type === 'dir' && open.has(entry.path);
    return [
      { entry, level, isOpen },
      ...(isOpen ? visibleRows(childrenOf(entry.path) ?? [], open, childrenOf, level + 1) : []),
    ];
  });
}

/** Every file without a document, in the order of the tree. */
export function strays(entry: VaultEntry): VaultEntry[] {
  if (entry.type === 'dir') return entry.children.flatMap(strays);
  return entry.state === 'foreign' || entry.state === 'waiting' ? [entry] : [];
}

/** Every folder into which something can be moved, in the order of the tree. */
export function targetsOf(entry: VaultEntry, from: string): string[] {
  if (entry.type === 'file') return [];
  const own = entry.path !== '' && (entry.path === parentOf(from) || canMoveInto(from, entry.path)) ? [entry.path] : [];
  return [...own, ...entry.children.flatMap((child) => targetsOf(child, from))];
}
