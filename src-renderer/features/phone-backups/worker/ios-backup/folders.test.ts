import { describe, expect, it } from 'vitest';
import { findBackups, folderOfFiles } from './folders.ts';

/** A selected file at a path. */
const fileAt = (path: string): File =>
  Object.defineProperty(new File([path], 'Manifest.db'), 'webkitRelativePath', { value: path });
const idsIn = async (...paths: string[]): Promise<string[]> =>
  (await findBackups(folderOfFiles(paths.map(fileAt)))).map(({ id }) => id).toSorted();

describe('the backups in a selected folder', () => {
  it('are the folder itself, or folders one or two levels below it', async () => {
    expect(await idsIn('phone/Manifest.db')).toEqual(['phone']);
    expect(await idsIn('all/a/Manifest.db', 'all/Familie/b/Manifest.db', 'all/x/y/deep/Manifest.db')).toEqual([
      'a',
      'b',
    ]);
  });

  it('have an id each, also copies of one phone in subfolders', async () => {
    expect(await idsIn('all/Zwei/phone/Manifest.db', 'all/phone/Manifest.db', 'all/Archiv/phone/Manifest.db')).toEqual([
      'phone',
      'phone (Archiv)',
      'phone (Zwei)',
    ]);
    expect(await idsIn('all/Zwei/phone/Manifest.db', 'all/Archiv/phone/Manifest.db')).toEqual([
      'phone',
      'phone (Zwei)',
    ]);
  });
});
