/**
 * Reads phone backups; other modules import only this file. `openBackup(ports)` → `unlock(password)` → entries,
 * bytes, databases.
 */
export { openBackup, type Backup, type BackupInfo, type UnlockOptions } from './backup.ts';
export { assignBackupIds } from './backup-ids.ts';
export type { Content } from './content.ts';
export { BackupError, type BackupErrorCode } from './errors.ts';
export { isKeyedArchive, unarchive } from './format/keyed-archive.ts';
export { readPlist } from './format/plist.ts';
export { cachedSource, type CachedSource } from './format/cached-source.ts';
export { isDictionary, Uid, type PlistDictionary, type PlistValue } from './format/plist-value.ts';
export type { IntegrityFault, IntegrityFinding, IntegrityReport } from './integrity.ts';
export type { Entry, EntryDetail, EntryKind } from './manifest/entry.ts';
export type { DomainCount, EntryPage, EntryQuery } from './manifest/entry-index.ts';
export { maskIdentifier } from './manifest/mask-identifier.ts';
export type { BackupProblem } from './manifest/manifest-plist.ts';
export type * from './ports.ts';
export type { UnlockedBackup } from './unlocked-backup.ts';
export { webCrypto } from './web-crypto.ts';
