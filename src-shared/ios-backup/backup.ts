import { blobSource } from './content.ts';
import { BackupError } from './errors.ts';
import { cachedSource } from './format/cached-source.ts';
import { cbcSource } from './format/cbc-source.ts';
import { FileKeys } from './manifest/file-keys.ts';
import { Keyring, readKeybag, unlockKeybag } from './manifest/keybag.ts';
import { isSqlite, openManifestDb } from './manifest/manifest-db.ts';
import { openManifestMbdb } from './manifest/manifest-mbdb.ts';
import { describe, type BackupDescription } from './manifest/manifest-plist.ts';
import type { BackupPorts, ByteSource } from './ports.ts';
import { UnlockedBackup } from './unlocked-backup.ts';

/** The description of a backup that is readable without its passphrase. */
export type BackupInfo = Omit<BackupDescription, 'keybag' | 'manifestKey'> & {
  /** `db` since iOS 10, `mbdb` before. */
  manifest: 'db' | 'mbdb';
};

export interface UnlockOptions {
  /** Entries read so far, while the index is made. */
  onRows?: (rows: number) => void;
}

export interface Backup {
  readonly info: BackupInfo;
  /**
   * Derives the keys (about three seconds of another thread for an encrypted backup), opens the manifest and indexes it. A backup
   * that is not encrypted opens with any passphrase, or none. Throws `wrong_passphrase`, `damaged_keybag`, `damaged_manifest`.
   */
  unlock(passphrase?: string, options?: UnlockOptions): Promise<UnlockedBackup>;
}

/**
 * Inspects the folder of one backup. A folder without Manifest.plist, Info.plist or Status.plist is still a backup:
 * `info.problems` lists the missing files. Throws `not_a_backup` when it has neither Manifest.db nor Manifest.mbdb.
 */
export async function openBackup(ports: BackupPorts): Promise<Backup> {
  const { files } = ports;
  const db = await files.size('Manifest.db'),
    mbdb = db === null ? await files.size('Manifest.mbdb') : null;
  if (db === null && mbdb === null) throw new BackupError('not_a_backup');
  const { keybag, manifestKey, ...described } = await describe(files);
  const source = await blobSource(files, db === null ? 'Manifest.mbdb' : 'Manifest.db');
  const readable = db === null || (await isSqlite(source));
  const encrypted = described.encrypted || !readable;
  const problems = encrypted && keybag === null ? [...described.problems, 'no_keybag' as const] : described.problems;
  const info: BackupInfo = { ...described, encrypted, problems, manifest: db === null ? 'mbdb' : 'db' };
  return {
    info,
    unlock: (passphrase = '', options = {}) =>
      unlock(ports, { info, source, readable, keybag, manifestKey }, passphrase, options),
  };
}

interface Found {
  info: BackupInfo;
  source: ByteSource;
  /** The manifest is not encrypted, as before iOS 10.2. */
  readable: boolean;
  keybag: Uint8Array | null;
  manifestKey: Uint8Array | null;
}

async function unlock(
  ports: BackupPorts,
  found: Found,
  passphrase: string,
  { onRows }: UnlockOptions,
): Promise<UnlockedBackup> {
  const { crypto, sqlite } = ports;
  const keys = new FileKeys(await keysOf(ports, found, passphrase), crypto);
  try {
    if (found.info.manifest === 'mbdb')
      return new UnlockedBackup(
        ports,
        keys,
        await openManifestMbdb(await found.source.read(0, found.source.size), crypto, onRows),
        null,
      );
    const cache = cachedSource(found.readable ? found.source : await manifestSource(found, keys));
    if (!(await isSqlite(cache)))
      throw new BackupError('damaged_manifest', { reason: 'Manifest.db does not decrypt to a database' });
    return new UnlockedBackup(
      ports,
      keys,
      await openManifestDb(cache, await logOf(ports, found), sqlite, onRows),
      cache,
    );
  } catch (error) {
    keys.wipe();
    throw error;
  }
}

/** A manifest that is not encrypted may have been opened by another program, which left its log. */
async function logOf({ files }: BackupPorts, { readable }: Found): Promise<ByteSource | undefined> {
  const size = readable ? await files.size('Manifest.db-wal') : null;
  return size ? blobSource(files, 'Manifest.db-wal') : undefined;
}

async function keysOf({ crypto }: BackupPorts, { info, keybag }: Found, passphrase: string): Promise<Keyring> {
  if (!info.encrypted) return new Keyring(crypto, new Map(), new Set());
  if (keybag === null) throw new BackupError('damaged_keybag', { reason: 'Manifest.plist with the keybag is missing' });
  return unlockKeybag(readKeybag(keybag), passphrase, crypto);
}

async function manifestSource({ source, manifestKey }: Found, keys: FileKeys): Promise<ByteSource> {
  if (manifestKey === null) throw new BackupError('damaged_manifest', { reason: 'the key of Manifest.db is missing' });
  return cbcSource(source, await keys.of('Manifest.db', manifestKey));
}
