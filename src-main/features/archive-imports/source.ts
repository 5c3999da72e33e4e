import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { IMPORT_KINDS } from '../../../src-shared/contract/archive-imports.ts';
import { fail } from '../../platform/kernel/errors.ts';

/** A file of an archive: its path within it, with `/`. */
export interface Member {
  name: string;
  open: () => Promise<Readable>;
}
/** Passes the files to `take` one by one until it returns false; the same ones each time. */
export type ReadMembers = (take: (member: Member) => Promise<boolean>) => Promise<void>;

export interface Source {
  kind: (typeof IMPORT_KINDS)[number];
  /** What names it: the last part of its path. */
  name: string;
  read: ReadMembers;
}

export interface SourceTools {
  /** Reads a ZIP with limits. */
  readArchive(path: string, take: (member: Member) => Promise<boolean>): Promise<void>;
  /** Whether a file is not an unfinished download or a file of the system. */
  isFinishedName(path: string): boolean;
  /** The folder of the vault, which is never imported. */
  root: string;
}

const MAX_FILES = 200_000;
const ZIP_HEADS = ['PK\u0003\u0004', 'PK\u0005\u0006'];
/** What an XML file of Apple Health begins with; its name is in the language of the phone. */
const HEALTH_HEAD = /<!DOCTYPE HealthData|<HealthData[\s>]/;
const HEAD_BYTES = 4096;

/**
 * Opens a folder or file for reading and recognizes what it is.
 * @throws `import.path_invalid`, `import.source_missing`, `import.source_unreadable`
 */
export async function openSource(path: string, tools: SourceTools): Promise<Source> {
  if (!isAbsolute(path)) throw fail('import.path_invalid');
  const stats = await stat(path).catch(throwUnreadable);
  const name = basename(path);
  if (stats.isDirectory()) {
    const read: ReadMembers = (take) => readFolder(path, tools, take);
    return { name, read, kind: (await kindOf(read)) ?? 'folder' };
  }
  if (!stats.isFile()) throw fail('import.source_missing');
  const single: ReadMembers = async (take) => void (await take({ name, open: async () => createReadStream(path) }));
  if (!ZIP_HEADS.includes(await headOf(async () => createReadStream(path, { end: 3 }), 4).catch(throwUnreadable)))
    return { name, read: single, kind: 'folder' };
  const read: ReadMembers = (take) => tools.readArchive(path, take);
  const kind = await kindOf(read);
  return kind === null ? { name, read: single, kind: 'folder' } : { name, read, kind };
}

/** Rethrows an error of the file system as what a person can do about it. */
export function throwUnreadable(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') throw fail('import.source_unreadable', undefined, error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EIO' || code === 'ENXIO' || code === 'ESTALE')
    throw fail('import.source_missing', undefined, error);
  throw error;
}

/** The files of a folder and those below it by name; links, hidden files and the vault are left out. */
async function readFolder(
  root: string,
  { isFinishedName, root: vault }: SourceTools,
  take: Parameters<ReadMembers>[0],
) {
  const names: string[] = [];
  const own = await realpath(vault);
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch(throwUnreadable);
  for (const entry of entries) {
    if (!entry.isFile() || isWithin(entry.parentPath, own)) continue;
    const name = join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\/+/, '');
    if (isFinishedName(name)) names.push(name);
    if (names.length > MAX_FILES) throw fail('archive.too_many_files', { limit: MAX_FILES });
  }
  names.sort();
  for (const name of names) if (!(await take({ name, open: async () => createReadStream(join(root, name)) }))) return;
}

/** Whether a path is a folder or below it. */
export const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** What the members are an export of; null for plain files. Exports may be in a folder of the archive. */
async function kindOf(read: ReadMembers): Promise<Source['kind'] | null> {
  let kind: Source['kind'] | null = null;
  await read(async ({ name, open }) => {
    if (name.split('/').length > 2) return true;
    if (basename(name) === 'manifest.json' && isDjango(await headOf(open, HEAD_BYTES))) kind = 'paperless';
    if (/\.xml$/i.test(name) && HEALTH_HEAD.test(await headOf(open, HEAD_BYTES))) kind = 'apple_health';
    return kind === null;
  });
  return kind;
}

/** Whether a file begins as what Django serializes. */
const isDjango = (head: string): boolean => /^\s*\[\s*\{\s*"model"\s*:\s*"/.test(head);

async function headOf(open: () => Promise<Readable>, bytes: number): Promise<string> {
  const stream = await open();
  let head = '';
  try {
    for await (const chunk of stream) {
      head += (chunk as Buffer).toString('latin1');
      if (head.length >= bytes) break;
    }
  } finally {
    stream.destroy();
  }
  return head.slice(0, bytes);
}

/** Reads a whole member. Throws the failure for one that is larger than the limit. */
export async function readMember({ open }: Member, limit: number, tooLarge: Error): Promise<Buffer> {
  const stream = await open();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > limit) throw tooLarge;
      chunks.push(chunk as Buffer);
    }
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks);
}

/** The folder of a member, `.` for the archive itself. */
export const folderOf = (member: string): string => dirname(member);
