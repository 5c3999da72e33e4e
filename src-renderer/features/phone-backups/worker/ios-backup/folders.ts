import { assignBackupIds, type BackupFile, type BackupFiles } from '../../../../../src-shared/ios-backup/index.ts';

/** A folder with a backup. */
export interface BackupFolder {
  id: string;
  files: BackupFiles;
}

const MANIFESTS = ['Manifest.db', 'Manifest.mbdb'];
/** Levels searched below the selected folder: `MobileSync/Backup/<id>` if the user selected MobileSync. */
const MAX_DEPTH = 2;

/** A folder whose entries have names: a directory handle, or part of a list of selected files. */
export interface Folder {
  name: string;
  folder(name: string): Promise<Folder | null>;
  file(name: string): Promise<File | null>;
  entries(): Promise<readonly BackupFile[]>;
}

interface FoundFolder {
  folder: Folder;
  /** The name of the subfolder that contains it; null if the selected folder does. */
  parent: string | null;
}

/** Finds the backups in a selected folder: the folder itself, or folders one or two levels below it. */
export async function findBackups(root: Folder): Promise<BackupFolder[]> {
  const found = (await foldersBelow(root, null, MAX_DEPTH)).toSorted((a, b) =>
    (a.parent ?? '').localeCompare(b.parent ?? ''),
  );
  const ids = assignBackupIds(found.map(({ folder, parent }) => ({ name: folder.name, parent })));
  return found.map(({ folder }, i) => ({ id: ids[i] ?? folder.name, files: filesOf(folder) }));
}

async function foldersBelow(folder: Folder, parent: string | null, depth: number): Promise<FoundFolder[]> {
  for (const manifest of MANIFESTS) if (await folder.file(manifest)) return [{ folder, parent }];
  if (depth === 0) return [];
  const found: FoundFolder[] = [];
  for (const { name, kind } of await folder.entries()) {
    const inner = kind === 'folder' ? await folder.folder(name) : null;
    if (inner) found.push(...(await foldersBelow(inner, depth === MAX_DEPTH ? null : folder.name, depth - 1)));
  }
  return found;
}

const isPlain = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && !/[\\/\0]/.test(part);

/** Lets the backup reader read the files of a folder. Subfolders are looked up once. */
export function filesOf(root: Folder): BackupFiles {
  const folders = new Map<string, Promise<Folder | null>>();
  const folderOf = (path: string): Promise<Folder | null> => {
    const cached = folders.get(path);
    if (cached) return cached;
    const folder = path
      .split('/')
      .reduce<Promise<Folder | null>>(
        async (parent, part) => (isPlain(part) ? ((await parent)?.folder(part) ?? null) : null),
        Promise.resolve(root),
      );
    folders.set(path, folder);
    return folder;
  };
  const fileOf = async (path: string): Promise<File | null> => {
    const parts = path.split('/'),
      name = parts.pop() ?? '';
    if (!isPlain(name)) return null;
    const folder = parts.length === 0 ? root : await folderOf(parts.join('/'));
    return folder ? folder.file(name) : null;
  };
  return {
    async list(path) {
      const folder = path === '' ? root : await folderOf(path);
      return folder ? folder.entries() : [];
    },
    async size(path) {
      return (await fileOf(path))?.size ?? null;
    },
    async readRange(path, start, end) {
      const file = await fileOf(path);
      if (!file) throw new Error('The file no longer exists.');
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
  };
}

/** A folder selected with the File System Access API; the handle can only read. */
export function folderOfHandle(handle: FileSystemDirectoryHandle): Folder {
  return {
    name: handle.name,
    folder: (name) => handle.getDirectoryHandle(name).then(folderOfHandle, () => null),
    file: (name) =>
      handle
        .getFileHandle(name)
        .then((file) => file.getFile())
        .catch(() => null),
    async entries() {
      const entries: BackupFile[] = [];
      for await (const entry of handle.values())
        entries.push({
          name: entry.name,
          kind: entry.kind === 'file' ? 'file' : 'folder',
          size: entry.kind === 'file' ? (await (entry as FileSystemFileHandle).getFile()).size : 0,
        });
      return entries;
    },
  };
}

interface Node {
  folders: Map<string, Node>;
  files: Map<string, File>;
}

/**
 * A folder selected with `<input type=file webkitdirectory>`, which lists all files in it (browsers without the API).
 */
export function folderOfFiles(files: readonly File[]): Folder {
  const top: Node = { folders: new Map(), files: new Map() };
  for (const file of files) {
    const parts = file.webkitRelativePath.split('/'),
      name = parts.pop() ?? file.name;
    let node = top;
    for (const part of parts) {
      const child: Node = node.folders.get(part) ?? { folders: new Map(), files: new Map() };
      node.folders.set(part, child);
      node = child;
    }
    node.files.set(name, file);
  }
  // The paths begin with the selected folder.
  const [first] = top.folders;
  return first && top.files.size === 0 && top.folders.size === 1
    ? folderOfNode(first[0], first[1])
    : folderOfNode('', top);
}

function folderOfNode(name: string, { folders, files }: Node): Folder {
  return {
    name,
    folder: (child) => Promise.resolve(folders.get(child)).then((node) => (node ? folderOfNode(child, node) : null)),
    file: (child) => Promise.resolve(files.get(child) ?? null),
    entries: () =>
      Promise.resolve([
        ...[...folders.keys()].map((each) => ({ name: each, kind: 'folder' as const, size: 0 })),
        ...[...files].map(([each, file]) => ({ name: each, kind: 'file' as const, size: file.size })),
      ]),
  };
}
