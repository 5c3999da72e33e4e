import {
  closeSync,
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
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { randomId } from '../kernel/ids.ts';
import { syncFile, syncFolder, writeFileAtomic } from './atomic.ts';
import { changeDatabaseKey, requireSoleConnection } from './change-database-key.ts';
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
 * was or sealed, the key file is written first, and only a finished run says `on`.
 */
export function* encryptVault(root: string, file: KeyFile, keys: UnlockedKeys): Generator<SwitchProgress> {
  requireAlone(root, keys);
  writeState(root, { ...file, state: 'encrypting' });
  const key = vaultKeyOf(keys.files);
  const seal = (path: string): void =>
    replaceFile(
      path,
      key,
      (content) => !content.isSealed,
      (content, to) => writeSealed(content, to, key),
    );
  const encrypt = (path: string): void => {
    if (isPlainDatabase(path)) changeDatabaseKey(path, null, keys.database);
  };
  yield* inOrder([...stepsOf(filesOf(root), seal), ...stepsOf(databasesOf(root), encrypt)]);
  writeState(root, { ...file, state: 'on' });
}

/** Decrypts a vault that is not open, or goes on with that. The key file goes last. */
export function* decryptVault(root: string, file: KeyFile, keys: UnlockedKeys): Generator<SwitchProgress> {
  requireAlone(root, keys);
  writeState(root, { ...file, state: 'decrypting' });
  const key = vaultKeyOf(keys.files);
  const unseal = (path: string): void => replaceFile(path, key, (content) => content.isSealed, copyInto);
  const decrypt = (path: string): void => {
    if (!isPlainDatabase(path)) changeDatabaseKey(path, keys.database, null);
  };
  yield* inOrder([...stepsOf(databasesOf(root), decrypt), ...stepsOf(filesOf(root), unseal)]);
  rmSync(join(root, KEY_FILE));
  syncFolder(root);
}

const stepsOf = (paths: readonly string[], change: (path: string) => void): (() => void)[] =>
  paths.map((path) => () => change(path));

function* inOrder(steps: readonly (() => void)[]): Generator<SwitchProgress> {
  for (const [index, step] of steps.entries()) {
    step();
    yield { done: index + 1, total: steps.length };
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

/** Regular files of the vault; removes what an interrupted run left, and indexes of phones. Links are not followed. */
function filesOf(root: string): string[] {
  rmSync(join(root, PHONE_INDEXES), { recursive: true, force: true });
  const paths = regularFiles(root);
  for (const path of paths) if (isUnfinishedSeal(path)) rmSync(path);
  const links = join(root, FOLDERS.healthLinks) + sep;
  return [...new Set(paths.filter((path) => !isUnfinishedSeal(path) && !path.startsWith(links)))];
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

/** Writes the new form of a file beside it, compares what can be read from it, and puts it in its place. */
function replaceFile(
  path: string,
  key: VaultKey,
  isDue: (content: Content) => boolean,
  write: (content: Content, to: string) => void,
): void {
  const content = openContent(path, key);
  try {
    if (!isDue(content)) return;
    const to = unfinishedSealOf(path);
    write(content, to);
    requireSame(content, to, key);
    const { atime, mtime } = statSync(path);
    utimesSync(to, atime, mtime);
    syncFile(to);
    renameSync(to, path);
    syncFolder(dirname(path));
  } finally {
    content.close();
  }
}

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
