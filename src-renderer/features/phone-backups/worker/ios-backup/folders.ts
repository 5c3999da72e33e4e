import type { BackupFile, BackupFiles } from '../../../../../src-shared/ios-backup/index.ts';

/** A folder that holds a backup: its name is the backup's id. */
export interface BackupFolder {
  name: string;
  files: BackupFiles;
}

const MANIFESTS = ['Manifest.db', 'Manifest.mbdb'];
/** Folders looked into below the chosen one: `MobileSync/Backup/<id>` when a person chose MobileSync. */
const DEPTH = 2;

/** A folder by the names of its entries: the same for a directory handle and for a list of selected files. */
export interface Folder {
  name: string;
  folder(name: string): Promise<Folder | null>;
  file(name: string): Promise<File | null>;
  entries(): Promise<readonly BackupFile[]>;
}

/** Backups in a chosen folder: itself, or one or two folders deep. */
export async function findBackups(root: Folder, depth = DEPTH): Promise<BackupFolder[]> {
  for (const manifest of MANIFESTS) if (await root.file(manifest)) return [{ name: root.name, files: filesOf(root) }];
  if (depth === 0) return [];
  const found: BackupFolder[] = [];
  for (const { name, kind } of await root.entries()) {
    const folder = kind === 'folder' ? await root.folder(name) : null;
    if (folder) found.push(...(await findBackups(folder, depth - 1)));
  }
  return found;
}

const isPlain = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && !/[\\/\0]/.test(part);

/** The engine's files over a folder. Folders of blobs are looked up once. */
export function filesOf(root: Folder): BackupFiles {
  const folders = new Map<string, Promise<Folder | null>>();
  const folderOf = (path: string): Promise<Folder | null> => {
    const known = folders.get(path);
    if (known) return known;
    const found = path
      .split('/')
      .reduce<Promise<Folder | null>>(
        async (above, part) => (isPlain(part) ? ((await above)?.folder(part) ?? null) : null),
        Promise.resolve(root),
      );
    folders.set(path, found);
    return found;
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
      if (!file) throw new Error('The file is gone.');
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
  };
}

/** A folder chosen with the File System Access API; the handle can only read. */
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
      const found: BackupFile[] = [];
      for await (const entry of handle.values())
        found.push({
          name: entry.name,
          kind: entry.kind === 'file' ? 'file' : 'folder',
          size: entry.kind === 'file' ? (await (entry as FileSystemFileHandle).getFile()).size : 0,
        });
      return found;
    },
  };
}

interface Node {
  folders: Map<string, Node>;
  files: Map<string, File>;
}

/** A folder chosen with `<input type=file webkitdirectory>`, in browsers without the API: the list of all files in it. */
export function folderOfFiles(files: readonly File[]): Folder {
  const top: Node = { folders: new Map(), files: new Map() };
  for (const file of files) {
    const parts = file.webkitRelativePath.split('/'),
      name = parts.pop() ?? file.name;
    let node = top;
    for (const part of parts) {
      const below: Node = node.folders.get(part) ?? { folders: new Map(), files: new Map() };
      node.folders.set(part, below);
      node = below;
    }
    node.files.set(name, file);
  }
  // The list begins with the folder that was chosen.
  const [first] = top.folders;
  return first && top.files.size === 0 && top.folders.size === 1
    ? folderOfNode(first[0], first[1])
    : folderOfNode('', top);
}

function folderOfNode(name: string, { folders, files }: Node): Folder {
  return {
    name,
    folder: (below) => Promise.resolve(folders.get(below)).then((node) => (node ? folderOfNode(below, node) : null)),
    file: (below) => Promise.resolve(files.get(below) ?? null),
    entries: () =>
      Promise.resolve([
        ...[...folders.keys()].map((each) => ({ name: each, kind: 'folder' as const, size: 0 })),
        ...[...files].map(([each, file]) => ({ name: each, kind: 'file' as const, size: file.size })),
      ]),
  };
}
