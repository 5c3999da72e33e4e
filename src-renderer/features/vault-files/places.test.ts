import { describe, expect, it } from 'vitest';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { canMoveInto, foldersAbove, filesWithoutDocument, targetsOf, visibleRows } from './places.ts';

const entry = (
  path: string,
  type: 'dir' | 'file',
  children: VaultEntry[] = [],
  state: VaultEntry['state'] = type === 'file' ? 'document' : null,
): VaultEntry => ({
  name: path.split('/').at(-1) ?? '',
  type,
  path,
  size: 1,
  state,
  document_id: null,
  document_name: null,
  files: 1,
  foreign: 0,
  more: false,
  writable: true,
  children,
});
const tree = entry('', 'dir', [
  entry('inbox', 'dir', [entry('inbox/elena', 'dir', [entry('inbox/elena/new.pdf', 'file', [], 'waiting')])]),
  entry('patients', 'dir', [
    entry('patients/elena', 'dir', [
      entry('patients/elena/2024', 'dir', [
        entry('patients/elena/2024/a.pdf', 'file'),
        entry('patients/elena/2024/x.txt', 'file', [], 'foreign'),
      ]),
      entry('patients/elena/reha', 'dir'),
    ]),
    entry('patients/marco', 'dir'),
  ]),
]);

describe('targets of a move', () => {
  const from = 'patients/elena/2024/a.pdf';
  it('are folders of the same person', () => {
    expect(['patients/elena', 'patients/elena/reha'].map((folder) => canMoveInto(from, folder))).toEqual([true, true]);
    expect(
      ['patients/elena/2024', 'patients/marco', 'patients', 'inbox/elena'].map((folder) => canMoveInto(from, folder)),
    ).toEqual([false, false, false, false]);
  });
  it('never include the folder itself', () => {
    expect(
      ['patients/elena/2024', 'patients/elena/2024/deep'].map((folder) => canMoveInto('patients/elena/2024', folder)),
    ).toEqual([false, false]);
    expect(canMoveInto('patients/elena/2024', 'patients/elena/2024-old')).toBe(true);
  });
  it('include the current folder, for renaming', () => {
    expect(targetsOf(tree, from)).toEqual(['patients/elena', 'patients/elena/2024', 'patients/elena/reha']);
  });
});

describe('the rows of the tree', () => {
  const childrenOf = (path: string): VaultEntry[] | null => (path === 'patients' ? tree.children[1]!.children : null);
  it('are the contents of open folders below them', () => {
    expect(
      visibleRows(tree.children, new Set(['patients']), childrenOf).map(({ entry: { path }, level }) => [path, level]),
    ).toEqual([
      ['inbox', 1],
      ['patients', 1],
      ['patients/elena', 2],
      ['patients/marco', 2],
    ]);
  });
  it('omit folders that are loading', () => {
    expect(visibleRows(tree.children, new Set(['inbox']), () => null)).toHaveLength(2);
  });
  it('need open folders above', () => {
    expect(foldersAbove('patients/elena/2024/a.pdf')).toEqual(['patients', 'patients/elena', 'patients/elena/2024']);
  });
  it('can be limited to files without a document', () => {
    expect(filesWithoutDocument(tree).map(({ path }) => path)).toEqual([
      'inbox/elena/new.pdf',
      'patients/elena/2024/x.txt',
    ]);
  });
});
