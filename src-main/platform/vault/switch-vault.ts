import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  type Stats,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { randomId } from '../kernel/ids.ts';
import { syncFile, syncFolder, writeFileAtomic } from './atomic.ts';
import {
  changeDatabaseKey,
  removeUnfinishedDatabase,
  requireReadableDatabase,
  requireSoleConnection,
} from './change-database-key.ts';
import { DATABASE_FILE, DOCUMENT_FOLDERS, FOLDERS, KEY_FILE } from './layout.ts';
import { vaultKeyOf, type VaultKey } from '../kernel/age-format.ts';
import { idOfKeyFile, parseKeyFile, type KeyFile } from '../sealed/key-file.ts';
import type { UnlockedKeys } from '../kernel/process-keys.ts';
import { openContent, type Content } from '../sealed/sealed-file.ts';
import { chunksOf, isUnfinishedSeal, unfinishedSealOf, writeSealed, writeWith } from './vault-files.ts';

/**
 * Folders whose files are sealed. `tmp` is one of them, because after a crash the journal moves its files into others.
 * Models are public files, and files of health links are encrypted with keys of their own.
 */
const SEALED_FOLDERS = [...DOCUMENT_FOLDERS, FOLDERS.trash, FOLDERS.cache, FOLDERS.tmp];
/** Indexes of phone backups are databases; they are made anew from the backups. */
const PHONE_INDEXES = `${FOLDERS.cache}/phone`;
/** The database and the copies that were made before a migration. */
const DATABASE = /^vault\.db(\.before-migration-\d+)?$/;
/** SQLite begins a file that is not encrypted with this (file format, 1.2). */
const PLAIN_DATABASE = 'SQLite format 3\0';

/** How far a switch is: files that are done, and all. */
export interface SwitchProgress {
  done: number;
  total: number;
}

/**
 * Encrypts a vault that is not open, or goes on with that. Ending at any moment loses nothing: each file is either as it
 * was or sealed, the key file is written first, and only a finished run says `on`. One damaged file would keep the whole
 * vault closed, so everything is read before.
 * @throws `UnreadableFile`
 */
export function* encryptVault(root: string, file: KeyFile, keys: UnlockedKeys): Generator<SwitchProgress> {
  requireAlone(root, keys);
  removeUnfinished(root);
  const key = vaultKeyOf(keys.files);
  const encrypt = (path: string): void => {
    if (isPlainDatabase(path)) changeDatabaseKey(path, null, keys.database);
  };
  const seal = (path: string): void =>
    replaceFile(
      path,
      key,
      (content) => !content.isSealed,
      (content, to) => writeSealed(content, to, key),
    );
  yield* inOrder(root, [
    ...checksOf(root, keys),
    [root, () => begin(root, { ...file, state: 'encrypting' })],
    ...stepsOf(filesOf(root), seal),
    ...stepsOf(databasesOf(root), encrypt),
  ]);
  // Nothing is written into the empty mount point of a disk that went away.
  statSync(join(root, KEY_FILE));
  writeState(root, { ...file, state: 'on' });
}

/** Decrypts a vault that is not open, or goes on with that. The key file goes last. @throws `UnreadableFile` */
export function* decryptVault(root: string, file: KeyFile, keys: UnlockedKeys): Generator<SwitchProgress> {
  requireAlone(root, keys);
  removeUnfinished(root);
  const key = vaultKeyOf(keys.files);
  const unseal = (path: string): void => replaceFile(path, key, (content) => content.isSealed, copyInto);
  const decrypt = (path: string): void => {
    if (!isPlainDatabase(path)) changeDatabaseKey(path, keys.database, null);
  };
  yield* inOrder(root, [
    ...checksOf(root, keys),
    [root, () => begin(root, { ...file, state: 'decrypting' })],
    ...stepsOf(databasesOf(root), decrypt),
    ...stepsOf(filesOf(root), unseal),
  ]);
  rmSync(join(root, KEY_FILE));
  syncFolder(root);
}

/** What is done with a file. */
type Step = readonly [path: string, work: () => void];

/** From here on, the vault is opened only once the switch has ended. Indexes of phones are made anew. */
function begin(root: string, file: KeyFile): void {
  writeState(root, file);
  rmSync(join(root, PHONE_INDEXES), { recursive: true, force: true });
}

/** Reads everything before the first change; a switch that goes on can't turn back, so it reads nothing before. */
function checksOf(root: string, keys: UnlockedKeys): Step[] {
  const path = join(root, KEY_FILE);
  if (existsSync(path) && parseKeyFile(readFileSync(path, 'utf8')).state !== 'on') return [];
  const key = vaultKeyOf(keys.files);
  const checkDatabase = (file: string): void =>
    requireReadableDatabase(file, isPlainDatabase(file) ? null : keys.database);
  return [...stepsOf(databasesOf(root), checkDatabase), ...stepsOf(filesOf(root), (file) => readWhole(file, key))];
}

function readWhole(path: string, key: VaultKey): void {
  accessSync(dirname(path), constants.W_OK);
  const content = openContent(path, key);
  try {
    for (const _chunk of chunksOf(content));
  } finally {
    content.close();
  }
}

const stepsOf = (paths: readonly string[], change: (path: string) => void): Step[] =>
  paths.map((path) => [path, () => change(path)]);

function* inOrder(root: string, steps: readonly Step[]): Generator<SwitchProgress> {
  for (const [index, [path, work]] of steps.entries()) {
    try {
      work();
    } catch (error) {
      // Somebody may remove a file meanwhile; but where the database went too, it was the disk.
      const isRemoved = !existsSync(path) && existsSync(join(root, DATABASE_FILE));
      if (!isRemoved) throw isDamage(error) && path !== root ? new UnreadableFile(relative(root, path), error) : error;
    }
    yield { done: index + 1, total: steps.length };
  }
}

/** What disks, SQLite and sealed files say of damage, and systems of files that belong to somebody else. */
const DAMAGE = new Set(['EIO', 'EBADMSG', 'EACCES', 'EPERM', 'SQLITE_NOTADB']);
function isDamage(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return DAMAGE.has(code) || code.startsWith('SQLITE_CORRUPT');
}

/** A file of the vault can't be read, so it can be neither encrypted nor decrypted. */
export class UnreadableFile extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `This file of the vault can’t be read: ${path}. Take it from a backup or move it out of the vault, and try again.`,
      { cause },
    );
    this.name = 'UnreadableFile';
  }
}

/** The database may have been switched before an interruption, or not. */
function requireAlone(root: string, keys: UnlockedKeys): void {
  const path = join(root, DATABASE_FILE);
  if (existsSync(path)) requireSoleConnection(path, isPlainDatabase(path) ? null : keys.database);
}

/** What has to stay free beside the new form of the largest file. */
const SPARE_BYTES = 64 * 2 ** 20;

/** Bytes that are free, and that a switch needs for the new form of a file beside the old one. */
export function spaceFor(root: string): { free: number; needed: number } {
  const { bavail, bsize } = statfsSync(root);
  return { free: bavail * bsize, needed: 2 * largestFile(root) + SPARE_BYTES };
}

/** Bytes of the largest file that a switch writes anew; its write-ahead log may make a database larger. */
function largestFile(root: string): number {
  const files = regularFiles(root).map((path) => statSync(path).size);
  const databases = databasesOf(root).map(
    (path) => statSync(path).size + (existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0),
  );
  return [...files, ...databases].reduce((most, size) => Math.max(most, size), 0);
}

/** Stores the key file under another password or recovery key. */
export const replaceKeyFile = (root: string, file: KeyFile): void => writeState(root, file);

/** Removes what a killed process left of the key file. Never replaces the key that opens what is sealed already. */
function writeState(root: string, file: KeyFile): void {
  const path = join(root, KEY_FILE);
  if (existsSync(path) && idOfKeyFile(parseKeyFile(readFileSync(path, 'utf8'))) !== idOfKeyFile(file))
    throw new OtherKey();
  for (const name of readdirSync(root)) if (/^\.vault-key-.*\.part$/.test(name)) rmSync(join(root, name));
  writeFileAtomic(path, JSON.stringify(file), `vault-key-${randomId()}`);
}

/** The vault has another key, which its files need. */
export class OtherKey extends Error {
  constructor() {
    super('This vault is encrypted with another key. Go on with that one.');
    this.name = 'OtherKey';
  }
}

/** Regular files of the vault, but those that have keys of their own or are removed. Links are not followed. */
function filesOf(root: string): string[] {
  const others = [FOLDERS.healthLinks, PHONE_INDEXES].map((folder) => join(root, folder) + sep);
  return regularFiles(root).filter((path) => !others.some((folder) => path.startsWith(folder)));
}

/** Removes what an interrupted run left. */
export function removeUnfinished(root: string): void {
  for (const path of regularFiles(root)) if (isUnfinishedSeal(path)) rmSync(path);
  for (const path of databasesOf(root)) removeUnfinishedDatabase(path);
}

function regularFiles(root: string): string[] {
  const entries = SEALED_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const databasesOf = (root: string): string[] =>
  readdirSync(root)
    .filter((name) => DATABASE.test(name))
    .map((name) => join(root, name));

function isPlainDatabase(path: string): boolean {
  const start = Buffer.alloc(PLAIN_DATABASE.length);
  const file = openSync(path, 'r');
  try {
    // SQLite writes nothing into a new file until there is something to write.
    return readSync(file, start, 0, start.length, 0) === 0 || start.toString('latin1') === PLAIN_DATABASE;
  } finally {
    closeSync(file);
  }
}

/** How often a file is written anew that somebody changes meanwhile. */
const MAX_ATTEMPTS = 3;

interface Change {
  isDue: (content: Content) => boolean;
  write: (content: Content, to: string) => void;
}

function replaceFile(path: string, key: VaultKey, isDue: Change['isDue'], write: Change['write']): void {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) if (replaceUnchanged(path, key, { isDue, write })) return;
  // It stays as it is: papers that are just being put into the inbox are sealed when they are read.
  if (!dirname(path).split(sep).includes(FOLDERS.inbox)) throw new Error('A file is being changed by somebody else.');
}

/** Writes the new form of a file beside it, compares what can be read from it, and puts it in its place. */
function replaceUnchanged(path: string, key: VaultKey, { isDue, write }: Change): boolean {
  const before = statSync(path);
  const content = openContent(path, key);
  const to = unfinishedSealOf(path);
  try {
    if (!isDue(content)) return true;
    write(content, to);
    requireSame(content, to, key);
    utimesSync(to, before.atime, before.mtime);
    syncFile(to);
    if (!isSameState(statSync(path), before)) return false;
    renameSync(to, path);
    syncFolder(dirname(path));
    return true;
  } finally {
    content.close();
    rmSync(to, { force: true });
  }
}

/** Somebody may still be copying a file into the vault, of which only the beginning was read. */
const isSameState = (now: Stats, before: Stats): boolean =>
  now.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs;

const copyInto = (content: Content, to: string): void =>
  writeWith(to, (write) => {
    for (const chunk of chunksOf(content)) write(chunk);
  });

/** What a disk stored wrongly must be noticed while the old file exists. */
function requireSame(content: Content, path: string, key: VaultKey): void {
  const written = openContent(path, key);
  try {
    let isSame = written.size === content.size;
    const others = chunksOf(written);
    for (const chunk of isSame ? chunksOf(content) : []) {
      const { done, value } = others.next();
      isSame &&= done !== true && chunk.equals(value);
    }
    if (!isSame) throw new Error('A file was not stored as it was written.');
  } finally {
    written.close();
  }
}
