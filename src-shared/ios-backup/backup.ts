import { blobSource } from './content.ts';
import { BackupError } from './errors.ts';
import { cachedSource } from './format/cached-source.ts';
import { cbcSource } from './format/cbc-source.ts';
import { FileKeys } from './manifest/file-keys.ts';
import { Keyring, readKeybag, unlockKeybag } from './manifest/keybag.ts';
import { isSqlite, openManifestDb } from './manifest/manifest-db.ts';
import { openManifestMbdb } from './manifest/manifest-mbdb.ts';
import { readDescription, type BackupDescription } from './manifest/manifest-plist.ts';
import type { BackupPorts, ByteSource } from './ports.ts';
import type { Storage } from './stored-form.ts';
import { UnlockedBackup } from './unlocked-backup.ts';

/** The parts of a backup's description that are readable without the backup password. */
export type BackupInfo = Omit<BackupDescription, 'keybag' | 'manifestKey'> & {
  /** `db` since iOS 10, `mbdb` before. */
  manifest: 'db' | 'mbdb';
};

export interface UnlockOptions {
  /** Called during indexing with the number of entries read so far. */
  onRows?: (rows: number) => void;
}

export interface Backup {
  readonly info: BackupInfo;
  /**
   * Derives the keys (about three seconds on another thread for an encrypted backup), opens the manifest and indexes
   * it. An unencrypted backup opens with any password, or none, and so does one that
   * another program decrypted. Throws `wrong_password`, `damaged_keybag`,
   * `damaged_manifest`.
   */
  unlock(password?: string, options?: UnlockOptions): Promise<UnlockedBackup>;
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
  const { keybag, manifestKey, ...described } = await readDescription(files);
  const source = await blobSource(files, db === null ? 'Manifest.mbdb' : 'Manifest.db');
  const isPlain = db === null || (await isSqlite(source));
  // Without a keybag there is nothing to unlock: a readable manifest then belongs to a plain backup.
  const encrypted = !isPlain || (described.encrypted && keybag !== null);
  const problems = encrypted && keybag === null ? [...described.problems, 'no_keybag' as const] : described.problems;
  const info: BackupInfo = { ...described, encrypted, problems, manifest: db === null ? 'mbdb' : 'db' };
  return {
    info,
    unlock: (password = '', options = {}) =>
      unlock(ports, { info, source, isPlain, keybag, manifestKey }, password, options),
  };
}

/** The manifest of a backup as stored on disk. */
interface StoredManifest {
  info: BackupInfo;
  source: ByteSource;
  /** The manifest is not encrypted, as before iOS 10.2. */
  isPlain: boolean;
  keybag: Uint8Array | null;
  manifestKey: Uint8Array | null;
}

async function unlock(
  ports: BackupPorts,
  manifestFiles: StoredManifest,
  password: string,
  options: UnlockOptions,
): Promise<UnlockedBackup> {
  const { info, isPlain, keybag } = manifestFiles;
  if (!info.encrypted) return openManifest(ports, manifestFiles, null, options);
  if (keybag === null) throw new BackupError('damaged_keybag', { reason: 'Manifest.plist with the keybag is missing' });
  try {
    const keyring = await unlockKeybag(readKeybag(keybag), password, ports.crypto);
    return await openManifest(ports, manifestFiles, keyring, options);
  } catch (error) {
    if (!isPlain || !isKeyProblem(error)) throw error;
    const backup = await openManifest(ports, manifestFiles, null, options);
    if (await backup.isDecrypted()) return backup;
    await backup.lock();
    throw error;
  }
}

const isKeyProblem = (error: unknown): boolean =>
  error instanceof BackupError && (error.code === 'wrong_password' || error.code === 'damaged_keybag');

/** Opens the manifest with the class keys, or without any. */
async function openManifest(
  ports: BackupPorts,
  manifestFiles: StoredManifest,
  keyring: Keyring | null,
  { onRows }: UnlockOptions,
): Promise<UnlockedBackup> {
  const { crypto, sqlite } = ports;
  const { info, source, isPlain } = manifestFiles;
  const keys = new FileKeys(keyring ?? new Keyring(crypto, new Map(), new Set()), crypto);
  const storage = storageOf(manifestFiles, keyring !== null);
  try {
    if (info.manifest === 'mbdb') {
      const manifest = await openManifestMbdb(await source.read(0, source.size), crypto, onRows);
      return new UnlockedBackup(ports, { keys, manifest, storage, cache: null });
    }
    const cache = cachedSource(isPlain ? source : await decryptManifest(manifestFiles, keys));
    if (!(await isSqlite(cache)))
      throw new BackupError('damaged_manifest', { reason: 'Manifest.db does not decrypt to a database' });
    const manifest = await openManifestDb(cache, await findWriteAheadLog(ports, manifestFiles), sqlite, onRows);
    return new UnlockedBackup(ports, { keys, manifest, storage, cache });
  } catch (error) {
    keys.wipe();
    throw error;
  }
}

function storageOf({ isPlain, manifestKey }: StoredManifest, hasKeys: boolean): Storage {
  if (!hasKeys) return 'without_keys';
  if (!isPlain) return 'encrypted';
  return manifestKey === null ? 'undecided' : 'decrypted';
}

/** Another program may have opened an unencrypted manifest and left a write-ahead log. */
async function findWriteAheadLog({ files }: BackupPorts, { isPlain }: StoredManifest): Promise<ByteSource | undefined> {
  const size = isPlain ? await files.size('Manifest.db-wal') : null;
  return size ? blobSource(files, 'Manifest.db-wal') : undefined;
}

async function decryptManifest({ source, manifestKey }: StoredManifest, keys: FileKeys): Promise<ByteSource> {
  if (manifestKey === null) throw new BackupError('damaged_manifest', { reason: 'the key of Manifest.db is missing' });
  return cbcSource(source, await keys.of('Manifest.db', manifestKey));
}
