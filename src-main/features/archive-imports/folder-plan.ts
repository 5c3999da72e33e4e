import { basename } from 'node:path';
import type { NewItem } from './repository.ts';
import { folderOf, type Source } from './source.ts';

const MAX_TAG = 100;

/**
 * Plans the files of plain folders. A folder with a DICOMDIR is one imaging disc, whose files stay together. The names
 * of folders become tags of the documents, since people file by them.
 */
export async function planFolder({ name: sourceName, read, unreadable = [] }: Source): Promise<NewItem[]> {
  const names: string[] = [];
  await read(async ({ name }) => {
    names.push(name);
    return true;
  });
  const discs = discsOf(names);
  const discOf = (member: string): string | undefined => discs.find((disc) => isBelow(member, disc));
  const plan = { status: 'unchecked' as const, document_ids: [], result_ids: [] };
  return [
    ...discs.map((member): NewItem => ({ ...plan, member, kind: 'disc', details: {} })),
    ...names
      .filter((member) => discOf(member) === undefined)
      .map((member): NewItem => {
        const tags = tagsOf(member);
        const origin = member === sourceName ? member : `${sourceName}/${member}`;
        return { ...plan, member, kind: 'file', details: { origin, ...(tags.length > 0 && { document: { tags } }) } };
      }),
    ...unreadable.map((member): NewItem => {
      const refused = { status: 'refused' as const, code: 'import.source_unreadable' as const };
      return { ...plan, member, kind: 'file', details: {}, ...refused };
    }),
  ];
}

/** The folders with a DICOMDIR that are not within another one; `.` if it is at the top. */
export function discsOf(names: readonly string[]): string[] {
  const roots = names.filter((name) => basename(name).toUpperCase() === 'DICOMDIR' && names.length > 1).map(folderOf);
  return roots.filter((root) => !roots.some((other) => other !== root && isBelow(root, other)));
}

/** Whether a path is within a folder. */
export const isBelow = (path: string, folder: string): boolean => folder === '.' || path.startsWith(`${folder}/`);

/**
 * The folders of a file, as people type them and not as disks of a Mac keep them, without those that only say when:
 * `Labor/2021/03` is `Labor`.
 */
function tagsOf(member: string): string[] {
  const folders = member
    .split('/')
    .slice(0, -1)
    .map((folder) => folder.normalize('NFC').replaceAll(',', ' ').trim());
  return [...new Set(folders)].filter((tag) => tag !== '' && tag.length <= MAX_TAG && !/^[\d\s._-]+$/.test(tag));
}
