import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** The folders above a path: `patients/elena/2024` → `patients`, `patients/elena`. */
export const foldersAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_part, index, parts) => parts.slice(0, index + 1).join('/'));
/** The folder of one person, such as `patients/elena`; files stay within it. */
export const homeOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** Whether paths allow a move into a folder; the server checks further conditions. */
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

/** The visible rows: the contents of open folders below them. `childrenOf` returns null while a folder loads. */
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

/** All files without a document, in tree order. */
export function filesWithoutDocument(entry: VaultEntry): VaultEntry[] {
  if (entry.type === 'dir') return entry.children.flatMap(filesWithoutDocument);
  return entry.state === 'foreign' || entry.state === 'waiting' ? [entry] : [];
}

/** All folders that can receive a file, in tree order. */
export function targetsOf(entry: VaultEntry, from: string): string[] {
  if (entry.type === 'file') return [];
  const own = entry.path !== '' && (entry.path === parentOf(from) || canMoveInto(from, entry.path)) ? [entry.path] : [];
  return [...own, ...entry.children.flatMap((child) => targetsOf(child, from))];
}
