/** Why a backup, an entry or its bytes cannot be read; each code is one thing that a person can tell apart. */
export type BackupErrorCode =
  /** The folder holds neither Manifest.db nor Manifest.mbdb. */
  | 'not_a_backup'
  /** A plist that is broken, or built to exhaust its reader. `params.reason` */
  | 'damaged_plist'
  /** The keybag is missing, broken or of another kind. `params.reason` */
  | 'damaged_keybag'
  /** The manifest cannot be read, even with the right keys. `params.reason` */
  | 'damaged_manifest'
  /** The folder of the backup was there and is no longer: a disk that was pulled out, a folder that was moved. */
  | 'gone'
  /** No class key could be unwrapped with this passphrase. */
  | 'wrong_passphrase'
  /** The backup was locked, or its session has ended. */
  | 'locked'
  /** No entry with this file id, or at this domain and path. */
  | 'unknown_entry'
  /** The entry is a folder or a link and has no bytes. `params.kind` */
  | 'not_a_file'
  /** The entry is in the manifest, its file is not in the backup. */
  | 'missing_blob'
  /** The protection class is readable only on the device itself. `params.protectionClass` */
  | 'needs_device'
  /** The key of the file is broken or fits no class key. `params.reason` */
  | 'damaged_key'
  /** The bytes of the file are broken: shorter than a range needs, or not a database. `params.reason` */
  | 'damaged_file';

export class BackupError extends Error {
  readonly code: BackupErrorCode;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: BackupErrorCode, params: Record<string, string | number> = {}, cause?: unknown) {
    super(`${code}${params.reason === undefined ? '' : `: ${params.reason}`}`, { cause });
    this.name = 'BackupError';
    this.code = code;
    this.params = params;
  }
}
