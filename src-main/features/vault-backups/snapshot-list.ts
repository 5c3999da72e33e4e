import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../../platform/vault/atomic.ts';
import { BackupDamaged, DATABASE_ENTRY, isBackupPath } from '../../platform/vault/backup-format.ts';
import { KEY_FILE } from '../../platform/vault/layout.ts';

/** Keys of stored passwords for other services; included in a backup only on request. */
export const KEYS_ENTRY = 'secrets.keys';

export interface SnapshotFile {
  path: string;
  size: number;
  sha256: string;
  /** For files without a row and for sealed ones, to detect changes. */
  mtime?: number;
  /** Size in the vault of a file that was sealed for the backup. */
  length?: number;
}

/** The contents of a backup: all files by path, including the database. `missing`: paths of rows without a file. */
export interface Snapshot {
  format: 1;
  kind: 'snapshot';
  created_at: string;
  files: SnapshotFile[];
  missing: string[];
  /** Names the key of the encrypted vault whose sealed files these are; its key file is among them. */
  key?: string;
}

const ENDING = '.json';
const NAME = /^\d{8}-\d{6}(-\d+)?$/;

/** `2026-11-21T08:30:00` → `20261121-083000`. */
export const snapshotName = (timestamp: string): string => timestamp.replaceAll(/[-:]/g, '').replace('T', '-');
/** The start time of a backup, from its name. */
export const timeOfName = (name: string): string =>
  name.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5:$6');

const digest = (body: string): string => createHash('sha256').update(body).digest('hex');

/** Writes a list; its first line is the SHA-256 of the rest, so that a flipped bit in a path is detected. */
export function writeSnapshot(folder: string, name: string, snapshot: Snapshot, uniqueName: string): void {
  const body = JSON.stringify(snapshot);
  writeFileAtomic(join(folder, `${name}${ENDING}`), `${digest(body)}\n${body}\n`, uniqueName);
}

/** Reads a list. Throws `BackupDamaged`, or the errors of the file system. */
export function readSnapshot(file: string): Snapshot {
  const text = readFileSync(file, 'utf8');
  const [expected, body] = [text.slice(0, 64), text.slice(65, -1)];
  if (text[64] !== '\n' || digest(body) !== expected)
    throw new BackupDamaged(`its list ${basename(file)} has changed since it was stored`);
  const snapshot = JSON.parse(body) as Snapshot;
  if (snapshot.format !== 1) throw new BackupDamaged('it was written by another version');
  const isSound = snapshot.files.every(
    ({ path, sha256 }) =>
      (isBackupPath(path) || path === KEYS_ENTRY || path === KEY_FILE) && /^[0-9a-f]{64}$/.test(sha256),
  );
  if (!isSound || !snapshot.files.some((file_) => file_.path === DATABASE_ENTRY))
    throw new BackupDamaged('its list names no database, or a path outside of the vault');
  if (snapshot.files.some(({ path }) => path === KEY_FILE) !== (snapshot.key !== undefined))
    throw new BackupDamaged('it has a key without an encrypted vault, or the reverse');
  return snapshot;
}

/** Names of the backups in a folder, oldest first. */
export const snapshotNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .filter((name) => NAME.test(name))
    .sort();

/** The path of the list of a backup. */
export const snapshotFile = (folder: string, name: string): string => join(folder, `${name}${ENDING}`);
/** Deletes the list of a backup; its files go with the next clean-up. */
export const removeSnapshot = (folder: string, name: string): void =>
  rmSync(snapshotFile(folder, name), { force: true });
/** Bytes of all files of a backup, also of those that it shares with others. */
export const sizeOf = (snapshot: Snapshot): number => snapshot.files.reduce((sum, file) => sum + file.size, 0);
