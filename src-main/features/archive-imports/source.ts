import { createReadStream } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
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
  /** Folders that may not be read, known once it was read; the rest of the source is. */
  unreadable?: readonly string[];
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
    const unreadable: string[] = [];
    const read: ReadMembers = async (take) => {
      const found = await listFolder(path, tools);
      unreadable.length = 0;
      for (const folder of found.unreadable) unreadable.push(folder);
      for (const file of found.files)
        if (!(await take({ name: file, open: async () => openFile(join(path, file)) }))) return;
    };
    return { name, read, unreadable, kind: (await kindOf(read)) ?? 'folder' };
  }
  if (!stats.isFile()) throw fail('import.source_missing');
  const single: ReadMembers = async (take) => void (await take({ name, open: async () => openFile(path) }));
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

/**
 * Opens a file of a folder. Where it can't be read, because of its rights or because its disk is damaged, the stream
 * fails with what a person can do; the other files are not concerned.
 */
function openFile(path: string): Readable {
  const stream = createReadStream(path);
  const content = new PassThrough();
  stream.once('error', (error) => content.destroy(failureOfFile(error)));
  content.once('close', () => stream.destroy());
  return stream.pipe(content);
}

/** The failure of one file: its rights, a damaged disk, or that it was removed since the folder was listed. */
export function failureOfFile(error: NodeJS.ErrnoException): Error {
  const { code } = error;
  if (code === 'EACCES' || code === 'EPERM') return fail('import.source_unreadable', undefined, error);
  if (code === 'EIO') return fail('import.file_damaged', undefined, error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? fail('import.file_missing', undefined, error) : error;
}

interface Listing {
  files: string[];
  unreadable: string[];
}

/** The files of a folder and those below it by name; links, hidden files and the vault are left out. */
async function listFolder(root: string, { isFinishedName, root: vault }: SourceTools): Promise<Listing> {
  const own = await realpath(vault);
  const listing: Listing = { files: [], unreadable: [] };
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (isWithin(join(root, folder), own)) continue;
    const entries = await opendir(join(root, folder)).catch((error: unknown) => {
      if (folder === '' || !isForbidden(error)) throwUnreadable(error);
      listing.unreadable.push(folder);
    });
    for await (const entry of entries ?? []) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile() && isFinishedName(name)) listing.files.push(name);
      if (listing.files.length + listing.unreadable.length + waiting.length > MAX_FILES)
        throw fail('archive.too_many_files', { limit: MAX_FILES });
    }
  }
  listing.files.sort();
  return listing;
}

const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

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
